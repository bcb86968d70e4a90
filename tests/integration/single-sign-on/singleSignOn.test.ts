/** Single sign-on with a real OpenID provider, over HTTP, on both databases. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import type { SignOnConfig } from '#lib/server/platform/config/types.ts';
import { VISITOR, type Account, type Identity } from '#lib/server/access/identity/identity.ts';
import { routes } from '#lib/server/access/policy/routes.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { guard } from '#lib/server/access/requests/guard.ts';
import type { NewFlow } from '#lib/server/access/single-sign-on/flows.ts';
import { createSignInRefusals } from '#lib/server/access/accounts/signInRefusals.ts';
import {
	createSingleSignOn,
	type Finished,
	type SingleSignOn
} from '#lib/server/access/single-sign-on/singleSignOn.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, PASSWORD, signInAs, withSession } from '../../support/members.ts';
import {
	CLIENT,
	CookieJar,
	logInAt,
	logOutAt,
	startProvider,
	type TestProvider
} from '../../support/provider/provider.ts';
import { addApp, codeAt, nextCode, sessionOf } from '../second-factors/support.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

const ORIGIN = 'http://localhost:4999';
const ADDRESS = '192.0.2.7';

let provider: TestProvider;
/** Logout tokens that the provider sent. */
const logouts: string[] = [];
const receiver = createServer((request, response) => {
	let body = '';
	request.on('data', (part: Buffer) => void (body += part.toString()));
	request.on('end', () => {
		logouts.push(new URLSearchParams(body).get('logout_token') ?? '');
		response.end();
	});
});
beforeAll(async () => {
	const port = await listening(receiver);
	provider = await startProvider(
		`${ORIGIN}/login/provider/callback`,
		`http://127.0.0.1:${port}/login/provider/logout`
	);
});
afterAll(async () => {
	await provider?.stop();
	await closeAtOnce(receiver);
});

describeOnBothDatabases('single sign-on', (database) => {
	let auths = 0;
	const configOf = (more: Partial<SignOnConfig> = {}): SignOnConfig => ({
		issuer: provider.issuer,
		...CLIENT,
		scopes: 'openid profile email',
		roleClaim: null,
		roles: [],
		accounts: 'first-login',
		label: 'Example ID',
		domains: [],
		...more
	});
	/** The sign-in code with a provider of this configuration. */
	async function authWith(
		more: Partial<SignOnConfig> = {}
	): Promise<Auth & { signOn: SingleSignOn }> {
		auths += 1;
		const config = configOf(more);
		const auth = await authOver(database, {
			signOn: { config, origin: ORIGIN, privateServers: [] }
		});
		if (auth.signOn === null) throw new Error('Single sign-on is off.');
		return { ...auth, signOn: auth.signOn };
	}

	interface Walk {
		flow?: Partial<NewFlow>;
		identity?: Identity;
		jar?: CookieJar;
		/** The device cookie of an earlier login. */
		device?: string | null;
	}
	/** Goes from the login button to the end of the flow. */
	async function walk(
		auth: { signOn: SingleSignOn },
		subject: string,
		how: Walk = {}
	): Promise<Finished> {
		const cookie = await auth.signOn.begin({ purpose: 'sign-in', next: '/', ...how.flow });
		const url = (await auth.signOn.urlFor(cookie)) ?? '';
		const back = await logInAt(provider, url, subject, how.jar);
		expect(back.origin + back.pathname).toBe(`${ORIGIN}/login/provider/callback`);
		return auth.signOn.finish({
			query: back.searchParams,
			cookie,
			identity: how.identity ?? VISITOR,
			address: ADDRESS,
			userAgent: 'a browser',
			previousSessionId: null,
			device: () => how.device ?? null
		});
	}
	const signedIn = async (auth: Auth & { signOn: SingleSignOn }, subject: string) => {
		const finished = await walk(auth, subject);
		if (finished.kind !== 'signed-in') throw new Error(JSON.stringify(finished));
		return finished;
	};
	const refusal = (finished: Finished): string =>
		finished.kind === 'refused' ? finished.error.code : finished.kind;
	/** A member with a password and a session. */
	async function localMember(auth: Auth, role: Account['role'] = 'operator', name?: string) {
		const account = await addPerson(database, role, name);
		const sessionId = await signInAs(auth, account);
		return { account, sessionId, identity: await auth.identify(withSession(sessionId), ADDRESS) };
	}
	const flowOf = ({ account, identity }: { account: Account; identity: Identity }) => ({
		accountId: account.id,
		sessionHash: identity.via === 'session' ? identity.session.idHash : ''
	});
	let subjects = 0;
	const someone = (): string => `subject-${auths}-${(subjects += 1)}`;

	test('makes no account before the first admin, except one whom the provider makes an admin', async () => {
		const auth = await authWith();
		expect(refusal(await walk(auth, someone()))).toBe('sign-on.not-set-up');
		expect(await auth.members.list()).toEqual([]);
		expect(await auth.setup.createLink()).not.toBeNull();
		const mapped = await authWith({
			roleClaim: ['groups'],
			roles: [
				['crew', 'operator'],
				['admins', 'admin']
			]
		});
		const subject = someone();
		await provider.claimsOf(subject, { groups: ['crew'] });
		expect(refusal(await walk(mapped, subject))).toBe('sign-on.not-set-up');
		await provider.claimsOf(subject, { groups: ['admins'] });
		expect((await signedIn(mapped, subject)).account.role).toBe('admin');
		expect((await signedIn(auth, someone())).account.role).toBe('viewer');
	});

	test('makes an account at the first login and finds it at the next, with events that say how', async () => {
		const auth = await authWith();
		await addPerson(database, 'admin');
		const subject = someone();
		const first = await signedIn(auth, subject);
		expect(first.account).toMatchObject({ name: subject, role: 'viewer' });
		const next = await signedIn(auth, subject);
		expect(next.account.id).toBe(first.account.id);
		const session = await auth.sessions.validate(next.sessionId);
		expect(session?.session.issuer).toBe(provider.issuer);
		const events = await auth.audit.list({ actor: subject });
		expect(events.map(({ action }) => action)).toEqual([
			'sign-in',
			'sign-in',
			'identity.linked',
			'account.added'
		]);
		expect(events[0]?.detail).toMatchObject({ how: 'single sign-on', address: ADDRESS });
		expect(JSON.stringify(events)).not.toContain(CLIENT.clientSecret);
	});

	test('shows the address that the provider has of a member now', async () => {
		const auth = await authWith();
		const subject = someone();
		const shown = async (email: string) => {
			await provider.claimsOf(subject, { email });
			const { account } = await signedIn(auth, subject);
			return (await auth.signOn.identitiesOf(account.id)).map(({ label }) => label);
		};
		expect(await shown('maiden@example.org')).toEqual(['maiden@example.org']);
		expect(await shown('married@example.org')).toEqual(['married@example.org']);
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('lets only those in who were invited, where accounts are made by invitation', async () => {
		const auth = await authWith({ accounts: 'invitation' });
		const admin = await addPerson(database, 'admin');
		const subject = someone();
		expect(refusal(await walk(auth, subject))).toBe('sign-on.no-account');
		const { token } = await auth.links.invite(admin, { role: 'operator', name: 'by-invitation' });
		const linkId = (await auth.links.invitationId(token)) ?? '';
		const joined = await walk(auth, subject, { flow: { purpose: 'join', linkId } });
		expect(joined).toMatchObject({
			kind: 'signed-in',
			account: { name: 'by-invitation', role: 'operator' }
		});
		expect((await signedIn(auth, subject)).account.name).toBe('by-invitation');
		const again = await walk(auth, someone(), { flow: { purpose: 'join', linkId } });
		expect(refusal(again)).toBe('account.link-unusable');
	});

	test('takes no account over that has the same name or address, and gives the newcomer another name', async () => {
		const auth = await authWith();
		const { account } = await localMember(auth, 'operator', `taken-${auths}`);
		const subject = someone();
		await provider.claimsOf(subject, {
			preferred_username: account.name,
			email: `${account.name}@example.org`,
			email_verified: true
		});
		const { account: newcomer } = await signedIn(auth, subject);
		expect(newcomer.id).not.toBe(account.id);
		expect(newcomer.name).toBe(`${account.name}-2`);
		expect(await auth.signOn.identitiesOf(account.id)).toEqual([]);
	});

	test('takes the role from the claim at every login, on record, and never the last admin', async () => {
		const auth = await authWith({
			roleClaim: ['groups'],
			roles: [
				['admins', 'admin'],
				['team', 'operator']
			]
		});
		const subject = someone();
		await provider.claimsOf(subject, { groups: ['other', 'team', 'admins'] });
		const first = await signedIn(auth, subject);
		expect(first.account.role).toBe('admin');
		await provider.claimsOf(subject, { groups: ['team'] });
		expect((await signedIn(auth, subject)).account.role).toBe('operator');
		const [changed] = await auth.audit.list({ action: 'account.role-changed' });
		expect(changed).toMatchObject({
			actor: 'configuration',
			target: subject,
			detail: { from: 'admin', to: 'operator', by: 'single sign-on' }
		});
		await provider.claimsOf(subject, { groups: ['strangers'] });
		expect(refusal(await walk(auth, subject))).toBe('sign-on.no-role');

		await provider.claimsOf(subject, { groups: ['admins'] });
		const admin = await signedIn(auth, subject);
		for (const other of await auth.members.list()) {
			if (other.role === 'admin' && other.id !== admin.account.id) {
				await auth.members.disable(null, other.id);
			}
		}
		await provider.claimsOf(subject, { groups: ['team'] });
		expect((await signedIn(auth, subject)).account.role).toBe('admin');
	});

	test('keeps out whose account is disabled here, and whose row was written by hand', async () => {
		const auth = await authWith();
		await addPerson(database, 'admin');
		const subject = someone();
		const { account } = await signedIn(auth, subject);
		await auth.members.disable(null, account.id);
		expect(refusal(await walk(auth, subject))).toBe('sign-on.disabled');
		const victim = await addPerson(database, 'admin');
		const forged = someone();
		await database.db
			.insertInto('identities')
			.values({
				issuer: provider.issuer,
				subject: forged,
				account_id: victim.id,
				label: forged,
				linked_at: 1
			})
			.execute();
		expect(refusal(await walk(auth, forged))).toBe('account.changed-outside');
	});

	test('lets only verified addresses of the named domains in', async () => {
		const auth = await authWith({ domains: ['example.org'] });
		const subject = someone();
		for (const [claims, outcome] of [
			[{ email: 'a@example.org', email_verified: false }, 'sign-on.domain'],
			[{ email: 'a@example.org.evil.example', email_verified: true }, 'sign-on.domain'],
			[{}, 'sign-on.domain'],
			[{ email: 'A@Example.org', email_verified: true }, 'signed-in']
		] as const) {
			await provider.claimsOf(subject, claims);
			expect(refusal(await walk(auth, subject)), JSON.stringify(claims)).toBe(outcome);
		}
	});

	test('refuses a browser that comes back with any other state, in letters of several bytes too', async () => {
		const auth = await authWith();
		const cookie = await auth.signOn.begin({ purpose: 'sign-in', next: '/' });
		for (const state of ['', 'a'.repeat(43), 'é'.repeat(43), `${'a'.repeat(42)}é`]) {
			const finished = await auth.signOn.finish({
				query: new URLSearchParams({ state, code: 'any', iss: provider.issuer }),
				cookie,
				identity: VISITOR,
				address: ADDRESS,
				userAgent: null,
				previousSessionId: null,
				device: () => null
			});
			expect(refusal(finished), state).toBe('sign-on.flow-unknown');
		}
	});

	test('is linked by the member in their own session alone, and only once', async () => {
		const auth = await authWith();
		const member = await localMember(auth);
		const subject = someone();
		const flow = { purpose: 'link', ...flowOf(member) } as const;
		const other = await localMember(auth);
		expect(refusal(await walk(auth, subject, { flow, identity: other.identity }))).toBe(
			'sign-on.flow-unknown'
		);
		expect(refusal(await walk(auth, subject, { flow }))).toBe('sign-on.flow-unknown');
		expect(refusal(await walk(auth, subject, { flow, identity: member.identity }))).toBe('linked');
		expect((await signedIn(auth, subject)).account.id).toBe(member.account.id);
		const theirs = { purpose: 'link', ...flowOf(other) } as const;
		const taken = await walk(auth, subject, { flow: theirs, identity: other.identity });
		expect(refusal(taken)).toBe('sign-on.other-member');
		const second = await walk(auth, someone(), { flow, identity: member.identity });
		expect(refusal(second)).toBe('sign-on.linked-already');
	});

	test('is not linked once the session was ended in which that was asked', async () => {
		const auth = await authWith();
		const member = await localMember(auth);
		const flow = { purpose: 'link', ...flowOf(member) } as const;
		await auth.members.endSessions(null, member.account.id);
		const late = await walk(auth, someone(), { flow, identity: member.identity });
		expect(refusal(late)).toBe('sign-on.flow-unknown');
		expect(await auth.signOn.identitiesOf(member.account.id)).toEqual([]);
	});

	test('lets nobody in whose link an admin takes away at the same moment', async () => {
		const auth = await authWith();
		const admin = await addPerson(database, 'admin');
		const subject = someone();
		const { account } = await signedIn(auth, subject);
		await auth.members.endSessions(null, account.id);
		const cookie = await auth.signOn.begin({ purpose: 'sign-in', next: '/' });
		const back = await logInAt(provider, (await auth.signOn.urlFor(cookie)) ?? '', subject);
		let unlinked: Promise<boolean> | null = null;
		const finished = await auth.signOn.finish({
			query: back.searchParams,
			cookie,
			identity: VISITOR,
			address: ADDRESS,
			userAgent: 'a browser',
			previousSessionId: null,
			// Asked once the identity was found, and before its session begins.
			device() {
				unlinked = auth.signOn.unlinkOf(admin, account, { issuer: provider.issuer, subject });
				return null;
			}
		});
		expect(await unlinked).toBe(true);
		// Depending on the order, no session is begun, or it ends with the link.
		expect(['signed-in', 'sign-on.no-account']).toContain(
			finished.kind === 'signed-in' ? 'signed-in' : refusal(finished)
		);
		expect(await auth.sessions.list(account.id)).toEqual([]);
	});

	test('is unlinked while there is another way in, and never when it is the last', async () => {
		const auth = await authWith();
		const member = await localMember(auth);
		const subject = someone();
		const flow = { purpose: 'link', ...flowOf(member) } as const;
		await walk(auth, subject, { flow, identity: member.identity });
		const identity = { issuer: provider.issuer, subject };
		const stranger = await localMember(auth);
		expect(await auth.signOn.unlink(stranger.account, identity)).toBe(false);
		expect(await auth.signOn.unlink(member.account, identity)).toBe(true);
		const [event] = await auth.audit.list({ action: 'identity.unlinked' });
		expect(event).toMatchObject({ actor: member.account.name, detail: { subject } });

		const only = someone();
		const { account } = await signedIn(auth, only);
		const last = { issuer: provider.issuer, subject: only };
		await expect(auth.signOn.unlink(account, last)).rejects.toMatchObject({
			code: 'sign-on.last-way'
		});
		await expect(signInAs(auth, account, { password: '' })).rejects.toMatchObject({
			code: 'account.wrong-credentials'
		});
	});

	test('finds what is linked however the configuration writes the issuer', async () => {
		const auth = await authWith();
		const member = await localMember(auth);
		const subject = someone();
		const flow = { purpose: 'link', ...flowOf(member) } as const;
		await walk(auth, subject, { flow, identity: member.identity });
		const linked = { issuer: provider.issuer, subject };
		for (const issuer of [
			`${provider.issuer}/`,
			provider.issuer.replace('localhost', 'LOCALHOST')
		]) {
			const { signOn } = await authWith({ issuer });
			expect(await signOn.identitiesHere(member.account.id)).toMatchObject([linked]);
			expect([...(await signOn.linkedAccounts())]).toContain(member.account.id);
		}
		const { signOn } = await authWith({ issuer: 'http://localhost:1' });
		expect(await signOn.identitiesHere(member.account.id)).toEqual([]);
		expect([...(await signOn.linkedAccounts())]).not.toContain(member.account.id);
	});

	test('counts as another way in an identity at the same provider, and none at another', async () => {
		const auth = await authWith({ issuer: `${provider.issuer}/` });
		const subject = someone();
		const { account } = await signedIn(auth, subject);
		const addIdentity = (issuer: string) =>
			database.db
				.insertInto('identities')
				.values({ issuer, subject: 'other', account_id: account.id, label: '', linked_at: 1 })
				.execute();
		const unlink = () => auth.signOn.unlink(account, { issuer: provider.issuer, subject });
		await addIdentity('http://localhost:1');
		await expect(unlink()).rejects.toMatchObject({ code: 'sign-on.last-way' });
		await addIdentity(`${provider.issuer}/`);
		expect(await unlink()).toBe(true);
		await database.db.deleteFrom('identities').where('subject', '=', 'other').execute();
	});

	test('opens no second account once its member has unlinked it, by no way', async () => {
		const auth = await authWith({ roleClaim: ['groups'], roles: [['everybody', 'admin']] });
		const member = await localMember(auth, 'admin');
		const subject = someone();
		const odd = async () =>
			(await auth.audit.checkRows()).filter(({ table }) => table === 'unlinked_identities');
		await provider.claimsOf(subject, { groups: ['everybody'] });
		const toLink = { purpose: 'link', ...flowOf(member) } as const;
		await walk(auth, subject, { flow: toLink, identity: member.identity });
		const identity = { issuer: provider.issuer, subject };
		expect(await auth.signOn.unlink(member.account, identity)).toBe(true);

		// With two accounts, the member could approve their own requests.
		expect(refusal(await walk(auth, subject))).toBe('sign-on.unlinked');
		const second = await localMember(auth, 'viewer');
		const elsewhere = { purpose: 'link', ...flowOf(second) } as const;
		expect(refusal(await walk(auth, subject, { flow: elsewhere, identity: second.identity }))).toBe(
			'sign-on.other-member'
		);
		const { token } = await auth.links.invite(member.account, { role: 'viewer' });
		const linkId = (await auth.links.invitationId(token)) ?? '';
		const join = { purpose: 'join', linkId } as const;
		expect(refusal(await walk(auth, subject, { flow: join }))).toBe('sign-on.other-member');
		expect(await odd()).toEqual([]);

		// The account itself can link it again, and unlinking once more frees it no further.
		expect(refusal(await walk(auth, subject, { flow: toLink, identity: member.identity }))).toBe(
			'linked'
		);
		expect((await signedIn(auth, subject)).account.id).toBe(member.account.id);
		expect(await auth.signOn.unlink(member.account, identity)).toBe(true);
		expect(refusal(await walk(auth, subject))).toBe('sign-on.unlinked');

		// An account that cannot be used reserves nothing.
		await addPerson(database, 'admin');
		await auth.members.disable(null, member.account.id);
		expect((await signedIn(auth, subject)).account.id).not.toBe(member.account.id);
		expect(await odd()).toEqual([]);
	});

	test('confirms a session only by a new login of the same member at the provider', async () => {
		const auth = await authWith();
		const subject = someone();
		const jar = new CookieJar();
		const { account, sessionId } = await signedIn(auth, subject);
		const identity = await auth.identify(withSession(sessionId), ADDRESS);
		const flow = { purpose: 'confirm', ...flowOf({ account, identity }) } as const;
		expect(refusal(await walk(auth, subject, { flow, identity, jar }))).toBe('confirmed');
		const stranger = someone();
		await walk(auth, stranger);
		expect(refusal(await walk(auth, stranger, { flow, identity }))).toBe('sign-on.other-identity');
		const [event] = await auth.audit.list({ action: 'session.confirmed', actor: subject });
		expect(event?.detail).toMatchObject({ how: 'single sign-on' });
	});

	test('tells a login from a browser that was never seen, and takes the first one of all for no news', async () => {
		const auth = await authWith();
		const subject = someone();
		const browserOf = async (device: string | null): Promise<unknown> => {
			await walk(auth, subject, { device });
			const [event] = await auth.audit.list({ action: 'sign-in', actor: subject });
			return event?.detail['browser'];
		};
		expect(await browserOf(null)).toBeUndefined();
		expect(await browserOf('known')).toBeUndefined();
		expect(await browserOf(null)).toBe('new');
	});

	describe('where a role requires a second factor', () => {
		let auth: Auth & { signOn: SingleSignOn };
		let admin: Account;
		const setRule = (value: 'required' | 'optional') =>
			auth.settings.change(admin, { 'factor-viewer': value });
		beforeAll(async () => {
			auth = await authWith();
			admin = await addPerson(database, 'admin');
			await setRule('required');
		});
		afterAll(() => setRule('optional'));

		const verdict = async (
			sessionId: string,
			routeId: keyof typeof routes,
			method = 'GET'
		): Promise<string> => {
			const headers = withSession(sessionId, { host: 'localhost', origin: 'http://localhost' });
			const request = { routeId, method, actions: [], named: undefined, headers, address: ADDRESS };
			return (await guard(auth, routes, request)).refusal?.code ?? 'allowed';
		};

		test('a member of the provider sets one up, and shows at the provider who they are for it', async () => {
			const subject = someone();
			const { account, sessionId } = await signedIn(auth, subject);
			const identity = await auth.identify(withSession(sessionId), ADDRESS);
			expect(identity).toMatchObject({ session: { setUpOnly: true } });
			expect(await verdict(sessionId, '/transactions')).toBe('factor-needed');
			expect(await verdict(sessionId, '/account')).toBe('factor-needed');
			expect([
				await verdict(sessionId, '/account/factors'),
				await verdict(sessionId, '/confirm'),
				await verdict(sessionId, '/login/provider', 'POST'),
				await verdict(sessionId, '/login/provider/continue'),
				await verdict(sessionId, '/login/provider/callback')
			]).toEqual(Array(5).fill('allowed'));
			const flow = { purpose: 'confirm', ...flowOf({ account, identity }) } as const;
			expect(refusal(await walk(auth, subject, { flow, identity }))).toBe('confirmed');
		});

		test('the word of the provider begins no session without the factor, and confirms none', async () => {
			const subject = someone();
			const { account, sessionId: first } = await signedIn(auth, subject);
			const { idHash } = await sessionOf(auth, first);
			const { id, secret } = await auth.factors.beginTotp(account, idHash);
			await auth.factors.addTotp(account, {
				idHash,
				id,
				name: 'phone',
				code: codeAt(secret, Date.now()),
				from: { address: ADDRESS, device: null }
			});
			const waiting = await walk(auth, subject);
			if (waiting.kind !== 'factor') throw new Error(`Not asked for the factor: ${waiting.kind}`);
			const { loginId } = waiting;
			const shown = { address: ADDRESS, userAgent: 'a browser', device: () => null };
			await expect(
				auth.finish({ loginId, factor: { code: '000000' }, ...shown })
			).rejects.toMatchObject({
				code: 'factor.wrong-code'
			});
			const code = nextCode(secret);
			const jar = new CookieJar();
			const other = await walk(auth, subject, { jar });
			if (other.kind !== 'factor') throw new Error(`Not asked for the factor: ${other.kind}`);
			const { sessionId } = await auth.finish({ loginId, factor: { code }, ...shown });
			const identity = await auth.identify(withSession(sessionId), ADDRESS);
			expect(identity).toMatchObject({
				session: { issuer: provider.issuer, hasFactor: true, setUpOnly: false }
			});
			const [event] = await auth.audit.list({ action: 'sign-in', actor: account.name });
			expect(event?.detail).toMatchObject({ how: 'single sign-on', factor: true });
			const flow = { purpose: 'confirm', ...flowOf({ account, identity }) } as const;
			expect(refusal(await walk(auth, subject, { flow, identity }))).toBe('factor.needed');

			// A logout at the provider also ends a login that waits for the factor, and none of its other
			// sessions.
			const apart = await walk(auth, subject);
			if (apart.kind !== 'factor') throw new Error(`Not asked for the factor: ${apart.kind}`);
			logouts.length = 0;
			await logOutAt(provider, jar);
			await vi.waitFor(() => expect(logouts).toHaveLength(1), { timeout: 10_000 });
			await auth.signOn.logOutByProvider(logouts[0] ?? '');
			await expect(
				auth.finish({ loginId: other.loginId, factor: { code }, ...shown })
			).rejects.toMatchObject({ code: 'factor.login-over' });
			expect(await auth.pendingLogin(apart.loginId, 'a browser')).toMatchObject({ id: account.id });
		});
	});

	test('a logout at the provider ends what began with its session there, once, and nothing else', async () => {
		const auth = await authWith();
		const isOpen = async (sessionId: string): Promise<boolean> =>
			(await auth.sessions.validate(sessionId)) !== null;
		const subject = someone();
		const [phone, laptop] = [new CookieJar(), new CookieJar()];
		const begun = async (jar: CookieJar): Promise<string> => {
			const finished = await walk(auth, subject, { jar });
			if (finished.kind !== 'signed-in') throw new Error(refusal(finished));
			return finished.sessionId;
		};
		const [onPhone, onLaptop] = [await begun(phone), await begun(laptop)];
		const { sessionId: stranger } = await signedIn(auth, someone());
		logouts.length = 0;
		await logOutAt(provider, phone);
		await vi.waitFor(() => expect(logouts).toHaveLength(1), { timeout: 10_000 });
		const [token = ''] = logouts;
		await auth.signOn.logOutByProvider(token);
		expect(await Promise.all([onPhone, onLaptop, stranger].map(isOpen))).toEqual([
			false,
			true,
			true
		]);
		const [event] = await auth.audit.list({ action: 'session.ended' });
		expect(event).toMatchObject({ actor: 'provider', target: subject, detail: { sessions: 1 } });

		const invalid = { code: 'sign-on.answer-invalid' };
		await expect(auth.signOn.logOutByProvider(token)).rejects.toMatchObject(invalid);
		const [head, , signature] = token.split('.');
		const forged = Buffer.from(
			JSON.stringify({ iss: provider.issuer, aud: CLIENT.clientId, sub: subject, jti: 'x' })
		).toString('base64url');
		for (const wrong of [`${head}.${forged}.${signature}`, `${head}.${forged}.`, 'x', '']) {
			await expect(auth.signOn.logOutByProvider(wrong), wrong).rejects.toMatchObject(invalid);
		}
		expect(await isOpen(onLaptop)).toBe(true);
		const gone = await authWith({ issuer: 'http://localhost:1' });
		await expect(gone.signOn.logOutByProvider(token)).rejects.toMatchObject({
			code: 'sign-on.unavailable'
		});
	});

	test('a logout that cannot be verified because the keys of the provider cannot be read may be sent again', async () => {
		const auth = await authWith();
		const jar = new CookieJar();
		const finished = await walk(auth, someone(), { jar });
		if (finished.kind !== 'signed-in') throw new Error(refusal(finished));
		logouts.length = 0;
		await logOutAt(provider, jar);
		await vi.waitFor(() => expect(logouts).toHaveLength(1), { timeout: 10_000 });
		const [token = ''] = logouts;
		const unavailable = { code: 'sign-on.unavailable' };
		const faults = [
			...[429, 502, 503].map((status) => ({ status, body: 'Later.' })),
			{ status: 200, body: '<p>Maintenance</p>' },
			{ status: 200, body: '{}' }
		];
		try {
			for (const fault of faults) {
				await provider.answerKeys(fault);
				const said = auth.signOn.logOutByProvider(token);
				await expect(said, JSON.stringify(fault)).rejects.toMatchObject(unavailable);
			}
		} finally {
			await provider.answerKeys(null);
		}
		expect(await auth.sessions.validate(finished.sessionId)).not.toBeNull();
		await auth.signOn.logOutByProvider(token);
		expect(await auth.sessions.validate(finished.sessionId)).toBeNull();

		// Signed by a key that the provider began to use after its keys were read.
		const [head = '', ...rest] = token.split('.');
		const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
		const rotated = Buffer.from(JSON.stringify({ ...header, kid: 'rotated' })).toString(
			'base64url'
		);
		await expect(auth.signOn.logOutByProvider([rotated, ...rest].join('.'))).rejects.toMatchObject(
			unavailable
		);
	});

	test('a logout at the provider that comes while the login is being finished lets nobody in', async () => {
		const auth = await authWith();
		const subject = someone();
		const jar = new CookieJar();
		let sessionId = '';
		const late = createSingleSignOn(
			{
				db: database.db,
				audit: auth.audit,
				recordRefusal: createSignInRefusals(database.db, auth.audit),
				sessions: auth.sessions,
				links: auth.links,
				localLogin: auth.localLogin,
				key: auth.keys.derive('single sign-on')[0],
				async enter(...who) {
					logouts.length = 0;
					await logOutAt(provider, jar);
					await vi.waitFor(() => expect(logouts).toHaveLength(1), { timeout: 10_000 });
					await auth.signOn.logOutByProvider(logouts[0] ?? '');
					const entered = await auth.enter(...who);
					if (entered.needs === null) ({ sessionId } = entered);
					return entered;
				}
			},
			{ config: configOf(), origin: ORIGIN, privateServers: [] }
		);
		expect(refusal(await walk({ signOn: late }, subject, { jar }))).toBe('sign-on.logged-out');
		expect(sessionId).not.toBe('');
		expect(await auth.sessions.validate(sessionId)).toBeNull();
		// After another login at the provider, it is another session.
		expect((await walk(auth, subject, { jar })).kind).toBe('signed-in');
	});

	test('is unlinked by an admin also where it is the last way in, and its sessions end', async () => {
		const auth = await authWith();
		const admin = await addPerson(database, 'admin');
		const subject = someone();
		const { account, sessionId } = await signedIn(auth, subject);
		const identity = { issuer: provider.issuer, subject };
		expect(await auth.signOn.unlinkOf(admin, admin, identity).catch(() => false)).toBe(false);
		expect(await auth.signOn.unlinkOf(admin, account, identity)).toBe(true);
		expect(await auth.signOn.unlinkOf(admin, account, identity)).toBe(false);
		expect(await auth.sessions.validate(sessionId)).toBeNull();
		const [event] = await auth.audit.list({ action: 'identity.unlinked' });
		expect(event).toMatchObject({ actor: admin.name, target: account.name });
		// The returning identity is a new member.
		expect((await signedIn(auth, subject)).account.id).not.toBe(account.id);

		const own = someone();
		const { account: other } = await signedIn(auth, own);
		await auth.members.setRole(null, other.id, 'admin');
		await expect(
			auth.signOn.unlinkOf(other, other, { issuer: provider.issuer, subject: own })
		).rejects.toMatchObject({ code: 'sign-on.last-way' });
	});

	test('names the page on which a member logs out at the provider', async () => {
		const auth = await authWith();
		const url = new URL((await auth.signOn.logoutUrl()) ?? '');
		expect(url.origin).toBe(provider.issuer);
		expect(url.searchParams.get('client_id')).toBe(CLIENT.clientId);
		expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/login`);
	});

	test('tells whether the provider knows the client', async () => {
		await expect((await authWith()).signOn.acceptsClient()).resolves.toBe(true);
		const wrong = await authWith({ clientSecret: 'another secret that nobody gave' });
		await expect(wrong.signOn.acceptsClient()).resolves.toBe(false);
		const gone = await authWith({ issuer: 'http://localhost:1' });
		await expect(gone.signOn.acceptsClient()).rejects.toMatchObject({
			code: 'sign-on.unavailable'
		});
	});

	describe('when local login is closed', () => {
		test('it stays open for the named admin with a password, and says the same to all others', async () => {
			const auth = await authWith();
			const glass = await addPerson(database, 'admin');
			const { account } = await localMember(auth);
			const { secret } = await addApp(auth, account);
			const begun = await auth.signIn({
				name: account.name,
				password: PASSWORD,
				address: ADDRESS,
				userAgent: 'a browser',
				device: null,
				previousSessionId: null
			});
			if (begun.needs !== 'factor') throw new Error('The password was enough.');
			const close = (name: string) =>
				auth.settings.change(glass, { 'local-login': 'break-glass', 'break-glass-admin': name });
			const { account: withoutPassword } = await signedIn(auth, someone());
			await auth.members.setRole(null, withoutPassword.id, 'admin');
			for (const name of ['', 'nobody', account.name, withoutPassword.name]) {
				await expect(close(name), name).rejects.toMatchObject({
					code: 'sign-on.break-glass-missing'
				});
			}
			await close(glass.name);
			try {
				const codeOf = (who: Account, password: string) =>
					signInAs(auth, who, { password }).then(
						() => 'in',
						(error: unknown) => (isAppError(error) ? error.message : String(error))
					);
				const wrong = await codeOf(account, 'wrong password');
				expect(await codeOf(account, PASSWORD)).toBe(wrong);
				expect(await codeOf(glass, 'wrong password')).toBe(wrong);
				expect(await codeOf(glass, PASSWORD)).toBe('in');
				const factor = { code: nextCode(secret) };
				const { loginId } = begun;
				await expect(
					auth.finish({
						loginId,
						factor,
						address: ADDRESS,
						userAgent: 'a browser',
						device: () => null
					})
				).rejects.toMatchObject({ code: 'factor.login-over' });
				const { token } = await auth.links.reset(glass, account.id);
				await expect(auth.links.setPassword(token, PASSWORD)).rejects.toMatchObject({
					code: 'sign-on.local-closed'
				});
				const invitation = await auth.links.invite(glass, { role: 'viewer' });
				await expect(
					auth.links.accept(invitation.token, { name: 'newcomer', password: PASSWORD })
				).rejects.toMatchObject({ code: 'sign-on.local-closed' });
				expect((await signedIn(auth, someone())).kind).toBe('signed-in');
			} finally {
				await auth.settings.change(glass, { 'local-login': 'open' });
			}
		});

		test('the named admin stays an enabled admin, and nobody unlinks their last way in', async () => {
			const auth = await authWith();
			const glass = await addPerson(database, 'admin');
			const member = await localMember(auth);
			const subject = someone();
			const flow = { purpose: 'link', ...flowOf(member) } as const;
			await walk(auth, subject, { flow, identity: member.identity });
			const identity = { issuer: provider.issuer, subject };
			await auth.settings.change(glass, {
				'local-login': 'break-glass',
				'break-glass-admin': glass.name
			});
			try {
				const refused = { code: 'account.break-glass-admin' };
				await expect(auth.members.setRole(null, glass.id, 'viewer')).rejects.toMatchObject(refused);
				await expect(auth.members.disable(null, glass.id)).rejects.toMatchObject(refused);
				await expect(auth.signOn.unlink(member.account, identity)).rejects.toMatchObject({
					code: 'sign-on.last-way'
				});
			} finally {
				await auth.settings.change(glass, { 'local-login': 'open' });
			}
			expect(await auth.signOn.unlink(member.account, identity)).toBe(true);
			await auth.members.setRole(null, glass.id, 'viewer');
		});
	});
});
