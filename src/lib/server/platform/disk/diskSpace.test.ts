import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskMessage } from '#lib/messages/disk.ts';
import { diskSpaceOf, diskStatus, MEGABYTE } from './diskSpace.ts';
import { createDiskWatch } from './diskWatch.ts';
import { openSqlite } from '../database/open.ts';

const RESERVE = 256 * MEGABYTE;
const SIZE = 100_000 * MEGABYTE;
const LIMIT = 32 * 1024 * 1024;

test('the disk of a folder that is not there yet is that of the folder above', async () => {
	const { free, size } = await diskSpaceOf(join(tmpdir(), 'not', 'made', 'yet'))();
	expect(free).toBeGreaterThan(0);
	expect(size).toBeGreaterThanOrEqual(free);
});

test.each([
	['has room', 2 * RESERVE, SIZE, 'roomy', null],
	['gets low', 2 * RESERVE - 1, SIZE, 'low', /getting full: 511 MB left\. Below 256 MB/],
	['leaves just the reserve', RESERVE, SIZE, 'low', /getting full: 256 MB left/],
	['is nearly full', RESERVE - 1, SIZE, 'full', /nearly full: 255 MB left\. .* 256 MB are free/],
	['is too small for the reserve', 1, 4 * RESERVE - 1, 'full', /large for a disk of 1023 MB/]
] as const)('a disk that %s is told so', (_what, free, size, state, words) => {
	const status = diskStatus({ free, size }, RESERVE, true);
	expect(status.state).toBe(state);
	expect(diskMessage(status)).toEqual(words === null ? null : expect.stringMatching(words));
});

test('a disk without the index is never said to stop it', () => {
	const status = diskStatus({ free: 1, size: SIZE }, RESERVE, false);
	expect(status.state).toBe('low');
	expect(diskMessage(status)).not.toMatch(/index/i);
});

test('a disk that gets low is told once, and what cannot be read is not known', async () => {
	const readings = [SIZE, RESERVE + 1, RESERVE + 1, RESERVE - 1];
	const said: string[] = [];
	const errors: unknown[] = [];
	const watch = createDiskWatch({
		read: () => {
			const free = readings.shift();
			return free === undefined
				? Promise.reject(new Error('statfs failed'))
				: Promise.resolve({ free, size: SIZE });
		},
		reserve: RESERVE,
		hasIndex: true,
		warn: (words) => said.push(words),
		onError: (error) => errors.push(error)
	});
	for (let look = 0; look < 4; look += 1) await watch.look();
	expect(said).toHaveLength(2);
	expect(watch.status()?.state).toBe('full');
	await watch.look();
	expect(watch.status()).toBeNull();
	expect(errors).toHaveLength(1);
	watch.stop();
});

test.each(['komodeck.sqlite', 'index.sqlite'])('the log of %s is cut to a limit', (file) => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-log-'));
	const database = openSqlite(dataDir, file, 'normal');
	try {
		expect(database.pragma('journal_size_limit', { simple: true })).toBe(BigInt(LIMIT));
	} finally {
		database.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
});
