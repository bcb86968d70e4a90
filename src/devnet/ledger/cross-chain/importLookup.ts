import type { LedgerApi } from '../api.ts';

/** What the import rules read from the destination chain. */
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
