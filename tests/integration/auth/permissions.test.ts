import { beforeAll, describe, expect, test } from 'vitest';
import { ACCESS, mayAccess } from '#lib/server/access/policy/permissions.ts';
import { ROLES, type ActingRole } from '#lib/server/access/identity/roles.ts';
import { routes, type RouteAccess, type Who } from '#lib/server/access/policy/routes.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { guard } from '#lib/server/access/requests/guard.ts';
import type { HeaderReader } from '#lib/server/platform/http/cookies.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { ACTING_ROLES, EXPECTED, isExpected, METHODS } from '../../support/expectedAccess.ts';
import { addPerson, authOver, HERE, signInAs } from '../../support/members.ts';

const ours = { host: 'deck.example', origin: 'http://deck.example' };

describe('roles and method classes', () => {
	for (const access of ACCESS) {
		for (const role of ACTING_ROLES) {
			for (const publicBrowsing of [true, false]) {
				const expected = access !== 'never' && isExpected(access, role, publicBrowsing);
				test(`${role} ${expected ? 'may' : 'may not'} ${access}, browsing ${publicBrowsing ? 'public' : 'closed'}`, () => {
					expect(mayAccess(role, access, publicBrowsing)).toBe(expected);
				});
			}
		}
	}
});

describeOnBothDatabases('routes', (database) => {
	let auth: Auth;
	const sessions = new Map<ActingRole, HeaderReader>();
	const tokens = new Map<ActingRole, HeaderReader>();
	const basics = new Map<ActingRole, HeaderReader>();
	const limited = new Map<ActingRole, HeaderReader>();

	beforeAll(async () => {
		auth = await authOver(database);
		sessions.set('visitor', new Headers(ours));
		for (const role of ROLES) {
			const account = await addPerson(database, role);
			const id = await signInAs(auth, account);
			sessions.set(
				role,
				new Headers({ ...ours, cookie: auth.sessions.cookie(id, false).name + '=' + id })
			);
			const make = async (methods: string[] | null): Promise<string> =>
				(await auth.tokens.create({ account, name: 'x', role, methods }, account)).token;
			const shown = (authorization: string): HeaderReader =>
				new Headers({ host: 'deck.example', authorization });
			const token = await make(null);
			tokens.set(role, shown(`Bearer ${token}`));
			basics.set(role, shown(`Basic ${btoa(`${account.name}:${token}`)}`));
			limited.set(role, shown(`Bearer ${await make(['getinfo'])}`));
		}
	});

	const ask = async (
		table: Readonly<Record<string, RouteAccess>>,
		routeId: string | null,
		method: string,
		headers: HeaderReader | undefined,
		publicBrowsing = false
	): Promise<string> => {
		if (!headers) throw new Error('No such caller.');
		const { refusal } = await guard({ ...auth, publicBrowsing }, table, {
			routeId,
			method,
			actions: [],
			named: undefined,
			headers,
			address: HERE
		});
		return refusal?.code ?? 'allowed';
	};

	/** Kinds of routes that no token opens. */
	const SESSION_ONLY: readonly Who[] = ['own-session', 'label', 'administer'];

	/** The expected result of the table for one caller. */
	function expectedAnswer(
		who: Who | undefined,
		role: ActingRole,
		publicBrowsing: boolean,
		via: 'session' | 'token' | 'limited token'
	): string {
		if (who === undefined) return 'method-not-allowed';
		const allowed =
			isExpected(who, role, publicBrowsing) &&
			(via === 'session' || !SESSION_ONLY.includes(who)) &&
			(via !== 'limited token' || ['anyone', 'anonymous'].includes(who));
		if (allowed) return 'allowed';
		if (role === 'visitor') return 'sign-in-needed';
		const byRole = isExpected(who, role, publicBrowsing);
		if (!byRole) return 'forbidden';
		return SESSION_ONLY.includes(who) ? 'session-only' : 'token-limited';
	}

	const whoOf = (entry: RouteAccess, method: string): Who | undefined =>
		method === 'GET' || method === 'HEAD' ? entry.GET : method === 'POST' ? entry.POST : undefined;

	/** A route of every kind, in addition to the existing ones. */
	const everyKind: Record<string, RouteAccess> = Object.fromEntries(
		(Object.keys(EXPECTED) as Who[]).map((who) => [`/kind/${who}`, { GET: who, POST: who }])
	);
	const table: Record<string, RouteAccess> = { ...routes, ...everyKind };
	// The caller's identity depends on the database, the requirements of routes do not: only one database runs
	// all routes.
	const tried = Object.entries(database.dialect === 'SQLite' ? table : everyKind);

	test('every role gets exactly what the table says, at every route with every method', async () => {
		let cases = 0;
		for (const [routeId, entry] of tried) {
			for (const method of METHODS) {
				for (const role of ACTING_ROLES) {
					for (const publicBrowsing of [true, false]) {
						const expected = expectedAnswer(whoOf(entry, method), role, publicBrowsing, 'session');
						const got = await ask(table, routeId, method, sessions.get(role), publicBrowsing);
						expect(`${role} ${method} ${routeId}: ${got}`).toBe(
							`${role} ${method} ${routeId}: ${expected}`
						);
						cases += 1;
					}
				}
			}
		}
		console.info(`${cases} cases of role, route and method by session`);
		expect(cases).toBeGreaterThan(database.dialect === 'SQLite' ? 1000 : 500);
	});

	test('tokens get the same, but not where a person is needed; limited ones only the RPC API', async () => {
		let cases = 0;
		for (const [routeId, entry] of tried) {
			for (const method of ['GET', 'POST']) {
				for (const role of ROLES) {
					for (const [via, callers] of [
						['token', tokens],
						['token', basics],
						['limited token', limited]
					] as const) {
						const got = await ask(table, routeId, method, callers.get(role));
						expect(`${via} of ${role} ${method} ${routeId}: ${got}`).toBe(
							`${via} of ${role} ${method} ${routeId}: ${expectedAnswer(whoOf(entry, method), role, false, via)}`
						);
						cases += 1;
					}
				}
			}
		}
		console.info(`${cases} cases of role, route and method by token`);
	});

	test('what no table lists is refused for everybody', async () => {
		for (const routeId of [null, '/nowhere', '', '__proto__', 'constructor', 'toString']) {
			for (const role of ACTING_ROLES) {
				expect(await ask(table, routeId, 'GET', sessions.get(role), true)).toBe('not-found');
			}
		}
	});

	test('another site’s page gets nowhere with a person’s cookie', async () => {
		const admin = sessions.get('admin');
		for (const foreign of [
			{ origin: 'http://evil.example' },
			{ origin: 'null' },
			{ origin: null },
			{ origin: null, 'sec-fetch-site': 'cross-site' }
		]) {
			const headers: HeaderReader = {
				get: (name) =>
					Object.hasOwn(foreign, name)
						? ((foreign as Record<string, string | null>)[name] ?? null)
						: (admin?.get(name) ?? null)
			};
			for (const [routeId, entry] of tried) {
				const expected = whoOf(entry, 'POST') === 'anonymous' ? 'allowed' : 'foreign-origin';
				expect(await ask(table, routeId, 'POST', headers)).toBe(expected);
			}
		}
	});

	test('where anonymous callers get in from any site, nobody is anybody: no session and no token counts', async () => {
		const foreign = { origin: 'http://evil.example' };
		const cookie = sessions.get('admin')?.get('cookie') ?? '';
		const authorization = tokens.get('admin')?.get('authorization') ?? '';
		const shown: Record<string, string>[] = [
			{ cookie },
			{ authorization },
			{ authorization: 'Bearer kdk_wrong' }
		];
		for (const more of shown) {
			const headers = new Headers({ ...ours, ...foreign, ...more });
			const answer = await guard({ ...auth, publicBrowsing: false }, table, {
				routeId: '/api/notary-approvals/[txid]',
				method: 'POST',
				actions: [],
				named: undefined,
				headers,
				address: HERE
			});
			expect(answer.refusal).toBeNull();
			expect(answer.identity).toMatchObject({ via: 'public', role: 'visitor', account: null });
		}
	});

	test('a wrong token is refused even where a visitor gets in', async () => {
		const headers = new Headers({ authorization: 'Bearer kdk_wrong' });
		expect(await ask(table, '/login', 'GET', headers, true)).toBe('token-invalid');
	});
});
