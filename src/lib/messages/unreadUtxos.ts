/** For wallets that were read only in part, when that part does not suffice. */
export const NOT_ALL_READ =
	'The wallet has too many UTXOs to read all of them, and those that were read are not enough. Consolidate UTXOs first.';
