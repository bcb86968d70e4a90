/** The caller has stopped waiting while the call itself goes on. */
export class StoppedWaiting extends Error {
	override readonly name = 'StoppedWaiting';
}

/**
 * Waits for a call as long as this caller wants to. The call is not touched: others may wait for it too.
 * @param patience milliseconds; undefined waits until the call ends
 * @throws {StoppedWaiting} or what the call throws
 */
export function waitFor<T>(call: Promise<T>, patience: number | undefined): Promise<T> {
	if (patience === undefined) return call;
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new StoppedWaiting()), Math.max(0, patience));
		call.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
