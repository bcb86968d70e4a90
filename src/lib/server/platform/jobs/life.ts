/** Parts that begin one after the other, and end in the other order. */
export class Life {
	readonly #ends: (() => unknown)[] = [];

	/** Tells how a part ends that has just begun. */
	onEnd(end: () => unknown): void {
		this.#ends.push(end);
	}

	/**
	 * Ends every part, the last one first. One that fails keeps no other from ending.
	 * @throws {AggregateError} of what failed
	 */
	async end(): Promise<void> {
		const failures: unknown[] = [];
		for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) {
			try {
				await end();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw new AggregateError(failures, 'Not every part ended well.');
	}
}

/**
 * Begins parts. Where one cannot, those before it are ended again, and nothing is left running.
 * @throws what kept the part from beginning
 */
export async function begin<T>(parts: (life: Life) => Promise<T>): Promise<T> {
	const life = new Life();
	try {
		return await parts(life);
	} catch (error) {
		// Why it did not begin tells more than what failed on the way back.
		await life.end().catch(() => undefined);
		throw error;
	}
}
