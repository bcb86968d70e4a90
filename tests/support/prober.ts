/**
 * Runs in a separate thread: requests an address repeatedly over one connection, and keeps the longest wait.
 */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, pauseMs } = workerData as { url: string; pauseMs: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longest = 0;
let answers = 0;
let failed: string | null = null;
let stopping = false;

function ask(): Promise<void> {
	return new Promise((resolve) => {
		const began = performance.now();
		const request = get(url, { agent }, (answer) => {
			answer.resume().once('end', () => {
				answers += 1;
				longest = Math.max(longest, performance.now() - began);
				if (answers === 1) parentPort?.postMessage('asking');
				resolve();
			});
		});
		request.once('error', (error) => {
			failed = error.message;
			resolve();
		});
	});
}

parentPort?.once('message', () => (stopping = true));
while (!stopping && failed === null) {
	await ask();
	await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
agent.destroy();
parentPort?.postMessage({ longest, answers, failed });
parentPort?.close();
