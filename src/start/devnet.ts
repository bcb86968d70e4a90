import { START_ERRORS, START_UP } from '#lib/messages/startUp.ts';
import { makeFolder } from '#lib/server/platform/config/makeFolder.ts';
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './build.ts';

const FIRST_PORT = 17770;
/** Number of ports from the base port for the daemons, the trading node, its servers and the control API. */
const PORTS = 40;
const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 10_000;

/** A running devnet. */
export interface Devnet {
	/** The folder that discovery searches. */
	dir: string;
	/** Stops devnet and waits until it has saved its state. */
	stop(): Promise<void>;
	/** Restarts it on the same ports. */
	restart(): Promise<void>;
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

async function freeBasePort(): Promise<number> {
	for (let base = FIRST_PORT; base + PORTS < 65_536; base += 100) {
		const free = await Promise.all(
			Array.from({ length: PORTS }, (_, offset) => isFree(base + offset))
		);
		if (free.every(Boolean)) return base;
	}
	throw new Error(START_ERRORS.noPorts);
}

/** Runs devnet as a child process. Resolves, once all its servers are up, to the function that stops it. */
async function launch(dir: string, basePort: number): Promise<() => Promise<void>> {
	const ready = join(dir, 'devnet.json');
	// Devnet writes this file once everything is up; a file of an earlier run would be misleading.
	rmSync(ready, { force: true });
	const child = spawn(
		process.execPath,
		['src/devnet/main.ts', '--dir', dir, '--base-port', String(basePort)],
		// In a process group of its own: Ctrl+C reaches this process only, which then stops devnet properly.
		{ cwd: ROOT, stdio: ['pipe', 'ignore', 'inherit'], detached: true }
	);
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(START_UP.devnetEnded(String(signal ?? code))));
	});
	let stopping = false;
	let gone = '';
	void ended.then((why) => {
		gone = why;
		if (!stopping) process.stderr.write(`${START_UP.devnetGone(why)}\n`);
	});
	// A write to a child process that has exited must not end this process.
	child.stdin.on('error', () => undefined);

	const deadline = performance.now() + READY_WITHIN_MS;
	while (!existsSync(ready)) {
		if (gone !== '') throw new Error(START_ERRORS.devnet(gone));
		if (performance.now() > deadline) {
			child.kill();
			throw new Error(START_ERRORS.devnetTimeout(READY_WITHIN_MS / 1000));
		}
		await pause(25);
	}
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
	const basePort = await freeBasePort();
	let end = await launch(dir, basePort);
	return {
		dir,
		stop: () => end(),
		async restart() {
			await end();
			end = await launch(dir, basePort);
		}
	};
}
