/** A thread that asks an address again and again, and tells the longest wait since it was asked for. */
import { parentPort, workerData } from 'node:worker_threads';

const { url, pauseMs } = workerData as { url: string; pauseMs: number };
let longest = 0;
parentPort?.on('message', () => {
	parentPort?.postMessage(longest);
	longest = 0;
});
for (;;) {
	const began = performance.now();
	await (await fetch(url)).text();
	longest = Math.max(longest, performance.now() - began);
	await new Promise((resolve) => {
		setTimeout(resolve, pauseMs);
	});
}
