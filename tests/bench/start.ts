/**
 * Measures `npm start` with devnet, already built: the time of its first page, and the memory of both processes
 * later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { held, partsBelow, together } from './held.ts';
import { freePort } from '../support/freePort.ts';
import { ms, percentile, type Measure } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const GOALS = { startMs: 4_000, megabytes: 350 };
/** The median of several starts counts: the first one reads the files from disk. */
const STARTS = 5;

interface Started {
	url: string;
	/** Milliseconds to the last byte of the first page. */
	ms: number;
	/** Process ids of the server and devnet. */
	processes(): number[];
	stop(): Promise<void>;
}

async function start(dataDir: string): Promise<Started> {
	const port = await freePort();
	const began = performance.now();
	const child = spawn('npm', ['start'], {
		cwd: ROOT,
		env: {
			...process.env,
			PORT: String(port),
			KOMODECK_DATA: dataDir,
			KOMODO_HOME: join(dataDir, 'none')
		},
		stdio: ['ignore', 'pipe', 'inherit'],
		detached: true
	});
	let said = '';
	for await (const part of child.stdout) {
		said += String(part);
		if (said.includes('Komodeck is at')) break;
	}
	child.stdout.resume();
	const url = `http://127.0.0.1:${port}`;
	const answer = await fetch(url);
	await answer.text();
	if (!answer.ok) throw new Error(`the first page answered ${answer.status}`);
	return {
		url,
		ms: performance.now() - began,
		processes: () => partsBelow(child.pid!),
		async stop() {
			const gone = once(child, 'exit');
			process.kill(-child.pid!, 'SIGTERM');
			await gone;
		}
	};
}

/** @param afterMs running time before the memory is measured */
export async function measureStart(afterMs: number): Promise<Measure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const taken: number[] = [];
	try {
		let first = 0;
		for (let n = 0; n < STARTS; n++) {
			const started = await start(join(folder, String(n)));
			if (n === 0) first = started.ms;
			taken.push(started.ms);
			await started.stop();
		}
		const again = await start(join(folder, '0'));
		const run = await start(join(folder, 'run'));
		await again.stop();
		await setTimeout(afterMs);
		const holds = run.processes().map(held);
		await run.stop();
		const middle = percentile(taken, 0.5);
		return [
			{
				what: '`npm start` with devnet, to the first page',
				figure: `${ms(middle)} of ${STARTS} starts, the first ${ms(first)}`,
				goal: `at most ${ms(GOALS.startMs)}`,
				met: middle <= GOALS.startMs
			},
			{
				what: 'the same where devnet was before',
				figure: ms(again.ms),
				goal: '',
				met: null
			},
			{
				what: `memory of the server and devnet after ${Math.round(afterMs / 1000)} s`,
				figure: `${Math.round(together(holds))} MB; ${holds.map(({ resident }) => Math.round(resident)).join(' and ')} MB with what they share`,
				goal: `at most ${GOALS.megabytes} MB`,
				met: holds.length === 2 && together(holds) <= GOALS.megabytes
			}
		];
	} finally {
		// npm exits before the processes that it started, which still write for a moment.
		rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	}
}
