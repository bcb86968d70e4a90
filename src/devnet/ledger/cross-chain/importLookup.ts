import type { LedgerApi } from '../api.ts';

/** Data of the destination chain that the import rules need. */
export type ImportLookup = Pick<
	LedgerApi,
	| 'params'
	| 'symbol'
	| 'height'
	| 'mined'
	| 'transaction'
	| 'output'
	| 'notarizationsAt'
	| 'notarizationByKmdTxid'
>;
