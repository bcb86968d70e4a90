/**
 * Runs `work` on each item, at most `maxConcurrency` at a time; results keep the order of the items. After a
 * failure no further item is started.
 */
export async function someAtATime<T, R>(
	items: readonly T[],
	maxConcurrency: number,
	work: (item: T) => Promise<R>
): Promise<R[]> {
	const results: R[] = new Array<R>(items.length);
	let next = 0;
	const worker = async (): Promise<void> => {
		for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
	};
	const workers = Array.from({ length: Math.min(maxConcurrency, items.length) }, worker);
	try {
		await Promise.all(workers);
	} finally {
		next = items.length;
	}
	return results;
}
