/**
 * Measures `npm start` with devnet, already built: the time of its first page, and the memory of both processes
 * later.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { held, partsBelow, together } from './held.ts';
import { launchProduct } from '../support/product.ts';
import { ms, percentile, type Measure } from './table.ts';

const GOALS = { startMs: 4_000, megabytes: 350 };
/** The median of several starts counts: the first one reads the files from disk. */
const STARTS = 5;

interface Started {
	/** Milliseconds to the last byte of the first page. */
	ms: number;
	/** Process ids of the server and devnet. */
	processes(): number[];
	stop(): Promise<void>;
}

async function start(dataDir: string): Promise<Started> {
	const began = performance.now();
	const { child, port, stop } = await launchProduct({
		command: ['npm', 'start'],
		env: { KOMODECK_DATA: dataDir, KOMODO_HOME: join(dataDir, 'none') }
	});
	const answer = await fetch(`http://127.0.0.1:${port}`);
	await answer.text();
	if (!answer.ok) throw new Error(`the first page answered ${answer.status}`);
	return { ms: performance.now() - began, processes: () => partsBelow(child.pid!), stop };
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
