/** The process that runs the networks of this worker. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostOrder, HostReport } from './devnetHostProcess.ts';

const PROCESS = fileURLToPath(new URL('devnetHostProcess.ts', import.meta.url));

let host: ChildProcess | undefined;
let orders = 0;
const waiting = new Map<number, (error: Error | null) => void>();

/** The process, started with the first order. It does not keep the worker from exiting. */
function running(): ChildProcess {
	if (host !== undefined) return host;
	// With the default size a tenth of its time was garbage collection of new objects.
	const child = fork(PROCESS, [], { execArgv: ['--max-semi-space-size=64'] });
	child.on('message', ({ n, error }: HostReport) => {
		waiting.get(n)?.(error === undefined ? null : new Error(error));
		waiting.delete(n);
		if (waiting.size === 0) child.channel?.unref();
	});
	child.once('exit', (code, signal) => {
		if (host === child) host = undefined;
		for (const settle of waiting.values()) {
			settle(new Error(`The process of the networks ended with ${String(signal ?? code)}.`));
		}
		waiting.clear();
	});
	child.unref();
	host = child;
	return child;
}

function order(what: { start: readonly string[] } | { stop: number }): Promise<number> {
	const n = ++orders;
	const child = running();
	child.channel?.ref();
	return new Promise((resolve, reject) => {
		waiting.set(n, (error) => (error === null ? resolve(n) : reject(error)));
		child.send({ n, ...what } satisfies HostOrder);
	});
}

/**
 * Runs a network with the arguments of its command line.
 * @returns a function that stops it
 */
export async function hostNetwork(args: readonly string[]): Promise<() => Promise<void>> {
	const started = await order({ start: args });
	return async () => void (await order({ stop: started }));
}
