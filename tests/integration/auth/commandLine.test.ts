import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	identified,
	PASSWORD,
	signInAs,
	withToken
} from '../../support/members.ts';
import { addApp, addPasskey } from '../second-factors/support.ts';

describeOnBothDatabases('the command line', (database) => {
	/** Daemons that receive no request. */
	const home = mkdtempSync(join(tmpdir(), 'komodeck-home-'));
	afterAll(() => rmSync(home, { recursive: true }));
	for (const [name, port] of [
		['ALPHA', 7001],
		['BETA', 7002]
	] as const) {
		mkdirSync(join(home, name));
		const conf = `rpcuser=u\nrpcpassword=p\nrpcport=${port}\n`;
		writeFileSync(join(home, name, `${name}.conf`), conf, { mode: 0o600 });
	}
	const komodeck = (args: string[], input = '', env: NodeJS.ProcessEnv = {}) =>
		command({ dataDir: database.dataDir, url: database.options.url }, args, {
			input,
			env: { KOMODO_HOME: home, ...env }
		});

	test('adds a person who can sign in, and a token as the last word', async () => {
		const auth = await authOver(database);
		const added = await komodeck(
			['user', 'add', 'carol', '--role', 'operator', '--password-stdin'],
			`${PASSWORD}\n`
		);
		expect(added).toMatchObject({ code: 0, err: '' });
		expect(added.out).not.toContain(PASSWORD);
		const carol = { id: '', name: 'carol', role: 'operator' } as const;
		await expect(signInAs(auth, carol)).resolves.toBeTruthy();

		const made = await komodeck(['token', 'create', '--user', 'carol', '--role', 'viewer']);
		expect(made.code).toBe(0);
		const token = made.out.trim().split(/\s+/).at(-1) ?? '';
		expect(await identified(auth, withToken(token))).toMatchObject({
			via: 'token',
			role: 'viewer',
			account: { name: 'carol' }
		});
		expect(await komodeck(['audit', 'verify'])).toMatchObject({
			code: 0,
			out: expect.stringMatching(/^Integrity verified: 3 events\.$/m) as string
		});
	});

	test('lists the second factors of a member, and takes them away', async () => {
		const auth = await authOver(database);
		const dora = await addPerson(database, 'operator', 'dora');
		const { sessionId } = await addApp(auth, dora);
		const site = { origin: 'http://localhost:3000', rpId: 'localhost' };
		await addPasskey(auth, dora, { site, session: sessionId, name: 'blue key' });
		const listed = await komodeck(['user', 'factors', 'dora']);
		expect(listed).toMatchObject({ code: 0, err: '' });
		expect(listed.out).toMatch(/^app {2}\d{4}-\d\d-\d\d {2}phone$/m);
		expect(listed.out).toMatch(/^passkey {2}\d{4}-\d\d-\d\d {2}blue key$/m);
		expect(listed.out).toContain('2 second factors of dora, 10 unused recovery codes.');
		const reset = await komodeck(['user', 'factors', 'dora', '--reset']);
		expect(reset.out).toContain('2 second factors of dora removed.');
		expect((await auth.factors.of(dora)).factors).toEqual([]);
		expect(await auth.sessions.validate(sessionId)).toBeNull();
		await expect(signInAs(auth, dora)).resolves.toBeTruthy();
	});

	test('takes a verb by the name that it had before', async () => {
		const now = await komodeck(['kdf']);
		expect(now).toMatchObject({
			code: 2,
			err: expect.stringContaining('kdf confirm ID') as string
		});
		expect(await komodeck(['node'])).toEqual(now);
	});

	test('says the forms of a verb where --help is among its words, and does nothing', async () => {
		const auth = await authOver(database);
		const before = await auth.audit.list();
		for (const args of [
			['user', '--help'],
			['user', 'add', 'erin', '--role', 'admin', '-h']
		]) {
			const said = await komodeck(args);
			expect(said).toMatchObject({ code: 0, err: '' });
			expect(said.out).toMatch(/^ {2}user add NAME --role R .*\n {6}creates an account /);
			expect(said.out).not.toContain('audit verify');
		}
		expect((await komodeck(['backup', '--help'])).out).toMatch(/^ {2}backup FILE\n/);
		expect(await auth.audit.list()).toEqual(before);
	});

	test('makes a link of the public address however it is written, and none where it is no address', async () => {
		const invite = (env: NodeJS.ProcessEnv) =>
			komodeck(['user', 'invite', '--role', 'viewer'], '', env);
		const made = await invite({ KOMODECK_ORIGIN: 'https://Deck.Example.org/' });
		expect(made.out).toMatch(/^https:\/\/deck\.example\.org\/join\?token=/m);
		const links = await database.db.selectFrom('account_links').selectAll().execute();
		for (const [name, value, sentence] of [
			['KOMODECK_ORIGIN', 'deck.example.org', 'KOMODECK_ORIGIN must be an origin like'],
			['DATABASE_URL', 'mysql://host/name', 'DATABASE_URL must be an address like']
		] as const) {
			const said = await invite({ [name]: value });
			expect(said).toMatchObject({ code: 1, out: '' });
			expect(said.err).toContain(sentence);
		}
		expect(await database.db.selectFrom('account_links').selectAll().execute()).toEqual(links);
	});

	test('invites, changes, shuts out and lets in again, each on record', async () => {
		const auth = await authOver(database);
		const tokenIn = (text: string): string => /token=(\S+)/.exec(text)?.[1] ?? '';
		await komodeck(['user', 'add', 'boss', '--role', 'admin', '--password-stdin'], `${PASSWORD}\n`);
		const invited = await komodeck(['user', 'invite', 'ivo', '--role', 'viewer']);
		expect(invited).toMatchObject({ code: 0, err: '' });
		expect(invited.out).toMatch(/http:\/\/localhost:3000\/join\?token=/);
		const links = await auth.links.openInvitations();
		for (const name of ['', ' ']) {
			const nameless = await komodeck(['user', 'invite', name, '--role', 'viewer']);
			expect(nameless).toMatchObject({ code: 1, out: '' });
		}
		expect(await auth.links.openInvitations()).toEqual(links);
		const ivo = await auth.links.accept(tokenIn(invited.out), { name: '', password: PASSWORD });
		expect(ivo).toMatchObject({ name: 'ivo', role: 'viewer' });
		const wallets = createWallets(database.db, auth.audit);
		expect(await wallets.choiceOf(ivo.id)).toEqual({ every: false, daemons: [] });
		const given = ['user', 'invite', '--role', 'operator', '--wallets'];
		expect((await komodeck([...given, 'ALPHA,,BETA'])).code).toBe(2);
		const two = await komodeck([...given, 'BETA,ALPHA']);
		const person = { name: 'wanda', password: PASSWORD };
		const wanda = await auth.links.accept(tokenIn(two.out), person);
		expect(await wallets.choiceOf(wanda.id)).toEqual({ every: false, daemons: ['ALPHA', 'BETA'] });

		expect(await komodeck(['user', 'role', 'ivo', '--role', 'operator'])).toMatchObject({
			code: 0,
			out: 'ivo is operator now.\n'
		});
		await komodeck(['user', 'disable', 'ivo']);
		expect((await komodeck(['user', 'list'])).out).toMatch(/^ivo +operator +disabled$/m);
		expect((await komodeck(['user', 'reset', 'ivo'])).code).toBe(1);
		await komodeck(['user', 'enable', 'ivo']);
		const reset = await komodeck(['user', 'reset', 'ivo']);
		await auth.links.setPassword(tokenIn(reset.out), 'another quite long password');
		await expect(
			signInAs(auth, ivo, { password: 'another quite long password' })
		).resolves.toBeTruthy();

		const rows = await auth.audit.list({ actor: 'command line' });
		expect(rows.map(({ action }) => action)).toEqual(
			expect.arrayContaining([
				'invitation.made',
				'account.role-changed',
				'account.disabled',
				'account.enabled',
				'password.reset-made'
			])
		);
		expect(JSON.stringify(rows)).not.toContain(tokenIn(reset.out));
	});

	test('gives and takes wallets, on record', async () => {
		const auth = await authOver(database);
		const added = await komodeck(['user', 'add', 'wim', '--role', 'operator']);
		expect(added.out).toMatch(/wim has no wallet yet/);
		expect((await komodeck(['user', 'wallets', 'wim', 'BETA', 'ALPHA'])).out).toBe(
			'Wallets of wim: ALPHA, BETA.\n'
		);
		expect((await komodeck(['user', 'wallets', 'wim', 'ALPHA,BETA'])).out).toBe(
			'Wallets of wim: ALPHA, BETA.\n'
		);
		for (const wrong of [['all', 'ALPHA'], ['ALPHA,all'], ['ALPHA', 'none'], [''], ['*']]) {
			expect((await komodeck(['user', 'wallets', 'wim', ...wrong])).code).toBe(2);
		}
		expect((await komodeck(['user', 'wallets', 'wim', 'none'])).out).toBe(
			'Wallets of wim: no wallet.\n'
		);
		const rows = await auth.audit.list({ action: 'wallets.changed' });
		expect(rows.map(({ detail }) => detail)).toEqual([
			{ from: 'ALPHA, BETA', to: 'none' },
			{ from: 'none', to: 'ALPHA, BETA' }
		]);
	});

	test('grants and limits to nothing that is not configured', async () => {
		const auth = await authOver(database);
		await addPerson(database, 'operator', 'nina');
		const create = ['token', 'create', '--user', 'nina', '--role', 'viewer'];
		const before = await auth.audit.list();
		const daemons = 'There is no daemon "ALHPA". There are: ALPHA, BETA.';
		const chains = 'There is no chain "ALHPA". There are: ALPHA, BETA.';
		for (const [args, sentence] of [
			[['user', 'wallets', 'nina', 'BETA', 'ALHPA'], daemons],
			[['user', 'invite', '--role', 'operator', '--wallets', 'BETA,ALHPA'], daemons],
			[[...create, '--wallet', 'ALHPA'], `--wallet: ${daemons}`],
			[[...create, '--daemon', 'ALHPA'], `--daemon: ${daemons}`],
			[[...create, '--per-day', 'ALHPA=5'], `--per-day: ${chains}`],
			[[...create, '--per-transaction', 'ALHPA=5'], `--per-transaction: ${chains}`]
		] as const) {
			const said = await komodeck([...args]);
			expect(said).toMatchObject({ code: 2, out: '' });
			expect(said.err.split('\n')[0]).toBe(sentence);
		}
		expect(await auth.audit.list()).toEqual(before);
		const limited = ['--wallet', 'ALPHA', '--daemon', 'BETA', '--per-day', 'ALPHA=5'];
		expect((await komodeck([...create, ...limited])).code).toBe(0);
	});

	test('makes no token where a limit is empty, as a variable that is not set leaves it', async () => {
		const auth = await authOver(database);
		await addPerson(database, 'operator', 'tess');
		const made = () => auth.audit.list({ action: 'token.created' });
		const before = await made();
		for (const option of [
			...['method', 'methods', 'daemon', 'daemons', 'wallet', 'address'],
			...['per-transaction', 'per-day', 'recipient']
		]) {
			for (const value of ['', ' , ']) {
				const create = ['token', 'create', '--user', 'tess', '--role', 'viewer'];
				expect(await komodeck([...create, `--${option}`, value])).toMatchObject({
					code: 2,
					out: '',
					err: expect.stringMatching(/^--[a-z-]+ is empty\. Say what it limits to/) as string
				});
			}
		}
		expect(await made()).toEqual(before);
	});

	test('does nothing where an option is one of another act', async () => {
		const auth = await authOver(database);
		await addPerson(database, 'operator', 'otto');
		await auth.audit.checkpointOlderThan(Date.now() + 1000);
		const before = await auth.audit.list();
		for (const [act, option] of [
			['user add olga --role operator', '--wallets=ALPHA'],
			['user wallets otto', '--wallets=ALPHA'],
			['user disable otto', '--reset'],
			['user reset otto', '--role=viewer'],
			['user list', '--role=viewer'],
			['audit drop --older-than 1', '--actor=otto'],
			['audit verify', '--from=2026-01-01'],
			['audit export', '--older-than=30']
		] as const) {
			const said = await komodeck([...act.split(' '), option]);
			const [verb, word] = act.split(' ');
			const name = option.split('=')[0];
			expect(said).toMatchObject({ code: 2, out: '' });
			expect(said.err).toContain(`"${verb} ${word}" takes no ${name}. Nothing was done.`);
		}
		expect(await auth.audit.list()).toEqual(before);
	});

	test('does nothing where an option is unknown, lacks its value, has one too many or is said twice', async () => {
		const auth = await authOver(database);
		await addPerson(database, 'operator', 'una');
		const before = await auth.audit.list();
		for (const [given, sentence] of [
			['user role una --rolle=viewer', 'There is no option --rolle.'],
			['user role una -r viewer', 'There is no option -r.'],
			['user role una --role', '--role lacks its value.'],
			['user invite --role --wallets all', '--role lacks its value.'],
			['user factors una --reset=no', '--reset takes no value.'],
			['user invite --role operator --wallets ALPHA --wallets BETA', 'Say --wallets once.'],
			['token create --user una --role viewer --expires 1 --expires never', 'Say --expires once.'],
			['index reindex ALPHA --from 5 --from 7', 'Say --from once.'],
			['policy approvals 1 --now', 'There is no option --now.'],
			['audit export --kind people --kind tokens', 'Say --kind once.'],
			['migration retry all --now', 'There is no option --now.']
		] as const) {
			const said = await komodeck(given.split(' '));
			expect(said).toMatchObject({ code: 2, out: '' });
			expect(said.err.split('\n')[0]).toBe(`${sentence} Nothing was done.`);
		}
		expect(await auth.audit.list()).toEqual(before);
	});

	test('refuses what makes no sense, with a sentence', async () => {
		const cases: [string[], number, RegExp][] = [
			[['user', 'add', 'dave', '--role', 'king'], 2, /viewer, operator, notary, admin/],
			[['user', 'add', '--role', 'viewer'], 2, /one name/],
			[['token', 'create', '--user', 'nobody', '--role', 'viewer'], 2, /no account named nobody/],
			[['token', 'create', '--user', 'carol', '--role', 'admin'], 1, /at most what its member/],
			[['user', 'dance'], 2, /add, list, wallets, role/],
			[['user', 'role', 'nobody', '--role', 'viewer'], 2, /no account named nobody/],
			[['audit', 'erase'], 2, /audit verify/],
			[['dance'], 2, /Unknown verb "dance"/]
		];
		for (const [args, code, sentence] of cases) {
			const answer = await komodeck(args);
			expect(answer.code).toBe(code);
			expect(answer.err).toMatch(sentence);
			expect(answer.err).not.toMatch(/\bat .*:\d+:\d+/);
		}
	});
});
