/** Attacks on single sign-on: forged tokens, flows of other browsers, names that are taken. */
import { randomUUID } from 'node:crypto';
import { linkIdentity } from '#lib/server/access/single-sign-on/identities.ts';
import { outcome, type Attack } from './attack.ts';
import type { Answer } from './forgingIssuer.ts';
import { cookieOf, page, postForm, signIn, type Person, type Target } from './target.ts';

/** A browser that was sent to the provider. */
interface SentBrowser {
	/** `name=value` of the cookie that binds it to its flow. */
	cookie: string;
	state: string;
	nonce: string;
}

const flowCookie = (answer: Response): string =>
	answer.headers
		.getSetCookie()
		.map((line) => line.split(';')[0] ?? '')
		.find((pair) => /komodeck_sign_on=.+/.test(pair)) ?? '';

async function sent(target: Target, next = '/'): Promise<SentBrowser> {
	const answer = await page(target, `/login/provider?next=${encodeURIComponent(next)}`);
	await answer.body?.cancel();
	const { searchParams } = new URL(answer.headers.get('location') ?? '', target.url);
	return {
		cookie: flowCookie(answer),
		state: searchParams.get('state') ?? '',
		nonce: searchParams.get('nonce') ?? ''
	};
}

/** Returns from the provider. */
async function back(
	target: Target,
	cookie: string,
	query: Record<string, string>
): Promise<{ location: string; session: string }> {
	const search = new URLSearchParams({ iss: target.issuer.issuer, ...query });
	const answer = await page(target, `/login/provider/callback?${search}`, cookie);
	await answer.body?.cancel();
	return { location: answer.headers.get('location') ?? '', session: cookieOf(answer) };
}

const newSubject = (): string => `subject-${randomUUID()}`;
/** Claims of a member of the provider with a role. */
const guest = (): Record<string, unknown> => ({ sub: newSubject(), groups: ['guests'] });

/**
 * Logs in with a response of the provider.
 * @returns the text of the session's account page, or null without a session
 */
async function logIn(
	target: Target,
	answer: (browser: SentBrowser) => Answer
): Promise<string | null> {
	const browser = await sent(target);
	const code = target.issuer.code(answer(browser));
	const { session } = await back(target, browser.cookie, { code, state: browser.state });
	if (session === '') return null;
	return (await page(target, '/account', session)).text();
}

/**
 * Links an identity to a member.
 * @returns its subject
 */
async function linked(target: Target, { account }: Person): Promise<string> {
	const sub = newSubject();
	await target.db.transaction().execute(async (trx) => {
		await target.auth.audit.lock(trx);
		const claims = { iss: target.issuer.issuer, sub };
		await linkIdentity(trx, target.auth.audit, account, claims, Date.now());
	});
	return sub;
}

/**
 * Starts a session through the provider.
 * @returns its subject, the provider's session id and the cookie
 */
async function begun(target: Target): Promise<{ sub: string; sid: string; cookie: string }> {
	const [sub, sid] = [newSubject(), randomUUID()];
	const browser = await sent(target);
	const claims = { sub, sid, groups: ['guests'], nonce: browser.nonce };
	const code = target.issuer.code({ claims });
	const { session } = await back(target, browser.cookie, { code, state: browser.state });
	if (session === '') throw new Error('A right token signs nobody in.');
	return { sub, sid, cookie: session };
}

/** Sends a logout token, like the provider. */
async function logOut(target: Target, token: string): Promise<number> {
	const headers = { origin: 'https://id.example.org' };
	const fields = { logout_token: token };
	const answer = await postForm(target.url, '/login/provider/logout', fields, headers);
	await answer.body?.cancel();
	return answer.status;
}

const isLoggedIn = async (target: Target, cookie: string): Promise<boolean> => {
	const answer = await page(target, '/account', cookie);
	await answer.body?.cancel();
	return answer.status === 200;
};

/** The claims that make a token a logout token. */
const logoutClaims = (): Record<string, unknown> => ({
	jti: randomUUID(),
	events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
});

export const signOnAttacks: readonly Attack[] = [
	{
		name: 'forged-logout',
		class: 'denial of service',
		async run(target) {
			const own = await begun(target);
			const right = { claims: { ...logoutClaims(), sub: own.sub, sid: own.sid } };
			await logOut(target, target.issuer.token(right));
			if (await isLoggedIn(target, own.cookie)) throw new Error('A right logout ends nothing.');
			const { sub, sid, cookie } = await begun(target);
			const past = Math.floor(Date.now() / 1000) - 3600;
			const usual = { ...logoutClaims(), sub, sid };
			const forgeries: readonly Answer[] = [
				{ claims: usual, signed: 'other' },
				{ claims: usual, signed: 'none' },
				{ claims: { ...usual, aud: 'another client' } },
				{ claims: { ...usual, iss: 'https://evil.example' } },
				{ claims: { ...usual, iat: past, exp: past + 60 } },
				{ claims: { ...usual, iat: past } }
			];
			const statuses: number[] = [];
			for (const forgery of forgeries) {
				statuses.push(await logOut(target, target.issuer.token(forgery)));
			}
			return outcome(!(await isLoggedIn(target, cookie)), statuses, forgeries.length);
		}
	},
	{
		name: 'id-token-as-logout',
		class: 'denial of service',
		async run(target) {
			const { sub, sid, cookie } = await begun(target);
			const tries: readonly Record<string, unknown>[] = [
				{ sub, sid, jti: randomUUID() },
				{ ...logoutClaims(), sub, sid, nonce: 'of a login' },
				{ ...logoutClaims(), sub, sid, events: { 'https://example.org/another': {} } }
			];
			const statuses: number[] = [];
			for (const claims of tries)
				statuses.push(await logOut(target, target.issuer.token({ claims })));
			return outcome(!(await isLoggedIn(target, cookie)), statuses, tries.length);
		}
	},
	{
		name: 'logout-twice',
		class: 'replay',
		async run(target) {
			const { sub } = await begun(target);
			const token = target.issuer.token({ claims: { ...logoutClaims(), sub } });
			await logOut(target, token);
			const browser = await sent(target);
			const code = target.issuer.code({
				claims: { sub, groups: ['guests'], nonce: browser.nonce }
			});
			const { session } = await back(target, browser.cookie, { code, state: browser.state });
			const status = await logOut(target, token);
			return outcome(!(await isLoggedIn(target, session)), { status });
		}
	},
	{
		name: 'break-glass-admin-taken-away',
		class: 'denial of service',
		async run(target) {
			const glass = await target.person('admin');
			const { account, cookie } = await target.person('admin');
			const { settings } = target.auth;
			await settings.change(glass.account, {
				'local-login': 'break-glass',
				'break-glass-admin': glass.account.name
			});
			try {
				const at = `/admin/members/${glass.account.id}`;
				const statuses: number[] = [];
				for (const [action, fields] of [
					['role', { role: 'viewer' }],
					['disable', { successor: '' }]
				] as const) {
					const answer = await postForm(target.url, `${at}?/${action}`, fields, { cookie });
					await answer.body?.cancel();
					statuses.push(answer.status);
				}
				const row = await target.db
					.selectFrom('accounts')
					.select(['role', 'disabled_at'])
					.where('id', '=', glass.account.id)
					.executeTakeFirstOrThrow();
				return outcome(row.role !== 'admin' || row.disabled_at !== null, statuses, 2);
			} finally {
				await settings.change(account, { 'local-login': 'open' });
			}
		}
	},
	{
		name: 'last-way-in-unlinked',
		class: 'denial of service',
		async run(target) {
			const glass = await target.person('admin');
			const member = await target.person('operator');
			const subject = await linked(target, member);
			const { settings } = target.auth;
			await settings.change(glass.account, {
				'local-login': 'break-glass',
				'break-glass-admin': glass.account.name
			});
			try {
				const { cookie } = member;
				const answer = await postForm(
					target.url,
					'/account?/unlink',
					{ issuer: target.issuer.issuer, subject, sure: 'yes' },
					{ cookie }
				);
				await answer.body?.cancel();
				const row = await target.db
					.selectFrom('identities')
					.select('account_id')
					.where('subject', '=', subject)
					.executeTakeFirst();
				return outcome(row === undefined, { status: answer.status });
			} finally {
				await settings.change(glass.account, { 'local-login': 'open' });
			}
		}
	},
	{
		name: 'forged-id-token',
		class: 'privilege escalation',
		async run(target) {
			const right = await logIn(target, ({ nonce }) => ({ claims: { ...guest(), nonce } }));
			if (right === null) throw new Error('A right token signs nobody in.');
			const past = Math.floor(Date.now() / 1000) - 3600;
			const forgeries: readonly Omit<Answer, 'claims'>[] = [
				{ signed: 'other' },
				{ signed: 'none' }
			];
			const wrong: readonly Record<string, unknown>[] = [
				{ aud: 'another client' },
				{ aud: ['komodeck', 'another client'], azp: 'another client' },
				{ iss: 'https://evil.example' },
				{ exp: past },
				{ nonce: 'of another flow' },
				{ sub: '' }
			];
			const got: unknown[] = [];
			for (const forgery of forgeries) {
				const session = await logIn(target, ({ nonce }) => ({
					claims: { ...guest(), nonce },
					...forgery
				}));
				if (session !== null) got.push(forgery);
			}
			for (const claims of wrong) {
				const session = await logIn(target, ({ nonce }) => ({
					claims: { ...guest(), nonce, ...claims }
				}));
				if (session !== null) got.push(claims);
			}
			return outcome(got.length > 0, got, forgeries.length + wrong.length);
		}
	},
	{
		name: 'id-token-of-another-flow',
		class: 'replay',
		async run(target) {
			const session = await logIn(target, () => ({ claims: guest() }));
			return outcome(session !== null, session === null ? 'refused' : 'signed in');
		}
	},
	{
		name: 'sign-on-of-another-browser',
		class: 'CSRF',
		async run(target) {
			const attacker = await sent(target);
			const victim = await sent(target);
			const code = target.issuer.code({ claims: guest() });
			const answer = { code, state: attacker.state };
			const bare = await back(target, '', answer);
			const own = await back(target, victim.cookie, answer);
			const seen = [bare.location, own.location];
			return outcome(bare.session !== '' || own.session !== '', seen, 2);
		}
	},
	{
		name: 'sign-on-answer-twice',
		class: 'replay',
		async run(target) {
			const { cookie, state, nonce } = await sent(target);
			const code = target.issuer.code({ claims: { ...guest(), nonce } });
			const first = await back(target, cookie, { code, state });
			if (first.session === '') throw new Error(`The first answer: ${first.location}`);
			const again = await Promise.all([1, 2].map(() => back(target, cookie, { code, state })));
			return outcome(
				again.some(({ session }) => session !== ''),
				again.map(({ location }) => location),
				2
			);
		}
	},
	{
		name: 'answer-of-another-issuer',
		class: 'privilege escalation',
		async run(target) {
			const { cookie, state, nonce } = await sent(target);
			const code = target.issuer.code({ claims: { ...guest(), nonce } });
			const mixed = await back(target, cookie, { code, state, iss: 'https://evil.example' });
			return outcome(mixed.session !== '', mixed.location);
		}
	},
	{
		name: 'open-redirect-after-sign-on',
		class: 'open redirect',
		async run(target) {
			const places = [
				'https://evil.example',
				'//evil.example',
				'/\\evil.example',
				'/%2f/evil.example'
			];
			const led: string[] = [];
			for (const place of places) {
				const { cookie, state, nonce } = await sent(target, place);
				const code = target.issuer.code({ claims: { ...guest(), nonce } });
				const { location, session } = await back(target, cookie, { code, state });
				if (session === '') throw new Error(`Nobody is signed in: ${location}`);
				if (location !== '/') led.push(location);
			}
			return outcome(led.length > 0, led, places.length);
		}
	},
	{
		name: 'account-of-the-same-name',
		class: 'privilege escalation',
		async run(target) {
			const { account } = await target.person('admin');
			const session = await logIn(target, ({ nonce }) => ({
				claims: {
					...guest(),
					nonce,
					preferred_username: account.name,
					email: `${account.name}@example.org`,
					email_verified: true
				}
			}));
			const identities = (await target.auth.signOn?.identitiesOf(account.id)) ?? [];
			const rows = await target.db
				.selectFrom('identities')
				.select('subject')
				.where('account_id', '=', account.id)
				.execute();
			return outcome(rows.length > 0, { session: session !== null, identities, rows });
		}
	},
	{
		name: 'role-beside-the-id-token',
		class: 'privilege escalation',
		async run(target) {
			const session = await logIn(target, ({ nonce }) => ({
				claims: { sub: newSubject(), nonce },
				beside: { groups: ['admins'], userinfo: { groups: ['admins'] } }
			}));
			return outcome(session !== null, session === null ? 'refused' : 'signed in');
		}
	},
	{
		name: 'identity-of-another-unlinked',
		class: 'privilege escalation',
		async run(target) {
			const victim = await target.person('admin');
			const subject = await linked(target, victim);
			const { cookie } = await target.person('viewer');
			const answer = await postForm(
				target.url,
				'/account?/unlink',
				{ issuer: target.issuer.issuer, subject, sure: 'yes' },
				{ cookie }
			);
			await answer.body?.cancel();
			const row = await target.db
				.selectFrom('identities')
				.select('account_id')
				.where('subject', '=', subject)
				.executeTakeFirst();
			return outcome(row === undefined, { status: answer.status, row });
		}
	},
	{
		name: 'second-account-by-unlinking',
		class: 'privilege escalation',
		async run(target) {
			const member = await target.person('operator');
			const subject = await linked(target, member);
			const { cookie } = member;
			const unlinked = await postForm(
				target.url,
				'/account?/unlink',
				{ issuer: target.issuer.issuer, subject, sure: 'yes' },
				{ cookie }
			);
			await unlinked.body?.cancel();
			const session = await logIn(target, ({ nonce }) => ({
				claims: { sub: subject, groups: ['guests'], nonce }
			}));
			return outcome(session !== null, {
				status: unlinked.status,
				session: session === null ? 'refused' : 'another account'
			});
		}
	},
	{
		name: 'confirmed-without-a-new-login',
		class: 'session hijacking',
		async run(target) {
			const person = await target.person('admin');
			const sub = await linked(target, person);
			const fields = { purpose: 'confirm', token: '', next: '/account' };
			const headers = { cookie: person.cookie };
			const begun = await postForm(target.url, '/login/provider', fields, headers);
			await begun.body?.cancel();
			const cookie = `${person.cookie}; ${flowCookie(begun)}`;
			const html = await (await page(target, '/login/provider/continue', cookie)).text();
			const href = /url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
			const { searchParams } = new URL(href);
			if (searchParams.get('prompt') !== 'login') throw new Error(`It asks for no login: ${href}`);
			const code = target.issuer.code({
				claims: {
					sub,
					groups: ['admins'],
					nonce: searchParams.get('nonce'),
					auth_time: Math.floor(Date.now() / 1000) - 3600
				}
			});
			const { location } = await back(target, cookie, {
				code,
				state: searchParams.get('state') ?? ''
			});
			return outcome(location === '/account', location);
		}
	},
	{
		name: 'password-while-local-login-is-closed',
		class: 'privilege escalation',
		async run(target) {
			const glass = await target.person('admin');
			const other = await target.person('admin');
			const { settings } = target.auth;
			await settings.change(glass.account, {
				'local-login': 'break-glass',
				'break-glass-admin': glass.account.name
			});
			try {
				if ((await signIn(target.url, glass.account.name)) === '') {
					throw new Error('The named admin does not get in.');
				}
				const session = await signIn(target.url, other.account.name);
				return outcome(session !== '', session === '' ? 'refused' : 'signed in');
			} finally {
				await settings.change(glass.account, { 'local-login': 'open' });
			}
		}
	}
];
