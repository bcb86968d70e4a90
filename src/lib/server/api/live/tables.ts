import type { CrossChainTables } from '../../cross-chain/tables.ts';
import type { KdfTables } from '../../kdf/tables.ts';

/** Tables whose changes cause events, and those that determine who may receive them. */
export interface LiveTables extends CrossChainTables, KdfTables {}
