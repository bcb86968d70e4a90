/**
 * The tables of who may do what, over real HTTP: every role at every route with GET and POST, and every
 * role's token at every method of the door.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { routes, type Who } from '#lib/server/auth/routes.ts';
import { ACTING_ROLES, EXPECTED, isExpected } from '../support/expectedAccess.ts';
import { expect, test, type Console } from './support/console.ts';

const ROOT = resolve(import.meta.dirname, '../..');
type Role = (typeof ACTING_ROLES)[number];
const PEOPLE = ACTING_ROLES.filter((role) => role !== 'visitor');

const run = promisify(execFile);

/** Runs the command line on the data of the running application. */
async function komodeck(console: Console, ...args: string[]): Promise<string> {
	const { stdout } = await run(process.execPath, ['src/cli/main.ts', ...args], {
		cwd: ROOT,
		env: { ...process.env, KOMODECK_DATA: console.dataDir, KOMODO_HOME: console.devnet.dir }
	});
	return stdout;
}

/** The last word that a command prints: a password or a token. */
const lastWord = (text: string): string => text.trim().split(/\s+/).at(-1) ?? '';

interface Person {
	role: Role;
	cookie: string;
	token: string;
}

async function makePeople(console: Console, prefix: string): Promise<Person[]> {
	const people: Person[] = [{ role: 'visitor', cookie: '', token: '' }];
	for (const role of PEOPLE) {
		const name = `${prefix}-${role}`;
		const password = lastWord(await komodeck(console, 'user', 'add', name, '--role', role));
		const token = lastWord(
			await komodeck(console, 'token', 'create', '--user', name, '--role', role)
		);
		const answer = await fetch(`${console.url}/login`, {
			method: 'POST',
			redirect: 'manual',
			headers: { origin: console.url, 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams({ name, password, next: '/' })
		});
		const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
		expect(cookie, `${role} signs in`).toMatch(/^komodeck_session=.+/);
		people.push({ role, cookie, token });
	}
	return people;
}

/** Whether the guard let a request through: what the page then says of nonsense is not its concern. */
async function letIn(url: string, method: string, cookie: string): Promise<boolean> {
	const answer = await fetch(url, {
		method,
		redirect: 'manual',
		headers: {
			origin: new URL(url).origin,
			...(cookie === '' ? {} : { cookie }),
			...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
		},
		...(method === 'POST' ? { body: '' } : {})
	});
	// Not read to its end: the stream of events has none.
	await answer.body?.cancel();
	if (answer.status === 401 || answer.status === 403) return false;
	const to = answer.headers.get('location') ?? '';
	return !to.includes('/login?next=');
}

test('every role gets in at exactly the routes of the table', async ({ console }) => {
	test.setTimeout(180_000);
	const people = await makePeople(console, 'routes');
	let cases = 0;
	const wrong: string[] = [];
	for (const [routeId, entry] of Object.entries(routes)) {
		for (const [method, who] of Object.entries(entry) as [string, Who][]) {
			// These end the session, or say no to everybody; a POST to a form may build: SELF is nobody else's chain.
			if (routeId === '/logout' || routeId === '/denied') continue;
			const path = routeId
				.replace('[chain]', 'SELF')
				.replace('[tokenid]', 'ab'.repeat(32))
				.replace('[txid]', 'ab'.repeat(32))
				.replace('[address]', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92')
				.replace('[id]', '1');
			for (const { role, cookie } of people) {
				cases += 1;
				const got = await letIn(`${console.url}${path}`, method, cookie);
				if (got !== isExpected(who, role, true)) wrong.push(`${role} ${method} ${routeId}: ${got}`);
			}
		}
	}
	globalThis.console.info(`${cases} cases of role, route and method`);
	expect(wrong).toEqual([]);
});

test('every role’s token calls exactly the methods of its role at the door', async ({
	console
}) => {
	test.setTimeout(180_000);
	const people = (await makePeople(console, 'methods')).filter(({ token }) => token !== '');
	let cases = 0;
	const wrong: string[] = [];
	for (const { role, token } of people) {
		for (const [method, { access }] of Object.entries(daemonMethods)) {
			cases += 1;
			// A parameter too many for every method: nothing is done, and the answer shows who refused.
			const params = JSON.stringify(Array.from({ length: 9 }, () => null));
			const answer = await fetch(`${console.url}/api/rpc/SELF`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}` },
				body: `{"id":1,"method":"${method}","params":${params}}`
			});
			const text = await answer.text();
			const refused = /may not call/.test(text);
			const expected = access !== 'never' && EXPECTED[access][role];
			if (refused === expected)
				wrong.push(`${role} ${method}: ${answer.status} ${text.slice(0, 120)}`);
		}
	}
	globalThis.console.info(`${cases} cases of role and method at the door`);
	expect(wrong).toEqual([]);
});

test('without a token, or with a wrong one, the door stays shut', async ({ console }) => {
	for (const headers of [
		undefined,
		{ authorization: 'Bearer nonsense' },
		{ authorization: 'Basic eDp5' }
	]) {
		const answer = await fetch(`${console.url}/api/rpc/ALPHA`, {
			method: 'POST',
			...(headers ? { headers } : {}),
			body: '{"id":1,"method":"getinfo","params":[]}'
		});
		expect(answer.status).toBe(401);
		expect(answer.headers.get('www-authenticate')).toContain('Basic');
	}
});
