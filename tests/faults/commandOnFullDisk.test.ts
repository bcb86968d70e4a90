/** Commands that write a file to a full disk. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command } from '../support/commandLine.ts';
import { describeOnSqlite } from '../support/database.ts';
import { mountSmallDisk } from './harness/diskFull.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

describeOnSqlite('a disk that is full', ({ options }) => {
	// Only root may mount a disk.
	test.skipIf(disk === null)('is named by a backup, of which nothing stays there', async () => {
		const { folder, fill, free } = disk!;
		const file = join(folder, 'backup');
		await command(options, ['user', 'invite', '--role', 'viewer']);
		fill();
		const before = readdirSync(folder);
		expect(await command(options, ['backup', file])).toMatchObject({
			code: 1,
			err: `${file}.part cannot be used: the disk is full.\n`
		});
		expect(readdirSync(folder)).toEqual(before);
		free();
		expect(await command(options, ['backup', file])).toMatchObject({ code: 0 });
		expect(existsSync(file)).toBe(true);
	});
});
