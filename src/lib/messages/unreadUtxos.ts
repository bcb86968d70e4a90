/** What is said where a wallet is read in part, and that part does not do. */
export const NOT_ALL_READ =
	'The wallet has too many UTXOs to read all of them, and those that were read are not enough. Consolidate UTXOs first.';
