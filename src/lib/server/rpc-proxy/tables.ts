import type { AccessTables } from '../access/tables.ts';
import type { ConsoleTables } from './console/tables.ts';

/** Tables that this folder and those before it may read and write. */
export interface RpcProxyTables extends AccessTables, ConsoleTables {}
