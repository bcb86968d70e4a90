/** Waits so many milliseconds. Ends early, without an error, when it is woken. */
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
