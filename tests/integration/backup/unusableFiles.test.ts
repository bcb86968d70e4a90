/** Commands with a file or a folder that the operating system refuses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../support/commandLine.ts';
import { describeOnSqlite } from '../../support/database.ts';

describeOnSqlite('a file that cannot be used', ({ dataDir, options }) => {
	const file = join(dataDir, 'a-file');
	const folder = join(dataDir, 'a-folder');

	test('is named in a sentence, and why', async () => {
		writeFileSync(file, 'x');
		mkdirSync(folder);
		const missing = join(dataDir, 'missing', 'backup');
		expect(await command(options, ['backup', missing])).toMatchObject({
			code: 1,
			err: `${missing} cannot be used: there is no such file or folder.\n`
		});
		expect((await command(options, ['restore', folder])).err).toContain(
			`There is no file ${folder}.\n`
		);
		for (const [place, why] of [
			[file, 'there is a file of that name already'],
			[join(file, 'data'), 'what should be a folder is a file']
		] as const) {
			expect(
				await command({ dataDir: place }, ['user', 'invite', '--role', 'admin'])
			).toMatchObject({
				code: 1,
				err: `${place} cannot be used: ${why}.\n`
			});
		}
	});
});
