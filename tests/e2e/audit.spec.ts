/**
 * The audit log in a browser; and a search for leaked secrets: a tour over every route, the log, the data
 * folder, the command line and a backup, all searched for every secret.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '#lib/server/access/policy/routes.ts';
import { command } from '../support/commandLine.ts';
import { complaintsEveryWay, unfold } from './support/axe.ts';
import { ADMIN, expect, signIn, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

/**
 * Runs the command line on the data of the running application.
 * @returns its output, also on failure
 */
async function komodeck({ dataDir, devnet }: Console, ...args: string[]): Promise<string> {
	const { out, err } = await command({ dataDir }, args, { env: { KOMODO_HOME: devnet.dir } });
	return out + err;
}
const lastWord = (text: string): string => text.trim().split(/\s+/).at(-1) ?? '';

/** All files in a folder and its subfolders. */
function filesOf(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path).isFile());
}

/** Posts a form like a browser without scripts. */
async function post(
	url: string,
	fields: Record<string, string>,
	cookie = ''
): Promise<{ status: number; text: string; cookie: string; location: string }> {
	const answer = await fetch(url, {
		method: 'POST',
		redirect: 'manual',
		headers: {
			origin: new URL(url).origin,
			accept: 'text/html',
			'content-type': 'application/x-www-form-urlencoded',
			...(cookie === '' ? {} : { cookie })
		},
		body: new URLSearchParams(fields)
	});
	return {
		status: answer.status,
		text: await answer.text(),
		cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
		location: answer.headers.get('location') ?? ''
	};
}

const signInBy = (url: string, name: string, password: string) =>
	post(`${url}/login`, { name, password, next: '/' });

/** Status line, headers and body of a response; of an endless response its beginning. */
async function wholeAnswer(url: string, init: RequestInit): Promise<string> {
	const answer = await fetch(url, { redirect: 'manual', ...init });
	const head = `${answer.status} ${JSON.stringify([...answer.headers])}`;
	if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
		await answer.body?.cancel();
		return head;
	}
	return `${head}\n${await answer.text()}`;
}

/** The encodings in which a secret could occur. */
function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const json = JSON.stringify(secret).slice(1, -1);
	return [
		...new Set([
			secret,
			encodeURIComponent(secret),
			json,
			bytes.toString('base64'),
			bytes.toString('hex')
		])
	];
}

// Once its end is cut off, the log no longer vouches for any account.
test.use({ apart: 'audit' });

test('an admin reads, narrows, verifies and takes the log with them', async ({ console, page }) => {
	test.setTimeout(240_000);
	await signInBy(console.url, ADMIN.name, 'not the password');
	await signIn(page);
	await page.goto('/admin/audit');
	const table = page.getByRole('table', { name: 'Events' });
	await expect(table.getByRole('row').nth(1)).toContainText('Logged in');
	await expect(table).toContainText('Login failed');
	await unfold(page);
	await expect(table).toContainText(/request\s*[0-9a-f-]{36}/);
	expect(await complaintsEveryWay(page)).toEqual([]);

	await page.getByRole('button', { name: 'Verify integrity' }).click();
	await expect(page.getByTestId('audit-state')).toContainText(/Integrity verified up to event \d+/);

	await page.getByLabel('Outcome').selectOption('refused');
	await page.getByLabel('From, UTC').fill('2020-01-01');
	await page.getByRole('button', { name: 'Filter', exact: true }).click();
	await expect(page).toHaveURL(/outcome=refused/);
	await expect(table.getByRole('row')).toHaveCount(2);
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('link', { name: 'CSV' }).click()
	]);
	const csv = readFileSync((await file.path())!, 'utf8')
		.trim()
		.split('\r\n');
	expect(csv).toHaveLength(2);
	expect(csv[1]).toContain('sign-in.refused');
	for (const wrong of ['yesterday', '2026-02-30', '2026-02-30T12:00']) {
		await page.goto(`/admin/audit?outcome=refused&from=${wrong}`);
		await expect(page.getByLabel('From, UTC')).toHaveAttribute('aria-invalid', 'true');
		await expect(page.getByLabel('From, UTC')).toHaveValue(wrong);
	}
	// Notices and the page of the policies lead to the events of one action.
	await page.goto('/admin/policies');
	await page.locator('#history').getByRole('link').last().click();
	await expect(page.getByLabel('Action', { exact: true })).toHaveValue('policy.changed');
	await expect(page.getByText('No events match')).toBeVisible();
	await page.getByLabel('Action', { exact: true }).selectOption('Login failed');
	await page.getByRole('button', { name: 'Filter', exact: true }).click();
	await expect(page).toHaveURL(/action=sign-in\.refused/);
	await expect(table.getByRole('row')).toHaveCount(2);
	await expect(table.getByRole('row').nth(1)).toContainText('Login failed');
	await page.goto('/admin/audit?action=rpc.getinfo');
	await expect(page.getByLabel('Action', { exact: true })).toHaveValue('rpc.getinfo');
	await page.goto('/account/events');
	await expect(page.getByRole('table', { name: 'My activity' })).toContainText('Exported this log');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('the log names what each event is about, and leads there', async ({ console, page }) => {
	test.setTimeout(120_000);
	const { url } = console;
	const { cookie } = await signInBy(url, ADMIN.name, ADMIN.password);
	await post(`${url}/admin/safety?/turnOn`, { switch: 'freeze', reason: 'a look' }, cookie);
	await post(`${url}/admin/safety?/turnOff`, { switch: 'freeze' }, cookie);
	await post(`${url}/admin/members?/invite`, { role: 'viewer', name: 'vera' }, cookie);
	const token = {
		kind: 'fungible',
		name: 'AUDITED',
		supply: '250000000',
		description: '',
		data: ''
	};
	const made = await post(`${url}/chains/ALPHA/tokens/new`, token, cookie);
	const migration = await post(
		`${url}/migrations/new`,
		{
			source: 'ALPHA',
			destination: 'BETA',
			address: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92',
			amount: '1.5',
			proof: 'notarized',
			policy: 'automatic'
		},
		cookie
	);
	expect(migration.location, migration.text).toMatch(/^\/migrations\//);
	await signIn(page);
	await page.goto('/admin/audit');
	const target = (words: string) =>
		page.getByRole('table', { name: 'Events' }).getByRole('link', { name: words, exact: true });
	await expect(target('Create 250\u202f000\u202f000 AUDITED')).toHaveAttribute(
		'href',
		made.location
	);
	await expect(target('1.5 ALPHA: ALPHA → BETA')).toHaveAttribute('href', migration.location);
	await expect(target('Freeze sending').first()).toHaveAttribute('href', '/admin/safety#freeze');
	await expect(target('vera, as viewer')).toBeVisible();
	// No code is shown to members instead of words.
	const codes = await page
		.getByRole('table', { name: 'Events' })
		.locator('tbody td:nth-of-type(2)')
		.allInnerTexts();
	expect(codes.filter((text) => /^[a-z-]+\.[a-z-]+$/.test(text.trim()))).toEqual([]);
	// Later tests need the same coins.
	for (const { location } of [made, migration])
		await post(`${url}${location}?/discard`, {}, cookie);
});

test('a member saves a filter of the log under a name, without scripts, and removes it', async ({
	console,
	browser
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const page = await context.newPage();
	await signIn(page);
	await page.goto('/admin/audit?kind=switches&outcome=done');
	await page.getByLabel('Name of this filter').fill('Freezes');
	await page.getByRole('button', { name: 'Save filter' }).click();
	await expect(page.getByText('Filter saved.')).toBeVisible();
	await expect(page.getByLabel('Event type')).toHaveValue('switches');
	await page.goto('/admin/audit');
	await page.getByRole('link', { name: 'Freezes', exact: true }).click();
	await expect(page).toHaveURL('/admin/audit?kind=switches&outcome=done');
	await expect(page.getByLabel('Event type')).toHaveValue('switches');
	await page.getByRole('button', { name: 'Remove the saved filter Freezes' }).click();
	await expect(page.getByText('Filter removed.')).toBeVisible();
	await expect(page.getByRole('link', { name: 'Freezes', exact: true })).toHaveCount(0);
	await context.close();
});

test('nothing that opens something is in an answer, a log, a file or a backup', async ({
	console,
	page
}) => {
	test.setTimeout(240_000);
	const { url, devnet } = console;
	const said: Buffer[] = [];
	for (const stream of [console.process.stdout, console.process.stderr]) {
		stream?.on('data', (part: Buffer) => said.push(part));
	}
	const pin = '826144190733';
	const typedAsName = 'canary-password-in-the-name-field';
	const wrong = 'canary-wrong-password';
	const passphrase = 'canary-wallet-passphrase';
	const { tradingNode } = JSON.parse(readFileSync(join(devnet.dir, 'devnet.json'), 'utf8')) as {
		tradingNode: { password: string };
	};
	const secrets = new Map<string, string>([
		['the admin’s password', ADMIN.password],
		['a wrong password', wrong],
		['a password typed as a name', typedAsName],
		['a passphrase', passphrase],
		['a PIN', pin],
		['the key', readFileSync(join(console.dataDir, 'secret.key'), 'utf8').trim()],
		['the password of the control API', devnet.control.password],
		['the password of the trading node', tradingNode.password],
		...devnet.daemons.map(({ id, password }) => [`the password of ${id}`, password] as const)
	]);

	// Actions that each leave an event; their one-time secrets are searched for.
	const admin = (await signInBy(url, ADMIN.name, ADMIN.password)).cookie;
	secrets.set('a session', admin.split('=')[1] ?? '');
	await signInBy(url, ADMIN.name, wrong);
	await signInBy(url, typedAsName, wrong);
	const linkIn = (text: string): string => /token=([\w-]{20,})/.exec(text)?.[1] ?? '';
	const invited = await post(
		`${url}/admin/members?/invite`,
		{ role: 'operator', name: 'canary' },
		admin
	);
	const invitation = linkIn(invited.text);
	secrets.set('an invitation', invitation);
	const password = 'canary-password-of-a-person';
	secrets.set('the password of a person', password);
	const joined = await post(`${url}/join`, {
		token: invitation,
		name: '',
		password,
		repeat: password
	});
	expect(joined.status).toBe(303);
	const person = joined.cookie;
	secrets.set('the session of a person', person.split('=')[1] ?? '');
	secrets.set(
		'a link for a new password',
		linkIn(await komodeck(console, 'user', 'reset', 'canary'))
	);
	const token = lastWord(
		await komodeck(console, 'token', 'create', '--user', ADMIN.name, '--role', 'operator')
	);
	secrets.set('an API token', token);
	const made = await post(
		`${url}/account?/createToken`,
		{ name: 'canary', role: 'viewer', expires: '90' },
		person
	);
	secrets.set('an API token of a page', /kdk_[\w-]{20,}/.exec(made.text)?.[0] ?? '');
	for (const [what, secret] of secrets) expect(secret.length, what).toBeGreaterThan(7);
	await post(`${url}/admin/safety?/turnOn`, { switch: 'freeze', reason: 'a tour' }, admin);
	await post(`${url}/admin/safety?/turnOff`, { switch: 'freeze' }, admin);

	const reviewed = await post(
		`${url}/chains/ALPHA/tokens/new`,
		{ kind: 'fungible', name: 'CANARYCOIN', supply: '1', description: '', data: '' },
		admin
	);
	expect(reviewed.location, reviewed.text).toMatch(/^\/transactions\//);
	expect((await post(`${url}${reviewed.location}?/send`, {}, admin)).status).toBe(303);
	// Pages and lists show the token once it is confirmed.
	await devnet.control.mine('ALPHA');
	await expect
		.poll(() =>
			wholeAnswer(`${url}/chains/ALPHA/tokens?q=CANARYCOIN`, { headers: { cookie: admin } })
		)
		.toContain('CANARYCOIN</');

	const bearer = { authorization: `Bearer ${token}` };
	const basic = {
		authorization: `Basic ${Buffer.from(`${ADMIN.name}:${token}`).toString('base64')}`
	};
	const call = (method: string, params: unknown[], headers: Record<string, string>) =>
		wholeAnswer(`${url}/api/rpc/ALPHA`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ id: 1, method, params })
		});
	const answers = new Map<string, string>();
	const keep = (what: string, text: string): void => void answers.set(what, text);
	keep('RPC API: a read', await call('getinfo', [], bearer));
	keep('RPC API: a send of nonsense', await call('sendrawtransaction', ['00'], basic));
	keep('RPC API: a passphrase', await call('walletpassphrase', [passphrase, 60], bearer));
	keep('RPC API: a key', await call('importprivkey', [pin], basic));
	keep(
		'RPC API: a wrong token',
		await call('getinfo', [], { authorization: `Bearer ${pin}${pin}` })
	);
	keep(
		'RPC API: no JSON',
		await wholeAnswer(`${url}/api/rpc/ALPHA`, { method: 'POST', headers: bearer, body: '{' })
	);
	const node = (what: string, body: object): Promise<string> =>
		wholeAnswer(`${url}/api/rpc/${what}`, {
			method: 'POST',
			headers: bearer,
			body: JSON.stringify(body)
		});
	const task = { task_id: 1, user_action: { action_type: 'TrezorPin', pin } };
	const nodes = /trading-node[\w:-]*/.exec(
		await wholeAnswer(`${url}/kdf`, { headers: { cookie: admin } })
	);
	const kdfId = nodes?.[0] ?? 'trading-node';
	keep('node: a read', await node(kdfId, { method: 'version', userpass: passphrase }));
	const pinned = { mmrpc: '2.0', method: 'task::init_trezor::user_action', params: task };
	keep('node: a PIN', await node(kdfId, { ...pinned, id: 1 }));
	keep('node: keys', await node(kdfId, { method: 'show_priv_key', coin: pin }));
	for (const kind of ['wrong-password', 'down', 'truncate'] as const) {
		await devnet.control.fault('ALPHA', kind);
		keep(`RPC API: ${kind}`, await call('getblockcount', [], bearer));
		keep(`page: ${kind}`, await wholeAnswer(`${url}/chains/ALPHA`, { headers: { cookie: admin } }));
		keep(
			`daemon: ${kind}`,
			await wholeAnswer(`${url}/daemons/ALPHA`, { headers: { cookie: admin } })
		);
	}
	await devnet.control.fault('ALPHA', 'none');
	// Every route as the admin and as a visitor.
	const { id: tokenid } = await seededToken(devnet);
	const tip = await devnet.rpc<string>('ALPHA', 'getbestblockhash');
	const { tx } = await devnet.rpc<{ tx: string[] }>('ALPHA', 'getblock', tip);
	const people = await wholeAnswer(`${url}/admin/members`, { headers: { cookie: admin } });
	const fill = (route: string): string =>
		route
			.replace('[chain]', 'ALPHA')
			.replace('[tokenid]', tokenid)
			.replace('[txid]', tx[0]!)
			.replace('[address]', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92')
			.replace('/block/[id]', `/block/${tip}`)
			.replace('/blocks/[id]', `/blocks/${tip}`)
			.replace('/daemons/[id]', '/daemons/ALPHA')
			.replace('/admin/members/[id]', /\/admin\/members\/[0-9a-f-]{36}/.exec(people)?.[0] ?? '')
			.replace('/transactions/[id]', reviewed.location)
			.replace('/node/[method]', '/node/sign_message')
			.replace('[method]', 'sendrawtransaction')
			.replace('[coin]', 'RICK')
			.replace('/admin/audit/[file]', '/admin/audit/audit.json')
			.replace('/chains/ALPHA/[file]', '/chains/ALPHA/tokens.csv')
			.replace('[file]', 'chains')
			.replace(/\[[.\w]+\]/g, 'x');
	const paths = Object.entries(routes)
		.filter(([, entry]) => 'GET' in entry)
		.map(([route]) => fill(route));
	const more = [
		'/metrics',
		'/healthz',
		'/readyz',
		'/nowhere',
		'/chains/ALPHA/block/x',
		'/admin/audit/audit.csv'
	];
	for (const path of [...paths, ...more]) {
		for (const cookie of [admin, '']) {
			const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
			keep(`GET ${path}`, await wholeAnswer(`${url}${path}`, { headers }));
			keep(
				`GET ${path} for a program`,
				await wholeAnswer(`${url}${path}`, { headers: { ...headers, accept: 'application/json' } })
			);
		}
		keep(`GET ${path} by token`, await wholeAnswer(`${url}${path}`, { headers: bearer }));
	}
	keep(
		'a used invitation',
		(await post(`${url}/join`, { token: invitation, name: 'x', password, repeat: password })).text
	);
	await page.goto(`/join?token=${invitation}`);
	keep('a used invitation’s page', (await page.content()).replaceAll(invitation, ''));

	await post(`${url}/logout`, {}, person);
	for (const [what, ...args] of [
		['check', 'check'],
		['users', 'user', 'list'],
		['migrations', 'migration', 'list'],
		['the log', 'audit', 'export'],
		['the log as JSON', 'audit', 'export', '--form', 'json'],
		['verify', 'audit', 'verify'],
		['backup', 'backup', join(console.dataDir, 'a.backup')]
	] as const) {
		keep(`command line: ${what}`, await komodeck(console, ...args));
	}
	expect(answers.get('command line: verify')).toContain('Integrity verified');
	expect(answers.get('command line: backup')).toMatch(/^Backed up to /);
	keep('what the server said', Buffer.concat(said).toString());
	for (const file of filesOf(console.dataDir)) {
		if (!file.endsWith('secret.key')) keep(`file ${file}`, readFileSync(file, 'latin1'));
	}

	// The search also finds texts that must be there.
	const there = [...answers.values()].filter((text) => text.includes('CANARYCOIN'));
	expect(there.length).toBeGreaterThan(3);
	const found: string[] = [];
	for (const [what, text] of answers) {
		for (const [secret, value] of secrets) {
			if (formsOf(value).some((form) => text.includes(form))) found.push(`${secret} in ${what}`);
		}
	}
	globalThis.console.info(
		`${secrets.size} secrets looked for in ${answers.size} answers and files`
	);
	expect(found).toEqual([]);

	// Each action is recorded, with the id of its request.
	interface Row {
		actor: string;
		action: string;
		outcome: string;
		place: string | null;
		request: string | null;
	}
	const rows = JSON.parse(answers.get('command line: the log as JSON') ?? '') as Row[];
	const acts = rows.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`);
	for (const act of [
		`${ADMIN.name} sign-in done`,
		`${ADMIN.name} sign-in.refused refused`,
		'visitor sign-in.refused refused',
		`${ADMIN.name} invitation.made done`,
		'canary account.added done',
		'command line password.reset-made done',
		'command line token.created done',
		'canary token.created done',
		`${ADMIN.name} switch.thrown done`,
		`${ADMIN.name} switch.lifted done`,
		`${ADMIN.name} call.refused refused`,
		`${ADMIN.name} send.reviewed done`,
		`${ADMIN.name} send.sent done`,
		`${ADMIN.name} audit.exported done`,
		'canary sign-out done'
	]) {
		expect(acts, act).toContain(act);
	}
	const byHand = rows.filter(({ actor }) => [ADMIN.name, 'canary', 'visitor'].includes(actor));
	expect(byHand.filter(({ request }) => request === null)).toEqual([]);
	expect(rows.find(({ action }) => action === 'send.sent')?.place).toBe('ALPHA');
});

test('a person who cuts the log is found on the page', async ({ console, page }) => {
	await signIn(page);
	await page.goto('/admin/audit');
	await page.getByRole('button', { name: 'Verify integrity' }).click();
	await expect(page.getByTestId('audit-state')).toContainText('Integrity verified');
	const { default: SqliteDatabase } = await import('better-sqlite3');
	const database = new SqliteDatabase(join(console.dataDir, 'komodeck.sqlite'), {
		timeout: 10_000
	});
	database.exec('drop trigger audit_events_no_delete; delete from audit_events where seq = 1');
	database.close();
	await page.getByRole('button', { name: 'Verify integrity' }).click();
	const state = page.getByTestId('audit-state');
	await expect(state).toContainText('Integrity check failed. Event 1 is missing.');
	expect(await complaintsEveryWay(page)).toEqual([]);
});
