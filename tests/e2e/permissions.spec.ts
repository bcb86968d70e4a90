/**
 * The tables of permissions, over real HTTP: every role at every route with GET and POST, and at every method
 * of the RPC API, each with session, Bearer token and Basic credentials.
 */
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { changesNothing } from '#lib/rpc/method.ts';
import { addAccount } from '#lib/server/access/accounts/accounts.ts';
import { ROLES, type ActingRole, type Role } from '#lib/server/access/identity/roles.ts';
import { routes, type Who } from '#lib/server/access/policy/routes.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { withAuth } from '../../src/cli/withAuth.ts';
import { EXPECTED, isExpected } from '../support/expectedAccess.ts';
import { expect, test, type Console } from './support/console.ts';

/** Opens the data of the running application, like its command line. */
const withData = <T>(console: Console, use: Parameters<typeof withAuth<T>>[1]): Promise<T> =>
	withAuth({ KOMODECK_DATA: console.dataDir }, use);

interface Person {
	role: ActingRole;
	name: string;
	cookie: string;
	token: string;
}

/** The kinds of credentials. */
const WAYS = ['session', 'Bearer', 'Basic'] as const;
/** Kinds of routes that no API token opens. */
const SESSION_ONLY: readonly Who[] = ['own-session', 'label', 'administer'];
type Way = (typeof WAYS)[number];

function headersOf({ name, cookie, token }: Person, way: Way): Record<string, string> {
	if (token === '') return {};
	if (way === 'session') return { cookie };
	if (way === 'Bearer') return { authorization: `Bearer ${token}` };
	return { authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}` };
}

/** Runs the cases some at a time, and returns their results in order. */
async function each<T, R>(cases: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
	const answers: R[] = [];
	for (let at = 0; at < cases.length; at += 16) {
		answers.push(...(await Promise.all(cases.slice(at, at + 16).map(run))));
	}
	return answers;
}

let made: Promise<Person[]> | undefined;

/** One member of each role, the same for all tests of this file. */
function everybody(console: Console): Promise<Person[]> {
	made ??= makePeople(console);
	return made;
}

async function makePeople(console: Console): Promise<Person[]> {
	const people: Person[] = [{ role: 'visitor', name: '', cookie: '', token: '' }];
	const password = 'a long enough password';
	const tokens = await withData(console, async ({ tokens: own, audit }, db) => {
		const wallets = createWallets(db, audit);
		const made = new Map<Role, string>();
		for (const role of ROLES) {
			const account = await db.transaction().execute(async (trx) => {
				const added = await addAccount(trx, { name: `all-${role}`, role, password });
				await audit.append({ actor: 'a test', action: 'account.added', target: added.name }, trx);
				return added;
			});
			await wallets.set(null, account.id, { every: true, daemons: [] });
			made.set(role, (await own.create({ account, name: 'all', role }, account)).token);
		}
		return made;
	});
	for (const [role, token] of tokens) {
		const name = `all-${role}`;
		const answer = await fetch(`${console.url}/login`, {
			method: 'POST',
			redirect: 'manual',
			headers: { origin: console.url, 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams({ name, password, next: '/' })
		});
		const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
		expect(cookie, `${role} signs in`).toMatch(/^(?:__Host-)?komodeck_session=.+/);
		people.push({ role, name, cookie, token });
	}
	return people;
}

/** Whether the guard let a request through; the page's response to invalid input does not matter. */
async function letIn(
	url: string,
	method: string,
	credential: Record<string, string>
): Promise<boolean> {
	const answer = await fetch(url, {
		method,
		redirect: 'manual',
		headers: {
			origin: new URL(url).origin,
			...credential,
			...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
		},
		...(method === 'POST' ? { body: '' } : {})
	});
	// The rest is not read: the event stream is endless.
	await answer.body?.cancel();
	if (answer.status === 401 || answer.status === 403) return false;
	const to = answer.headers.get('location') ?? '';
	return !to.includes('/login?next=');
}

test('every role gets in at exactly the routes of the table, whatever it shows', async ({
	console
}) => {
	test.setTimeout(300_000);
	const people = await everybody(console);
	const cases = Object.entries(routes)
		// These end the session, or refuse everyone; a POST to a form may build: no other test uses the chain
		// SELF.
		.filter(([routeId]) => routeId !== '/logout' && routeId !== '/denied')
		.flatMap(([routeId, entry]) =>
			(Object.entries(entry) as [string, Who][]).flatMap(([method, who]) =>
				people.flatMap((person) =>
					WAYS.filter((way) => way === 'session' || person.token !== '').map((way) => ({
						routeId,
						method,
						who,
						person,
						way
					}))
				)
			)
		);
	const wrong = await each(cases, async ({ routeId, method, who, person, way }) => {
		const path = routeId
			.replace('[chain]', 'SELF')
			.replace('[tokenid]', 'ab'.repeat(32))
			.replace('[txid]', 'ab'.repeat(32))
			.replace('[address]', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92')
			.replace('[id]', '1');
		const got = await letIn(`${console.url}${path}`, method, headersOf(person, way));
		// Routes about a member's own login are not for scripts.
		const expected =
			isExpected(who, person.role, true) && (way === 'session' || !SESSION_ONLY.includes(who));
		return got === expected ? [] : [`${person.role} by ${way} ${method} ${routeId}: ${got}`];
	});
	globalThis.console.info(`${cases.length} cases of role, way in, route and method`);
	expect(wrong.flat()).toEqual([]);
});

/**
 * The RPC API's response to a call with an excess parameter: nothing is done, and it shows who refused the
 * call.
 */
async function answerAt(
	console: Console,
	method: string,
	credential: Record<string, string>
): Promise<string> {
	const params = JSON.stringify(Array.from({ length: 9 }, () => null));
	const answer = await fetch(`${console.url}/api/rpc/SELF`, {
		method: 'POST',
		headers: { origin: console.url, ...credential },
		body: `{"id":1,"method":"${method}","params":${params}}`
	});
	return answer.text();
}

test('every role calls exactly the methods of its role at the RPC API, whatever it shows', async ({
	console
}) => {
	test.setTimeout(300_000);
	const people = (await everybody(console)).filter(({ token }) => token !== '');
	const cases = people.flatMap((person) =>
		WAYS.flatMap((way) =>
			Object.entries(daemonMethods).map(([method, { access }]) => ({ person, way, method, access }))
		)
	);
	const wrong = await each(cases, async ({ person, way, method, access }) => {
		const text = await answerAt(console, method, headersOf(person, way));
		const refused = /may not call/.test(text);
		const expected = access !== 'never' && EXPECTED[access][person.role];
		return refused !== expected
			? []
			: [`${person.role} by ${way} ${method}: ${text.slice(0, 120)}`];
	});
	globalThis.console.info(`${cases.length} cases of role, way in and method at the RPC API`);
	expect(wrong.flat()).toEqual([]);
});

test('without the wallet, every role but the admin’s only reads there, whatever it shows', async ({
	console
}) => {
	test.setTimeout(300_000);
	const people = (await everybody(console)).filter(({ token }) => token !== '');
	await withData(console, async ({ audit }, db) => {
		const wallets = createWallets(db, audit);
		for (const { name } of people) {
			const id = (await wallets.userOf(name))?.id ?? '';
			await wallets.set(null, id, { every: false, daemons: ['ALPHA'] });
		}
	});
	const cases = people.flatMap((person) =>
		WAYS.flatMap((way) =>
			Object.entries(daemonMethods)
				.filter(([, { access }]) => access !== 'never' && EXPECTED[access][person.role])
				.map(([method, { access }]) => ({ person, way, method, access }))
		)
	);
	const wrong = await each(cases, async ({ person, way, method, access }) => {
		const text = await answerAt(console, method, headersOf(person, way));
		const refused = /have access to the \S+ wallet/.test(text);
		const uses = !changesNothing(access) || access === 'wallet-query';
		const expected = uses && person.role !== 'admin';
		return refused === expected
			? []
			: [`${person.role} by ${way} ${method}: ${text.slice(0, 120)}`];
	});
	globalThis.console.info(`${cases.length} cases of role, way in and method without the wallet`);
	expect(wrong.flat()).toEqual([]);
});

test('without a token, or with a wrong one, the RPC API stays shut', async ({ console }) => {
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
