/** A new installation whose disk is full when its key is made. */
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { readSecretKey } from '#lib/server/platform/secrets/secretKey.ts';
import { mountSmallDisk } from './harness/diskFull.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

test('a key is made once there is room, and never half of one', () => {
	// Like in the harness: only root may mount a disk.
	if (disk === null) return expect(process.getuid?.()).not.toBe(0);
	const { folder, fill, free } = disk;
	const source = { dataDir: folder };
	fill();
	expect(() => readSecretKey(source, true)).toThrow(/ENOSPC/);
	free();
	expect(readdirSync(folder)).toEqual([]);
	const key = readSecretKey(source, true);
	expect(readSecretKey(source, false)).toEqual(key);
	expect(readdirSync(folder)).toEqual(['secret.key']);
});
