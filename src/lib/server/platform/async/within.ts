/**
 * Returns the result of work that may take a limited time. The work itself is not ended.
 * @param late creates the error for when `ms` milliseconds pass first
 * @throws that error; otherwise what the work throws
 */
export function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(late()), Math.max(0, ms));
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
