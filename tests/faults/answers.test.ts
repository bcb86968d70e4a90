/** The started application with a daemon that sends hostile responses: no other caller waits for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, isBuilt } from '../../src/start/build.ts';
import { startApp, type AppProcess } from '../bench/processes.ts';
import { hostileAnswers, HostileServer } from '../support/hostileAnswers.ts';
import { longestWait } from '../support/longestWait.ts';

/** The goal is 200 ms, see the bench; this is for a machine with other work. */
const OTHERS_WAIT_MS = 1_000;
/** Milliseconds between two requests of other callers. */
const PAUSE_MS = 25;
/** By then a page shows the last known data. */
const PAGE_MS = 20_000;
/** A worker's heap and its threads, added to the memory at the start. */
const MOST_MB = 900;

const INFO = '{"version":2001526,"KMDversion":"0.9.0","name":"ALPHA","CCid":777,"blocks":100}';

describe('a daemon that answers', () => {
	const daemon = new HostileServer(({ method, id }) =>
		method === 'getinfo' ? `{"result":${INFO},"error":null,"id":${id}}\n` : null
	);
	let app: AppProcess;

	beforeAll(async () => {
		if (!isBuilt()) build();
		app = await startApp(await daemon.start());
	});
	afterAll(async () => {
		await app?.stop();
		await daemon.stop();
	});

	test('is one of thirty or more', () => {
		expect(Object.keys(hostileAnswers).length).toBeGreaterThanOrEqual(30);
	});

	test.each(Object.entries(hostileAnswers))('%s', { timeout: 120_000 }, async (_name, answer) => {
		daemon.answer = answer;
		const look = async (): Promise<void> => {
			const before = daemon.given;
			for (const path of ['/', '/chains/ALPHA/mempool']) {
				const began = performance.now();
				const page = await fetch(`${app.url}${path}`);
				await page.text();
				expect(performance.now() - began, path).toBeLessThan(PAGE_MS);
			}
			// A page that still waits for another response does not retry on its own: each step requests the
			// page again.
			const given = async (): Promise<number> => {
				await (await fetch(`${app.url}/chains/ALPHA/mempool`)).text();
				return daemon.given;
			};
			await expect.poll(given, { timeout: 60_000 }).toBeGreaterThan(before);
			// The response to the first request has been read by now, or is read meanwhile.
			await (await fetch(`${app.url}/`)).text();
		};
		const { longest, failed } = await longestWait(`${app.url}/healthz`, look, PAUSE_MS);
		expect(failed).toBeNull();
		expect(longest).toBeLessThan(OTHERS_WAIT_MS);
		daemon.answer = null;
		daemon.release();
		expect(app.child.exitCode).toBeNull();
	});

	test('costs no memory for good', { timeout: 60_000 }, async () => {
		await expect.poll(() => app.memory(), { timeout: 45_000, interval: 500 }).toBeLessThan(MOST_MB);
	});
});
