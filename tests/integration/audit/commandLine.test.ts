import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKeys } from '#lib/server/access/accounts/keys.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, signInAs } from '../../support/members.ts';
import { tamper } from './support.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');

describeOnBothDatabases('the command line for the audit log and backups', (database) => {
	const here = (): { dataDir: string; url: string | undefined } => ({
		dataDir: database.dataDir,
		url: database.options.url
	});
	const komodeck = (
		args: string[],
		place: ReturnType<typeof here> | { dataDir: string } = here()
	) => command(place, args);

	/** Runs the whole command in a separate process. */
	const spawned = (...args: string[]): Promise<string> =>
		new Promise((done) => {
			const { dataDir, url } = here();
			const env = { ...process.env, KOMODECK_DATA: dataDir, DATABASE_URL: url ?? '' };
			execFile(process.execPath, [MAIN, ...args], { env }, (_, out) => done(out));
		});

	test('says what it looked at, writes rows, drops old segments, and names the first break', async () => {
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin', 'ada');
		await signInAs(auth, ada);
		await auth.audit.append({ actor: 'ada', action: 'switch.thrown', target: '=1+1\u001b[2J' });
		await auth.audit.checkpointOlderThan(Date.now() + 1000);
		await auth.audit.append({ actor: 'eve', action: 'sign-in.refused' });
		await auth.audit.stop();

		const whole = await komodeck(['audit', 'verify']);
		expect(whole).toMatchObject({ code: 0, err: '' });
		expect(whole.out).toMatch(/4 events, from 1 to 4: each hash was computed again/);
		expect(whole.out).toMatch(/1 checkpoint\.\n1 checkpoint kept outside of the database agrees/);
		expect(whole.out).toMatch(/Integrity verified: 4 events\.\nAccounts.+match the log\.\n$/);

		const csv = await spawned('audit', 'export', '--actor', 'ada', '--kind', 'switches');
		expect(csv.split('\n')[0]).toBe(
			'number,time,actor,action,kind,target,place,outcome,request,detail'
		);
		expect(csv).toMatch(/^3,\S+Z,ada,switch\.thrown,switches,"?'=1\+1/m);
		// eslint-disable-next-line no-control-regex
		expect(csv).not.toMatch(/\u001b/);
		const json = await komodeck(['audit', 'export', '--form', 'json', '--outcome', 'refused']);
		expect(JSON.parse(json.out)).toMatchObject([{ actor: 'eve', outcome: 'refused' }]);
		expect(await komodeck(['audit', 'export', '--from', 'once'])).toMatchObject({ code: 1 });
		expect((await komodeck(['audit', 'drop', '--older-than', '1'])).out).toMatch(/Nothing was/);

		const file = join(mkdtempSync(join(tmpdir(), 'komodeck-backup-')), 'file');
		expect(await komodeck(['backup', file])).toMatchObject({ code: 0, err: '' });
		const data = mkdtempSync(join(tmpdir(), 'komodeck-restored-'));
		const there = { dataDir: data };
		const keyless = await komodeck(['restore', file], there);
		expect(keyless).toMatchObject({ code: 1, out: '' });
		expect(keyless.err).toMatch(/put its secret\.key/);
		writeFileSync(join(data, 'secret.key'), `${'0'.repeat(64)}\n`);
		const wrong = await komodeck(['restore', file], there);
		expect(wrong).toMatchObject({ code: 1, out: '' });
		expect(wrong.err).toMatch(/made under another key/);
		copyFileSync(join(database.dataDir, 'secret.key'), join(data, 'secret.key'));
		const restored = await komodeck(['restore', file], there);
		expect(restored).toMatchObject({ code: 0, err: '' });
		expect(restored.out).toMatch(/Members log in again/);
		const after = await komodeck(['audit', 'verify'], there);
		expect(after).toMatchObject({ code: 0, err: '' });
		expect((await komodeck(['user', 'list'], there)).out).toMatch(/^ada +admin$/m);
		expect((await komodeck(['restore', file], there)).err).toMatch(/data in this database already/);
		expect(readFileSync(file, 'utf8')).not.toContain(
			readFileSync(join(data, 'secret.key'), 'utf8').trim()
		);
		rmSync(data, { recursive: true });

		await tamper(database, (db) => db.deleteFrom('audit_events').where('seq', '=', 2n).execute());
		const broken = await komodeck(['audit', 'verify']);
		expect(broken.code).toBe(1);
		expect(broken.err).toBe('Integrity check failed: Event 2 of segment 1 is missing.\n');
	});

	test('a backup that was not begun is not on record', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'komodeck-backup-'));
		const file = join(folder, 'file');
		expect(await komodeck(['backup', file])).toMatchObject({ code: 0, err: '' });
		expect(await komodeck(['backup', file])).toMatchObject({ code: 1, out: '' });
		expect(await komodeck(['backup', join(folder, 'none', 'file')])).toMatchObject({ code: 1 });
		const { out } = await komodeck(['audit', 'export', '--form', 'json', '--kind', 'log']);
		const events = JSON.parse(out) as { target: string }[];
		expect(events.filter(({ target }) => target.startsWith(folder))).toMatchObject([
			{ action: 'archive.made', target: file, outcome: 'done' }
		]);
		rmSync(folder, { recursive: true });
	});
});

describeOnBothDatabases('a copy of the log that cannot be written', (database) => {
	test('keeps nobody from hearing what was done, and is told', async () => {
		const place = { dataDir: database.dataDir, url: database.options.url };
		await authOver(database);
		await addPerson(database, 'admin', 'ada');
		const folder = join(database.dataDir, 'audit');
		rmSync(folder, { recursive: true, force: true });
		writeFileSync(folder, '');
		const file = join(database.dataDir, 'file.backup');
		for (const [line, told] of [
			['token create --user ada --role viewer', /shown only once: \S{20}/],
			[`backup ${file}`, /^Backed up to /],
			['audit verify', /^Integrity verified: /m],
			['audit confirm', /Nothing was changed/]
		] as const) {
			const { code, out, err } = await command(place, line.split(' '));
			expect(out).toMatch(told);
			expect({ code, err }).toEqual({
				code: 1,
				err: `${folder} cannot be used: there is a file of that name already.\n`
			});
		}
	});
});

describeOnBothDatabases('a restore whose words nobody reads', (database) => {
	test('is carried out to its end', async () => {
		const here = { dataDir: database.dataDir, url: database.options.url };
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin', 'ada');
		await signInAs(auth, ada);
		const place = mkdtempSync(join(tmpdir(), 'komodeck-unread-'));
		const file = join(place, 'file');
		expect(await command(here, ['backup', file])).toMatchObject({ code: 0, err: '' });
		const there = { dataDir: join(place, 'data') };
		mkdirSync(there.dataDir);
		copyFileSync(join(database.dataDir, 'secret.key'), join(there.dataDir, 'secret.key'));
		const env = { ...process.env, KOMODECK_DATA: there.dataDir, DATABASE_URL: '' };
		const restoring = spawn(process.execPath, [MAIN, 'restore', file], { env });
		restoring.stdout.destroy();
		let said = '';
		restoring.stderr.on('data', (text) => (said += String(text)));
		const [code] = (await once(restoring, 'close')) as [number];
		expect({ code, said }).toEqual({ code: 1, said: '' });
		const events = await command(there, ['audit', 'export']);
		expect(events.out).toContain(',archive.restored,');
		rmSync(place, { recursive: true });
	});
});

describeOnBothDatabases('old segments of the log', (database) => {
	test('are not deleted by a command whose clock is suddenly ahead, which says so, but after a day of events', async () => {
		const DAY = 24 * 60 * 60 * 1000;
		const { dataDir, db } = database;
		await authOver(database);
		const { audit: keys } = await openKeys(db, { dataDir });
		const actBefore = async (ms: number): Promise<void> => {
			const before = createAudit(db, keys, { segmentRows: 1, clock: () => Date.now() - ms });
			await before.append({ actor: 'ada', action: 'rpc.test' });
		};
		const drop = async (): Promise<string> =>
			(await command({ dataDir, url: database.options.url }, ['audit', 'drop', '--older-than=30']))
				.out;
		const kept = /^No segment .+\nEvents are kept 100 days longer, because .+\n$/;
		await actBefore(100 * DAY);
		expect(await drop()).toMatch(kept);
		await actBefore(0);
		expect(await drop()).toMatch(kept);
		for (const share of [1.25, 0.75, 0.25]) await actBefore(share * DAY);
		expect(await drop()).toMatch(/^Deleted: segments 1 to 1, 1 event\. .+\n$/);
	});
});
