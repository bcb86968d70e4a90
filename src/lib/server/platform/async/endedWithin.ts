import { sleep } from './sleep.ts';

/** Waits until work has ended, but not longer than `ms` milliseconds. @throws what the work throws by then */
export async function endedWithin(work: Promise<unknown>, ms: number): Promise<void> {
	const over = new AbortController();
	try {
		await Promise.race([work, sleep(ms, over.signal)]);
	} finally {
		over.abort();
	}
}
