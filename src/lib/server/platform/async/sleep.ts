/** Waits `ms` milliseconds. Resolves early, without an error, when `wake` aborts. */
export function sleep(ms: number, wake: AbortSignal): Promise<void> {
	if (wake.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const done = (): void => {
			clearTimeout(timer);
			wake.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		wake.addEventListener('abort', done);
	});
}
