/** Attacks on passkeys with signatures that were intercepted, made elsewhere, or by another member. */
import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { createBearer } from '#lib/server/access/credentials/bearer.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import {
	CHALLENGE_LIFETIME,
	createChallenges
} from '#lib/server/access/second-factors/challenges.ts';
import { createCipher } from '#lib/server/platform/secrets/encrypt.ts';
import { makePasskey, type TestPasskey } from '../support/authenticator.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { cookieOf, PASSWORD, postForm, type Person, type Target } from './target.ts';

const AGENT = 'the browser of the member';
const EVIL = 'evil.example';

type Member = Person & { passkey: TestPasskey };
type Options = PublicKeyCredentialRequestOptionsJSON;

/** A member with a passkey. */
async function withPasskey(target: Target, role: Role = 'admin'): Promise<Member> {
	const person = await target.person(role);
	const { factors, identify } = target.auth;
	const identity = await identify(new Headers({ cookie: person.cookie }), '127.0.0.1');
	if (identity.via !== 'session') throw new Error('There is no session.');
	const { idHash } = identity.session;
	const site = { origin: target.url, rpId: 'localhost' };
	const options = await factors.beginPasskey(person.account, { idHash, name: 'laptop', site });
	const { passkey, answer } = makePasskey(options, site.origin);
	await factors.addPasskey(person.account, { idHash, answer, site });
	return { ...person, passkey };
}

const cookieNamed = (answer: Response, name: string): string =>
	answer.headers
		.getSetCookie()
		.map((line) => line.split(';')[0] ?? '')
		.find((pair) => pair.startsWith(`${name}=`) && pair !== `${name}=`) ?? '';

/** The options to sign, and the cookie of the browser that requested them. */
async function asked(
	target: Target,
	purpose: string,
	cookie = ''
): Promise<{ options: Options; cookie: string }> {
	const headers = { cookie, 'user-agent': AGENT, accept: 'application/json' };
	const answer = await postForm(target.url, '/login/passkey', { purpose }, headers);
	if (answer.status !== 200) throw new Error(`There is nothing to sign: ${await answer.text()}`);
	const own = cookieNamed(answer, 'komodeck_passkey');
	return { options: (await answer.json()) as Options, cookie: own };
}

/**
 * Logs in with a passkey alone.
 * @returns the text of the page, and whether there is a session
 */
async function enter(target: Target, passkey: string, cookie: string) {
	const headers = { cookie, 'user-agent': AGENT };
	const answer = await postForm(target.url, '/login', { passkey, next: '/' }, headers);
	const text = await answer.text();
	const [, said = ''] = /role="(?:alert|status)"[^>]*>([\s\S]*?)<\/form>/.exec(text) ?? [];
	return { status: answer.status, said, inside: cookieOf(answer) !== '' };
}

/** The cookie of a pending login after the password. */
async function afterPassword(target: Target, { account }: Person): Promise<string> {
	const typed = { name: account.name, password: PASSWORD, next: '/' };
	const answer = await postForm(target.url, '/login', typed, { 'user-agent': AGENT });
	await answer.body?.cancel();
	return cookieNamed(answer, 'komodeck_login');
}

async function finishes(target: Target, passkey: string, cookie: string): Promise<boolean> {
	const headers = { cookie, 'user-agent': AGENT };
	const answer = await postForm(target.url, '/login/factor', { passkey, next: '/' }, headers);
	await answer.body?.cancel();
	return cookieOf(answer) !== '';
}

/** Whether a login by passkey alone works with a signature that deviates like this. */
async function entersBy(target: Target, how: Parameters<TestPasskey['sign']>[1]): Promise<Outcome> {
	const { passkey } = await withPasskey(target);
	const { options, cookie } = await asked(target, 'login');
	const seen = await enter(target, passkey.sign(options, how), cookie);
	return outcome(seen.inside, seen);
}

export const passkeyAttacks: readonly Attack[] = [
	{
		name: 'passkey-answer-twice',
		class: 'replay',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const { options, cookie } = await asked(target, 'login');
			// Many passkeys send no counter, so a copy cannot be detected.
			const answer = passkey.sign(options, { count: 0 });
			const first = await enter(target, answer, cookie);
			if (!first.inside) throw new Error('The passkey never worked.');
			const again = await enter(target, answer, cookie);
			return outcome(again.inside, again);
		}
	},
	{
		name: 'passkey-answer-of-another-ceremony',
		class: 'replay',
		async run(target) {
			const member = await withPasskey(target);
			const { options } = await asked(target, 'confirm', member.cookie);
			const login = await afterPassword(target, member);
			const inside = await finishes(target, member.passkey.sign(options), login);
			return outcome(inside, { inside });
		}
	},
	{
		name: 'passkey-answer-in-another-browser',
		class: 'session hijacking',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const { options } = await asked(target, 'login');
			const other = await asked(target, 'login');
			const seen = await enter(target, passkey.sign(options), other.cookie);
			return outcome(seen.inside, seen);
		}
	},
	{
		name: 'passkey-answer-too-late',
		class: 'replay',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const { auth, db } = target;
			const challenges = createChallenges({
				db,
				bearer: createBearer(auth.keys.derive('bearer')),
				cipher: createCipher(auth.keys.derive('second factors')),
				clock: () => Date.now() - CHALLENGE_LIFETIME['passkey-login']
			});
			const value = randomBytes(32).toString('base64url');
			const holder = { accountId: null, browser: `cookie ${value}` };
			const challenge = await challenges.make('passkey-login', holder, '');
			const answer = passkey.sign({ challenge, rpId: 'localhost' });
			const seen = await enter(target, answer, `komodeck_passkey=${value}`);
			return outcome(seen.inside, seen);
		}
	},
	{
		name: 'passkey-copy-that-counts-behind',
		class: 'replay',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const own = await asked(target, 'login');
			await enter(target, passkey.sign(own.options, { count: 9 }), own.cookie);
			const copy = await asked(target, 'login');
			const seen = await enter(target, passkey.sign(copy.options, { count: 5 }), copy.cookie);
			return outcome(seen.inside, seen);
		}
	},
	{
		name: 'passkey-at-another-origin',
		class: 'session hijacking',
		run: (target) => entersBy(target, { origin: `https://${EVIL}` })
	},
	{
		name: 'passkey-for-another-name',
		class: 'session hijacking',
		run: (target) => entersBy(target, { rpId: EVIL })
	},
	{
		name: 'passkey-of-whoever-holds-it',
		class: 'session hijacking',
		run: (target) => entersBy(target, { verified: false })
	},
	{
		name: 'passkey-of-another-member',
		class: 'privilege escalation',
		async run(target) {
			const victim = await withPasskey(target);
			const attacker = await withPasskey(target, 'viewer');
			const login = await afterPassword(target, victim);
			const { options } = await asked(target, 'factor', login);
			const inside = await finishes(target, attacker.passkey.sign(options), login);
			return outcome(inside, { inside });
		}
	},
	{
		name: 'passkey-key-written-by-hand',
		class: 'tampering',
		async run(target) {
			const victim = await withPasskey(target);
			const attacker = await withPasskey(target, 'viewer');
			const { db, auth } = target;
			const { public_key } = await db
				.selectFrom('second_factors')
				.select('public_key')
				.where('credential_id', '=', attacker.passkey.id)
				.executeTakeFirstOrThrow();
			await db
				.updateTable('second_factors')
				.set({ public_key })
				.where('credential_id', '=', victim.passkey.id)
				.execute();
			const { options, cookie } = await asked(target, 'login');
			const seen = await enter(
				target,
				attacker.passkey.sign(options, { id: victim.passkey.id }),
				cookie
			);
			await auth.factors.reset(null, victim.account.id);
			return outcome(seen.inside, seen);
		}
	},
	{
		name: 'passkey-of-a-disabled-member',
		class: 'privilege escalation',
		async run(target) {
			const { passkey, account } = await withPasskey(target);
			await target.auth.members.disable(null, account.id);
			const { options, cookie } = await asked(target, 'login');
			const seen = await enter(target, passkey.sign(options), cookie);
			return outcome(seen.inside, seen);
		}
	},
	{
		name: 'passkey-while-local-login-is-closed',
		class: 'privilege escalation',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const named = await target.person('admin');
			const { settings } = target.auth;
			await settings.change(null, {
				'local-login': 'break-glass',
				'break-glass-admin': named.account.name
			});
			try {
				const { options, cookie } = await asked(target, 'login');
				const seen = await enter(target, passkey.sign(options), cookie);
				return outcome(seen.inside, seen);
			} finally {
				await settings.change(null, { 'local-login': 'open', 'break-glass-admin': '' });
			}
		}
	},
	{
		name: 'enumeration-by-passkey',
		class: 'information disclosure',
		async run(target) {
			const known = await withPasskey(target);
			const disabled = await withPasskey(target);
			await target.auth.members.disable(null, disabled.account.id);
			const answers: unknown[] = [];
			for (const id of [known, disabled].map(({ passkey }) => passkey.id).concat('AAAA')) {
				const { options, cookie } = await asked(target, 'login');
				const { passkey } = disabled;
				answers.push(await enter(target, passkey.sign(options, { id, origin: EVIL }), cookie));
			}
			const { options, cookie } = await asked(target, 'login');
			answers.push(await enter(target, disabled.passkey.sign(options), cookie));
			const told = new Set(answers.map((answer) => JSON.stringify(answer)));
			return outcome(told.size > 1, [...told], answers.length);
		}
	},
	{
		name: 'passkey-tries-without-a-pause',
		class: 'brute force',
		async run(target) {
			const { passkey } = await withPasskey(target);
			const statuses: number[] = [];
			for (let n = 0; n < 8; n += 1) {
				const { options, cookie } = await asked(target, 'login');
				const answer = passkey.sign(options, { verified: false });
				statuses.push((await enter(target, answer, cookie)).status);
			}
			return outcome(!statuses.includes(429), statuses, statuses.length);
		}
	}
];
