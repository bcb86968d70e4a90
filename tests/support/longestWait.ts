import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How others fared while something went on. */
export interface Wait {
	/** The longest that one of their requests took, in milliseconds. */
	longest: number;
	answers: number;
	/** Why they were not served any more; null while they were. */
	failed: string | null;
}

/** Asks a server every few milliseconds while `work` goes on, from a thread of its own. */
export async function longestWait(
	url: string,
	work: () => Promise<unknown>,
	pauseMs = 5
): Promise<Wait> {
	const prober = new Worker(new URL('./prober.ts', import.meta.url), {
		workerData: { url, pauseMs }
	});
	await once(prober, 'message');
	const told = once(prober, 'message');
	try {
		await work();
	} finally {
		prober.postMessage('stop');
	}
	const [wait] = (await told) as [Wait];
	return wait;
}
