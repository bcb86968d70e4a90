import type { CrossChainTables } from '../../cross-chain/tables.ts';
import type { KdfTables } from '../../kdf/tables.ts';

/** The tables whose changes are told, and those that say who may hear of them. */
export interface LiveTables extends CrossChainTables, KdfTables {}
