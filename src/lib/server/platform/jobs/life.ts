/** Components that are started one after the other and stopped in reverse order. */
export class Life {
	readonly #ends: (() => unknown)[] = [];

	/** Registers how to stop a component that was just started. */
	onEnd(end: () => unknown): void {
		this.#ends.push(end);
	}

	/**
	 * Stops every component, the last one first. A failure does not prevent the others from being stopped.
	 * @throws {AggregateError} of all failures
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
 * Starts components. When one fails, those already started are stopped, so nothing is left running.
 * @throws the error of the component that failed to start
 */
export async function begin<T>(parts: (life: Life) => Promise<T>): Promise<T> {
	const life = new Life();
	try {
		return await parts(life);
	} catch (error) {
		// The original error is more useful than failures of the cleanup.
		await life.end().catch(() => undefined);
		throw error;
	}
}
