import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, signInAs } from '../../support/people.ts';
import { tamper } from './support.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');

describeOnBothDatabases('the command line for the audit log and backups', (database) => {
	const komodeck = (
		args: string[],
		more: Record<string, string> = {}
	): Promise<{ code: number; out: string; err: string }> =>
		new Promise((resolve) => {
			const data = { KOMODECK_DATA: database.dataDir, DATABASE_URL: database.options.url ?? '' };
			const env = { ...process.env, ...data, ...more };
			execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
				resolve({ code: Number(error?.code ?? 0), out, err });
			});
		});

	test('says what it looked at, writes rows, drops old segments, and names the first break', async () => {
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin', 'ada');
		await signInAs(auth, ada);
		await auth.audit.append({ actor: 'ada', action: 'switch.thrown', target: '=1+1\u001b[2J' });
		await auth.audit.sealOlderThan(Date.now() + 1000);
		await auth.audit.append({ actor: 'eve', action: 'sign-in.refused' });
		await auth.audit.stop();

		const whole = await komodeck(['audit', 'verify']);
		expect(whole).toMatchObject({ code: 0, err: '' });
		expect(whole.out).toMatch(/3 rows, from 1 to 3: each hash was computed again/);
		expect(whole.out).toMatch(/1 sealed segment\.\n1 seal kept outside of the database agrees/);
		expect(whole.out).toMatch(/The audit log is whole: 3 rows\.\n$/);

		const csv = await komodeck(['audit', 'export', '--actor', 'ada', '--kind', 'switches']);
		expect(csv.out.split('\n')[0]).toBe(
			'number,time,actor,action,kind,target,place,outcome,request,detail'
		);
		expect(csv.out).toMatch(/^2,\S+Z,ada,switch\.thrown,switches,'=1\+1/m);
		// eslint-disable-next-line no-control-regex
		expect(csv.out).not.toMatch(/\u001b/);
		const json = await komodeck(['audit', 'export', '--form', 'json', '--outcome', 'refused']);
		expect(JSON.parse(json.out)).toMatchObject([{ actor: 'eve', outcome: 'refused' }]);
		expect(await komodeck(['audit', 'export', '--from', 'once'])).toMatchObject({ code: 1 });
		expect((await komodeck(['audit', 'drop', '--older-than', '1'])).out).toMatch(/nothing was/);

		const backup = join(mkdtempSync(join(tmpdir(), 'komodeck-backup-')), 'file');
		expect(await komodeck(['backup', backup])).toMatchObject({ code: 0, err: '' });
		const data = mkdtempSync(join(tmpdir(), 'komodeck-restored-'));
		const there = { KOMODECK_DATA: data, DATABASE_URL: '' };
		const keyless = await komodeck(['restore', backup], there);
		expect(keyless).toMatchObject({ code: 1, out: '' });
		expect(keyless.err).toMatch(/put the secret\.key/);
		writeFileSync(join(data, 'secret.key'), `${'0'.repeat(64)}\n`);
		const wrong = await komodeck(['restore', backup], there);
		expect(wrong).toMatchObject({ code: 1, out: '' });
		expect(wrong.err).toMatch(/made under another key/);
		copyFileSync(join(database.dataDir, 'secret.key'), join(data, 'secret.key'));
		const restored = await komodeck(['restore', backup], there);
		expect(restored).toMatchObject({ code: 0, err: '' });
		expect(restored.out).toMatch(/Everybody has to log in again/);
		const after = await komodeck(['audit', 'verify'], there);
		expect(after).toMatchObject({ code: 0, err: '' });
		expect((await komodeck(['user', 'list'], there)).out).toMatch(/^ada +admin$/m);
		expect((await komodeck(['restore', backup], there)).err).toMatch(
			/data in this database already/
		);
		expect(readFileSync(backup, 'utf8')).not.toContain(
			readFileSync(join(data, 'secret.key'), 'utf8').trim()
		);
		rmSync(data, { recursive: true });

		await tamper(database, (db) => db.deleteFrom('audit').where('seq', '=', 2n).execute());
		const broken = await komodeck(['audit', 'verify']);
		expect(broken.code).toBe(1);
		expect(broken.err).toBe('The audit log is broken: Row 2 of segment 1 is missing.\n');
	}, 120_000);
});
