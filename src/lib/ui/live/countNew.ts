/** Returns how many of the fresh transactions are not among the shown ones. */
export function countNew(
	shown: readonly { txid: string }[],
	fresh: readonly { txid: string }[]
): number {
	const known = new Set(shown.map(({ txid }) => txid));
	return fresh.filter(({ txid }) => !known.has(txid)).length;
}
