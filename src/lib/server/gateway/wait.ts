import type { CallOptions } from './types.ts';

/** Why a caller stopped waiting while the call itself went on. */
export type StopReason = 'patience' | 'signal';

/** The caller has stopped waiting. */
export class StoppedWaiting extends Error {
	override readonly name = 'StoppedWaiting';
	readonly reason: StopReason;

	constructor(reason: StopReason) {
		super(reason);
		this.reason = reason;
	}
}

/**
 * Waits for a call as long as this caller wants to. The call is not touched: others may wait for it too.
 * @throws {StoppedWaiting} or what the call throws
 */
export function waitFor<T>(call: Promise<T>, options: CallOptions): Promise<T> {
	const { signal, patience } = options;
	if (signal === undefined && patience === undefined) return call;
	return new Promise((resolve, reject) => {
		const stop = (reason: StopReason): void => {
			reject(new StoppedWaiting(reason));
			end();
		};
		const onAbort = (): void => stop('signal');
		const timer =
			patience === undefined
				? undefined
				: setTimeout(() => stop('patience'), Math.max(0, patience));
		const end = (): void => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', onAbort);
		};
		if (signal?.aborted) {
			stop('signal');
			return;
		}
		signal?.addEventListener('abort', onAbort, { once: true });
		call.then(
			(value) => {
				end();
				resolve(value);
			},
			(error: unknown) => {
				end();
				reject(error);
			}
		);
	});
}
