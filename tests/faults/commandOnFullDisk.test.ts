/** Commands that write a file to a full disk. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command } from '../support/commandLine.ts';
import { describeOnSqlite } from '../support/database.ts';
import { mountSmallDisk } from './harness/diskFull.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

describeOnSqlite('a disk that is full', ({ options, dataDir }) => {
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

	test.skipIf(disk === null)('takes no restore, and all of it once there is room', async () => {
		const { folder, fill, free } = disk!;
		const file = join(dataDir, 'backup');
		await command(options, ['user', 'invite', '--role', 'viewer']);
		await command(options, ['backup', file]);
		const target = join(folder, 'restored');
		mkdirSync(target);
		copyFileSync(join(dataDir, 'secret.key'), join(target, 'secret.key'));
		fill();
		expect(await command({ dataDir: target }, ['restore', file])).toMatchObject({
			code: 1,
			err: 'The disk of the database of Komodeck is full, so nothing more can be written. Nothing was restored: once that is mended, run the same command again.\n'
		});
		free();
		expect(await command({ dataDir: target }, ['restore', file])).toMatchObject({ code: 0 });
	});
});
