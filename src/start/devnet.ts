import { START_ERRORS, START_UP } from '#lib/messages/startUp.ts';
import { makeFolder } from '#lib/server/platform/disk/makeFolder.ts';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './build.ts';

const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 10_000;
/** Options of Node for a process that is small rather than fast: a child process does not have those of its parent. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=50'] as const;

/** A running devnet. */
export interface Devnet {
	/** The folder that discovery searches. */
	dir: string;
	/** Stops devnet and waits until it has saved its state. */
	stop(): Promise<void>;
	/** Restarts it on the same ports. */
	restart(): Promise<void>;
}

/** Runs devnet as a child process. Resolves, once all its servers are up, to the function that stops it. */
async function launch(dir: string): Promise<() => Promise<void>> {
	const child = spawn(
		process.execPath,
		[...SMALL_HEAP, 'src/devnet/main.ts', '--dir', dir],
		// In a process group of its own: Ctrl+C reaches this process only, which then stops devnet properly.
		{ cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'], detached: true }
	);
	// It prints its addresses once everything is up.
	const ready = new Promise<'ready'>((resolve) =>
		child.stdout.once('data', () => resolve('ready'))
	);
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(START_UP.devnetEnded(String(signal ?? code))));
	});
	// A write to a child process that has exited must not end this process.
	child.stdin.on('error', () => undefined);

	const late = new AbortController();
	const first = await Promise.race([
		ready,
		ended.then((why) => START_ERRORS.devnet(why)),
		pause(READY_WITHIN_MS, START_ERRORS.devnetTimeout(READY_WITHIN_MS / 1000), {
			signal: late.signal
		})
	]);
	late.abort();
	if (first !== 'ready') {
		child.kill();
		throw Object.assign(new Error(first), { code: 'config.devnet' });
	}
	let stopping = false;
	void ended.then((why) => {
		if (!stopping) process.stderr.write(`${START_UP.devnetGone(why)}\n`);
	});
	return async () => {
		stopping = true;
		child.stdin.end();
		const late = new AbortController();
		await Promise.race([
			ended,
			pause(END_WITHIN_MS, undefined, { signal: late.signal }).then(
				() => child.kill(),
				() => undefined
			)
		]);
		late.abort();
	};
}

/** Starts devnet. It exits when its standard input closes, so it also ends when this process is killed. */
export async function startDevnet(dir: string): Promise<Devnet> {
	makeFolder(dir);
	let end = await launch(dir);
	return {
		dir,
		stop: () => end(),
		async restart() {
			await end();
			end = await launch(dir);
		}
	};
}
