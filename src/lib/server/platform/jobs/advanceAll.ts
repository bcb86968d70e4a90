/**
 * Returns a function that advances several items at the same time. An item that is still being advanced is left
 * out, and one that fails does not delay the others.
 *
 * @param advance advances the item with this id
 * @returns rejects with the first failure, once all have ended
 */
export function createAdvanceAll(
	advance: (id: string) => Promise<unknown>
): (ids: readonly string[]) => Promise<void> {
	const busy = new Set<string>();

	async function unlessBusy(id: string): Promise<void> {
		if (busy.has(id)) return;
		busy.add(id);
		try {
			await advance(id);
		} finally {
			busy.delete(id);
		}
	}

	return async (ids) => {
		const ended = await Promise.allSettled(ids.map(unlessBusy));
		for (const one of ended) if (one.status === 'rejected') throw one.reason;
	};
}
