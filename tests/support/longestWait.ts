import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How long other callers waited during some work. */
interface Wait {
	/** Their longest request, in milliseconds. */
	longest: number;
	answers: number;
	/** Why they were no longer served; null while they were. */
	failed: string | null;
}

/** Sends a request to a server every few milliseconds during `work`, from a separate thread. */
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
