/** Commands that root runs on the data folder of a server that runs as another user. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/commandLine.ts';

const OWNER = 65_530;

test('leave nothing in it that its owner cannot read or replace', async () => {
	// Only root can change the owner of files.
	if (process.getuid?.() !== 0) return expect(process.getuid?.()).not.toBe(0);
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-owner-'));
	const elsewhere = mkdtempSync(join(tmpdir(), 'komodeck-root-'));
	chownSync(dataDir, OWNER, OWNER);
	const file = join(elsewhere, 'kept.backup');
	try {
		for (const line of [
			'user add ada --role admin',
			`backup ${file}`,
			'audit verify',
			'index list'
		]) {
			expect(await command({ dataDir }, line.split(' ')), line).toMatchObject({ code: 0 });
		}
		rmSync(join(dataDir, 'komodeck.sqlite'));
		expect(await command({ dataDir }, ['restore', file])).toMatchObject({ code: 0 });
		const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
		expect(names).toEqual(
			expect.arrayContaining([
				...['secret.key', 'installation.id', 'komodeck.sqlite', 'index.sqlite'],
				...['audit', join('audit', 'end.json'), join('audit', 'accounts.json')]
			])
		);
		const owners = names.map((name) => [name, statSync(join(dataDir, name)).uid]);
		expect(owners.filter(([, uid]) => uid !== OWNER)).toEqual([]);
		expect(statSync(file).uid).toBe(0);
	} finally {
		for (const folder of [dataDir, elsewhere]) rmSync(folder, { recursive: true });
	}
});

test('are carried out also by a root who may give nothing away, as in a container', () => {
	if (process.getuid?.() !== 0) return expect(process.getuid?.()).not.toBe(0);
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-owner-'));
	chownSync(dataDir, OWNER, OWNER);
	const bound = ['--bounding-set=-chown', '--inh-caps=-chown'];
	const line = [process.execPath, 'src/cli/main.ts', ...'user add ada --role admin'.split(' ')];
	try {
		execFileSync('setpriv', [...bound, ...line], {
			cwd: resolve(import.meta.dirname, '../..'),
			env: { ...process.env, KOMODECK_DATA: dataDir, DATABASE_URL: '', KOMODO_HOME: dataDir }
		});
		expect(statSync(join(dataDir, 'komodeck.sqlite')).uid).toBe(0);
	} finally {
		rmSync(dataDir, { recursive: true });
	}
});

test.each([
	['komodeck.sqlite', ['user', 'list']],
	['index.sqlite', ['index', 'list']]
])('say what the system has against %s, which SQLite keeps to itself', async (name, line) => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-odd-'));
	if (name === 'index.sqlite') {
		await command({ dataDir }, ['user', 'add', 'ada', '--role', 'admin']);
	}
	mkdirSync(join(dataDir, name));
	try {
		const { code, err } = await command({ dataDir }, line);
		expect([code, err]).toEqual([1, `${join(dataDir, name)} cannot be used: it is a folder.\n`]);
	} finally {
		rmSync(dataDir, { recursive: true });
	}
});
