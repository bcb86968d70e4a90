/** Attacks on second factors by someone with the password, or in an unattended browser. */
import { Secret, TOTP } from 'otpauth';
import { outcome, type Attack } from './attack.ts';
import { cookieOf, PASSWORD, postForm, type Person, type Target } from './target.ts';

const AGENT = 'the browser of the member';

/** The code of this moment adds the app, the next one logs in: neither expires on the way. */
const codeOf = (secret: string, after = 0): string =>
	new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + after });

/** A member with an authenticator app: its secret, and the recovery codes. */
async function withApp(target: Target): Promise<Person & { secret: string; codes: string[] }> {
	const person = await target.person('admin');
	const { factors, identify } = target.auth;
	const identity = await identify(new Headers({ cookie: person.cookie }), '127.0.0.1');
	if (identity.via !== 'session') throw new Error('There is no session.');
	const { idHash } = identity.session;
	const { id, secret } = await factors.beginTotp(person.account, idHash);
	const from = { address: '127.0.0.1', device: `session ${idHash}` };
	const code = codeOf(secret);
	const added = await factors.addTotp(person.account, { idHash, id, name: 'phone', code, from });
	return { ...person, secret, codes: added.codes ?? [] };
}

/** The cookie of a pending login after the password. */
async function loginOf(target: Target, { account }: Person): Promise<string> {
	const typed = { name: account.name, password: PASSWORD, next: '/' };
	const answer = await postForm(target.url, '/login', typed, { 'user-agent': AGENT });
	await answer.body?.cancel();
	const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
	return cookies.find((pair) => /^komodeck_login=.+/.test(pair)) ?? '';
}

/** Whether a code turns a pending login into a session. */
async function enters(target: Target, cookie: string, code: string, agent = AGENT) {
	const headers = { cookie, 'user-agent': agent };
	const answer = await postForm(target.url, '/login/factor', { code, next: '/' }, headers);
	await answer.body?.cancel();
	return cookieOf(answer) !== '';
}

export const secondFactorAttacks: readonly Attack[] = [
	{
		name: 'code-of-an-app-twice',
		class: 'replay',
		async run(target) {
			const member = await withApp(target);
			const code = codeOf(member.secret, 30_000);
			const first = await enters(target, await loginOf(target, member), code);
			if (!first) throw new Error('The code never worked.');
			const again = await enters(target, await loginOf(target, member), code);
			return outcome(again, { again });
		}
	},
	{
		name: 'recovery-code-twice',
		class: 'replay',
		async run(target) {
			const member = await withApp(target);
			const [code = ''] = member.codes;
			const logins = [await loginOf(target, member), await loginOf(target, member)];
			const seen = await Promise.all(logins.map((login) => enters(target, login, code)));
			seen.push(await enters(target, await loginOf(target, member), code));
			return outcome(seen.filter(Boolean).length > 1, { seen });
		}
	},
	{
		name: 'login-under-way-in-another-browser',
		class: 'session hijacking',
		async run(target) {
			const member = await withApp(target);
			const login = await loginOf(target, member);
			const inside = await enters(target, login, member.codes[0] ?? '', 'another browser');
			return outcome(inside, { inside });
		}
	},
	{
		name: 'login-from-before-the-sessions-ended',
		class: 'session hijacking',
		async run(target) {
			const member = await withApp(target);
			const admin = await target.person('admin');
			const login = await loginOf(target, member);
			const path = `/admin/members/${member.account.id}?/endSessions`;
			const ended = await postForm(target.url, path, {}, { cookie: admin.cookie });
			await ended.body?.cancel();
			const inside = await enters(target, login, member.codes[0] ?? '');
			return outcome(inside, { ended: ended.status, inside });
		}
	},
	{
		name: 'send-without-the-factor',
		class: 'privilege escalation',
		async run(target) {
			const member = await withApp(target);
			const sessions = await target.auth.sessions.list(member.account.id);
			for (const { idHash } of sessions) await target.auth.sessions.confirm(idHash, target.db, 1);
			const answer = await postForm(
				target.url,
				'/transactions/nothing?/send',
				{},
				{ cookie: member.cookie }
			);
			const text = await answer.text();
			return outcome(!text.includes('second factor'), { status: answer.status });
		}
	}
];
