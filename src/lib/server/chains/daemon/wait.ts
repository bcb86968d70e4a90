import { AppError } from '../../platform/errors/appError.ts';

/**
 * Waits for a call as long as this caller wants to. The call is not touched: others may wait for it too.
 * @param timeoutMs undefined waits until the call ends
 * @throws {AppError} `answer.pending` when the caller stops waiting while the call goes on; or what the call throws
 */
export function waitFor<T>(call: Promise<T>, timeoutMs: number | undefined): Promise<T> {
	if (timeoutMs === undefined) return call;
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new AppError('answer.pending')), Math.max(0, timeoutMs));
		call.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
