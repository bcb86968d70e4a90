/** Attacks on identity: other sites, planted and copied cookies, links, passwords. */
import { outcome, type Attack } from './attack.ts';
import { call, page, PASSWORD, postForm, signIn, type Target } from './target.ts';

const EVIL = 'https://evil.example';

/** Whether a cookie still opens a page that only its member sees. */
async function opens(target: Target, cookie: string): Promise<boolean> {
	const answer = await page(target, '/account', cookie);
	await answer.body?.cancel();
	return answer.status === 200;
}

/** Posts the form of a link; true when it was accepted. */
async function uses(target: Target, path: string, token: string, name: string): Promise<boolean> {
	const typed = { token, name, password: PASSWORD, repeat: PASSWORD };
	const answer = await postForm(target.url, path, typed);
	await answer.body?.cancel();
	return answer.status === 303;
}

let names = 0;
const newName = (): string => `guest-${(names += 1)}`;

export const sessionAttacks: readonly Attack[] = [
	{
		name: 'form-from-another-site',
		class: 'CSRF',
		async run(target) {
			const { account, cookie } = await target.person('admin');
			const fields = { name: 'theirs', role: 'admin', expires: '90' };
			const before = (await target.auth.tokens.list(account.id)).length;
			const answers: number[] = [];
			for (const headers of [{ origin: EVIL }, { origin: 'null' }, { origin: `${EVIL}:80` }]) {
				const answer = await postForm(target.url, '/account?/createToken', fields, {
					cookie,
					...headers
				});
				answers.push(answer.status);
			}
			const made = (await target.auth.tokens.list(account.id)).length - before;
			return outcome(made > 0, { made, answers });
		}
	},
	{
		name: 'json-from-another-site',
		class: 'CSRF',
		async run(target) {
			const { cookie } = await target.person('admin');
			const seen: string[] = [];
			for (const type of ['text/plain', 'application/json']) {
				const answer = await fetch(`${target.url}/api/rpc/ALPHA`, {
					method: 'POST',
					headers: { cookie, origin: EVIL, 'content-type': type },
					body: '{"id":1,"method":"getblockcount","params":[]}'
				});
				seen.push(`${answer.status} ${await answer.text()}`);
			}
			return outcome(
				seen.some((text) => text.includes('"result":')),
				seen.join(' | ')
			);
		}
	},
	{
		name: 'repeated-credentials-from-another-site',
		class: 'CSRF',
		async run(target) {
			const { account, token } = await target.person('operator');
			const shown = Buffer.from(`${account.name}:${token}`).toString('base64');
			const credentials = { authorization: `Basic ${shown}`, 'sec-fetch-site': 'cross-site' };
			const seen: string[] = [];
			for (const origin of [EVIL, 'null']) {
				const headers = { ...credentials, origin, 'content-type': 'text/plain' };
				const body = '{"id":1,"method":"getblockcount","params":[],"x":"="}';
				const { status, text } = await call(target, headers, body);
				seen.push(`${status} ${text.includes('"result":')}`);
				const form = await postForm(target.url, '/transactions/nothing?/send', {}, headers);
				seen.push(`${form.status} ${!(await form.text()).includes('another site')}`);
			}
			// A client that is no browser sends neither header.
			const own = await call(target, { authorization: `Basic ${shown}` }, '{"method":"getinfo"}');
			if (own.status !== 200) throw new Error(`The credentials never worked: ${own.text}`);
			return outcome(
				seen.some((one) => one.endsWith('true')),
				seen,
				seen.length
			);
		}
	},
	{
		name: 'session-fixation',
		class: 'session fixation',
		async run(target) {
			const attacker = await target.person('viewer');
			const victim = await target.person('operator');
			const own = await signIn(target.url, victim.account.name, { cookie: attacker.cookie });
			const invented = `komodeck_session=${'a'.repeat(40)}`;
			const adopted = await signIn(target.url, victim.account.name, { cookie: invented });
			const alive = await opens(target, attacker.cookie);
			return outcome(alive || own === attacker.cookie || adopted === invented, { alive });
		}
	},
	{
		name: 'cookie-after-logout',
		class: 'session hijacking',
		async run(target) {
			const { cookie } = await target.person('operator');
			if (!(await opens(target, cookie))) throw new Error('The session never worked.');
			await postForm(target.url, '/logout', {}, { cookie });
			const alive = await opens(target, cookie);
			return outcome(alive, { alive });
		}
	},
	{
		name: 'cookie-read-by-a-script',
		class: 'XSS',
		async run(target) {
			const { account } = await target.person('viewer');
			const answer = await postForm(target.url, '/login', {
				name: account.name,
				password: PASSWORD,
				next: '/'
			});
			const [cookie = ''] = answer.headers.getSetCookie();
			return outcome(!/;\s*httponly/i.test(cookie), cookie.replace(/=[^;]+/, '=…'));
		}
	},
	{
		name: 'role-taken-during-a-session',
		class: 'privilege escalation',
		async run(target) {
			const { account, cookie } = await target.person('admin');
			const first = await page(target, '/admin/members', cookie);
			if (first.status !== 200) throw new Error(`An admin was answered ${first.status}.`);
			await target.auth.members.setRole(null, account.id, 'viewer');
			const again = await page(target, '/admin/members', cookie);
			return outcome(again.status === 200, { status: again.status });
		}
	},
	{
		name: 'events-without-a-session',
		class: 'information disclosure',
		async run(target) {
			const answer = await fetch(`${target.url}/api/events`, {
				headers: { accept: 'text/event-stream' }
			});
			await answer.body?.cancel();
			return outcome(answer.status === 200, { status: answer.status });
		}
	},
	{
		name: 'events-after-logout',
		class: 'session hijacking',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const stream = await fetch(`${target.url}/api/events`, { headers: { cookie } });
			const reader = stream.body!.getReader();
			await reader.read();
			await postForm(target.url, '/logout', {}, { cookie });
			// Longer than the server's checking interval; each block makes it check and send an event.
			const until = performance.now() + 4_000;
			let next = reader.read();
			let events = 0;
			while (performance.now() < until) {
				await target.devnet.control.mine('ALPHA');
				const part = await next.catch(() => ({ done: true }));
				if (part.done) return outcome(false, `It ended after ${events} events.`);
				events += 1;
				next = reader.read();
			}
			await reader.cancel();
			return outcome(true, `${events} events after the logout`);
		}
	},
	{
		name: 'guessed-passwords',
		class: 'brute force',
		async run(target) {
			const { account } = await target.person('viewer');
			const answers: number[] = [];
			for (let n = 0; n < 11; n += 1) {
				const typed = { name: account.name, password: `guess number ${n}`, next: '/' };
				const answer = await postForm(target.url, '/login', typed);
				const text = await answer.text();
				answers.push(answer.status);
				if (answer.status !== 429) continue;
				const words = /Try again in (?:one second|\d+ (?:seconds|minutes))/.test(text);
				const header = Number(answer.headers.get('retry-after')) > 0;
				if (!words || !header) throw new Error('A throttled login does not say how long to wait.');
			}
			return outcome(answers.at(-1) !== 429, answers);
		}
	},
	{
		name: 'login-timing',
		class: 'information disclosure',
		async run(target) {
			const { account } = await target.person('viewer');
			const work = async (name: string): Promise<number> => {
				const before = await target.verifications();
				await (
					await postForm(target.url, '/login', { name, password: 'not this one', next: '/' })
				).text();
				return (await target.verifications()) - before;
			};
			const known = await work(account.name);
			const unknown = await work(newName());
			return outcome(known !== unknown, { known, unknown });
		}
	},
	{
		name: 'set-up-link-again',
		class: 'replay',
		async run(target) {
			const again = await uses(target, '/setup', target.usedSetUpToken, newName());
			return outcome(again, { again });
		}
	},
	{
		name: 'invitation-again',
		class: 'replay',
		async run(target) {
			const { token } = await target.auth.links.invite(null, { role: 'viewer' });
			if (!(await uses(target, '/join', token, newName()))) throw new Error('It never worked.');
			const again = await uses(target, '/join', token, newName());
			return outcome(again, { again });
		}
	},
	{
		name: 'reset-again',
		class: 'replay',
		async run(target) {
			const { account } = await target.person('viewer');
			const { token } = await target.auth.links.reset(null, account.id);
			if (!(await uses(target, '/join', token, ''))) throw new Error('It never worked.');
			const again = await uses(target, '/join', token, '');
			return outcome(again, { again });
		}
	},
	{
		name: 'open-redirect',
		class: 'open redirect',
		async run(target) {
			const { account, cookie } = await target.person('viewer');
			const away: string[] = [];
			const note = (what: string, answer: Response): void => {
				const to = answer.headers.get('location');
				const host = to === null ? '' : new URL(to, target.url).host;
				if (answer.status >= 500 || (to !== null && host !== new URL(target.url).host)) {
					away.push(`${what}: ${answer.status} ${to}`);
				}
			};
			for (const next of [
				'//evil.example',
				'/\\evil.example',
				'https://evil.example/',
				'/%09/evil.example',
				'/\t/evil.example',
				'javascript:alert(1)',
				'/x\r\nSet-Cookie: a=b',
				'http:evil.example',
				'/%2f%2fevil.example'
			]) {
				const asked = encodeURIComponent(next);
				note(`GET /login ${next}`, await page(target, `/login?next=${asked}`, cookie));
				const typed = { name: account.name, password: PASSWORD, next };
				note(`POST /login ${next}`, await postForm(target.url, '/login', typed));
				note(
					`POST /theme ${next}`,
					await postForm(target.url, '/theme', { theme: 'dark', to: next })
				);
			}
			return outcome(away.length > 0, away.join(' | '));
		}
	},
	{
		name: 'header-injection',
		class: 'response splitting',
		async run(target) {
			const given = 'x; <script>alert(1)</script> level=30';
			const answer = await page(target, '/login', '', { 'x-request-id': given });
			return outcome(answer.headers.get('x-request-id') === given, {
				id: answer.headers.get('x-request-id')
			});
		}
	},
	{
		name: 'guessed-types',
		class: 'XSS',
		async run(target) {
			const missing: string[] = [];
			for (const path of ['/login', '/favicon.svg', '/no/such/page', '/api/v1/chains']) {
				const { headers } = await page(target, path);
				for (const name of [
					'x-content-type-options',
					'referrer-policy',
					'permissions-policy',
					'cross-origin-opener-policy',
					'cross-origin-resource-policy'
				]) {
					if (!headers.has(name)) missing.push(`${path} ${name}`);
				}
			}
			return outcome(missing.length > 0, missing.join(', '));
		}
	},
	{
		name: 'page-in-a-frame',
		class: 'clickjacking',
		async run(target) {
			const open: string[] = [];
			for (const path of ['/login', '/api/v1/chains', '/no/such/page', '/denied']) {
				const policy = (await page(target, path)).headers.get('content-security-policy') ?? '';
				if (!/frame-ancestors 'none'/.test(policy)) open.push(`${path} may be framed`);
				if (!/default-src 'none'/.test(policy)) open.push(`${path} runs anything`);
				if (/unsafe-inline|unsafe-eval|\*/.test(policy)) open.push(`${path}: ${policy}`);
			}
			return outcome(open.length > 0, open.join(', '));
		}
	},
	{
		name: 'flood-of-pages',
		class: 'denial of service',
		async run(target) {
			const { cookie } = await target.person('viewer');
			let seen = '';
			let asked = 0;
			// An export counts as twenty requests however its address is spelled, and the target allows a
			// member 2,500 in ten seconds.
			const ask = async (): Promise<void> => {
				while (asked < 140 && seen === '') {
					asked += 1;
					const file = asked % 2 === 0 ? 'tokens.csv' : 'tokens%2Ecsv';
					const answer = await fetch(`${target.url}/api/v1/chains/ALPHA/${file}`, {
						method: 'HEAD',
						headers: { cookie }
					});
					if (answer.status === 429) seen = answer.headers.get('retry-after') ?? 'none';
				}
			};
			await Promise.all(Array.from({ length: 16 }, ask));
			if (seen === '') return outcome(true, `${asked} exports`);
			const refused = await page(target, '/account', cookie);
			const words = await refused.text();
			const json = await page(target, '/api/v1/chains', cookie, { accept: 'application/json' });
			const told = JSON.stringify(await json.json());
			if (refused.status === 429 && !/Wait (?:one second|\d+ seconds)/.test(words + told)) {
				throw new Error(`The refusal does not say how long to wait: ${words}`);
			}
			return outcome(!(Number(seen) > 0), { asked, retryAfter: seen });
		}
	}
];
