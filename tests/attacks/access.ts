/** Attacks on administration: with API tokens, in an unattended browser, with leftovers of an old password. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../support/mailServer.ts';
import { outcome, type Attack } from './attack.ts';
import { subscriptionAt } from './notices.ts';
import { UNKNOWN_ADDRESS } from './spending.ts';
import { page, PASSWORD, postForm, type Person, type Target } from './target.ts';

/** Makes a member's session look unattended: its last confirmation is an hour ago. */
async function leaveOpen(target: Target, { account }: Person): Promise<void> {
	const { sessions } = target.auth;
	for (const { idHash } of await sessions.list(account.id)) {
		await sessions.confirm(idHash, target.db, Date.now() - 60 * 60 * 1000);
	}
}

/** Forms that an attacker posts to get or keep power; each reports whether it changed anything. */
function administrativeForms(victim: string): [path: string, fields: Record<string, string>][] {
	const token = { name: 'theirs', role: 'admin', expires: '90' };
	return [
		['/admin/members?/invite', { role: 'admin', name: '' }],
		['/admin/members?/invite&/takeBack', { role: 'admin', name: '', sure: 'yes' }],
		[`/admin/members/${victim}?/reset`, {}],
		[`/admin/members/${victim}?/role`, { role: 'admin' }],
		[`/admin/members/${victim}?/disable`, { successor: '', sure: 'yes' }],
		['/account?/createToken', token],
		['/account?x=1&/createToken', token],
		['/account?%2FcreateToken', token],
		['/admin/safety?/turnOn', { switch: 'freeze', reason: 'theirs' }]
	];
}

/** The state that attackers must not change, as one text for comparison. */
async function statusOf(target: Target, owner: string, victim: string): Promise<string> {
	const { auth, db } = target;
	const links = await db.selectFrom('account_links').select('id').orderBy('id').execute();
	const people = await db.selectFrom('accounts').selectAll().where('id', '=', victim).execute();
	const tokens = (await auth.tokens.list(owner)).map(({ id }) => id);
	const switches = await db.selectFrom('safety_controls').selectAll().execute();
	return [links, people, tokens, switches]
		.flat()
		.map((row) => (typeof row === 'string' ? row : Object.values(row).map(String).join(' ')))
		.join('\n');
}

/** Posts all forms with a credential, in the encodings that the server accepts, and undoes their changes. */
async function administers(
	target: Target,
	owner: Person,
	credential: Record<string, string>
): Promise<{ changed: string[]; links: string[]; tries: number }> {
	const changed: string[] = [];
	const links: string[] = [];
	let tries = 0;
	for (const accept of ['text/html', 'application/json']) {
		const victim = await target.person('viewer');
		for (const [path, fields] of administrativeForms(victim.account.id)) {
			const before = await statusOf(target, owner.account.id, victim.account.id);
			const answer = await postForm(target.url, path, fields, { ...credential, accept });
			const text = await answer.text();
			tries += 1;
			if ((await statusOf(target, owner.account.id, victim.account.id)) !== before) {
				changed.push(`${path} ${answer.status}`);
			}
			links.push(...(text.match(/\/join\?token=[\w-]{20,}|kdk_[\w-]{20,}/g) ?? []));
		}
	}
	await target.db.deleteFrom('safety_controls').where('reason', '=', 'theirs').execute();
	return { changed, links, tries };
}

/** Sends wrong passwords for a name, several at a time, and counts the responses by status. */
async function guesses(
	target: Target,
	name: string,
	count: number,
	headers: (n: number) => Record<string, string>
): Promise<Map<number, number>> {
	const answers = new Map<number, number>();
	let sent = 0;
	const send = async (): Promise<void> => {
		while (sent < count) {
			sent += 1;
			const typed = { name, password: `guess number ${sent}`, next: '/' };
			const answer = await postForm(target.url, '/login', typed, headers(sent));
			await answer.body?.cancel();
			answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
		}
	};
	await Promise.all(Array.from({ length: 8 }, send));
	return answers;
}

/** Joins with an invitation; true when that created an account. */
async function joins(target: Target, name: string, password: string): Promise<boolean> {
	const { token } = await target.auth.links.invite(null, { role: 'viewer' });
	const answer = await postForm(target.url, '/join', { token, name, password, repeat: password });
	await answer.body?.cancel();
	return answer.status === 303;
}

let joined = 0;

export const accessAttacks: readonly Attack[] = [
	{
		name: 'password-of-a-list',
		class: 'brute force',
		async run(target) {
			joined += 1;
			const name = `bettina${joined}`;
			const { account, cookie } = await target.person('viewer');
			const easy = [
				'passwordpassword',
				'P@ssw0rd2024!',
				'qwertyuiop12',
				'abcdefghijkl',
				'aaaaaaaaaaaa',
				'komodeck2024',
				`${account.name}2024`
			];
			const set: string[] = [];
			for (const password of easy) {
				const answer = await postForm(
					target.url,
					'/account?/password',
					{ current: PASSWORD, password, repeat: password },
					{ cookie }
				);
				await answer.body?.cancel();
				if (answer.status === 200) {
					set.push(password);
					break;
				}
			}
			for (const password of [...easy.slice(0, 6), `${name}-12345`]) {
				if (set.length === 0 && (await joins(target, name, password))) set.push(password);
			}
			return outcome(set.length > 0, set.join(', '), 2 * easy.length);
		}
	},
	{
		name: 'name-that-passes-for-another',
		class: 'privilege escalation',
		async run(target) {
			joined += 1;
			const own = `lovelace${'abcdefgh'[joined % 8]}`;
			const { token } = await target.auth.links.invite(null, { role: 'viewer' });
			await target.auth.links.accept(token, { name: own, password: PASSWORD });
			const names = [
				own.replace('lov', 'Iov'),
				own.replace('o', '0'),
				own.replace('l', '1'),
				own.replace('love', 'love-'),
				own.replace('e', 'é'),
				own.replace('o', 'о'),
				`${own}\u200b`,
				'eng1ne',
				'adm1n',
				'visit0r'
			];
			const made: string[] = [];
			for (const name of names) {
				if (await joins(target, name, PASSWORD)) made.push(name);
			}
			return outcome(made.length > 0, made.join(', '), names.length);
		}
	},
	{
		name: 'owner-kept-out',
		class: 'denial of service',
		async run(target) {
			const { account } = await target.person('operator');
			const login = (cookie: string): Promise<Response> =>
				postForm(
					target.url,
					'/login',
					{ name: account.name, password: PASSWORD, next: '/' },
					{ cookie }
				);
			const first = await login('');
			await first.body?.cancel();
			// The cookie that the browser keeps after its session.
			const device = first.headers
				.getSetCookie()
				.map((line) => line.split(';')[0] ?? '')
				.filter((pair) => !pair.includes('komodeck_session='))
				.join('; ');
			const answers = await guesses(target, account.name, 200, () => ({}));
			const again = await login(device);
			await again.body?.cancel();
			return outcome(
				again.status !== 303,
				{ owner: again.status, ...Object.fromEntries(answers) },
				201
			);
		}
	},
	{
		name: 'guesses-under-forged-addresses',
		class: 'brute force',
		async run(target) {
			const attacker = await target.person('viewer');
			const { account } = await target.person('viewer');
			// Also with the cookie of a known browser, but of another member.
			const own = await postForm(target.url, '/login', {
				name: attacker.account.name,
				password: PASSWORD,
				next: '/'
			});
			await own.body?.cancel();
			const cookie = own.headers
				.getSetCookie()
				.map((line) => line.split(';')[0] ?? '')
				.filter((pair) => !pair.includes('komodeck_session='))
				.join('; ');
			const answers = await guesses(target, account.name, 30, (n) => ({
				'x-forwarded-for': `203.0.113.${n}`,
				'x-real-ip': `203.0.113.${n}`,
				forwarded: `for=203.0.113.${n}`,
				'cf-connecting-ip': `203.0.113.${n}`,
				cookie
			}));
			const tried = answers.get(400) ?? 0;
			return outcome(tried > 12, Object.fromEntries(answers), 30);
		}
	},
	{
		name: 'token-administers',
		class: 'privilege escalation',
		async run(target) {
			const admin = await target.person('admin');
			const basic = Buffer.from(`${admin.account.name}:${admin.token}`).toString('base64');
			const tried = [
				await administers(target, admin, { authorization: `Bearer ${admin.token}` }),
				await administers(target, admin, { authorization: `Basic ${basic}` })
			];
			const read: string[] = [];
			for (const path of [
				'/admin/members',
				'/admin/members/__data.json',
				'/admin/policies/limits',
				'/admin/safety',
				'/admin/audit',
				'/admin/audit/audit.csv',
				'/account/__data.json'
			]) {
				const answer = await page(target, path, '', { authorization: `Bearer ${admin.token}` });
				await answer.body?.cancel();
				if (answer.status === 200) read.push(path);
			}
			const seen = [...tried.flatMap(({ changed, links }) => [...changed, ...links]), ...read];
			return outcome(seen.length > 0, seen.join(', '), 7 + 2 * (tried[0]?.tries ?? 0));
		}
	},
	{
		name: 'label-by-a-token',
		class: 'privilege escalation',
		async run(target) {
			const { account, token } = await target.person('operator');
			const label = `of ${account.name}`;
			const entry = { kind: 'address', value: UNKNOWN_ADDRESS, chain: '', label, note: '' };
			const shown: string[] = [];
			for (const [action, fields] of [
				['add', entry],
				['add', { ...entry, value: 'none' }],
				['import', { csv: 'nonsense' }]
			] as const) {
				const bearer = { authorization: `Bearer ${token}` };
				const answer = await postForm(target.url, `/address-book?/${action}`, fields, bearer);
				if ((await answer.text()).includes('name="label"')) shown.push(action);
			}
			const added = await target.db
				.deleteFrom('labels')
				.where('label', '=', label)
				.returning('label')
				.execute();
			return outcome(added.length + shown.length > 0, { added, shown }, 3);
		}
	},
	{
		name: 'open-browser-administers',
		class: 'session hijacking',
		async run(target) {
			const admin = await target.person('admin');
			await leaveOpen(target, admin);
			const { changed, links, tries } = await administers(target, admin, { cookie: admin.cookie });
			// Texts in the password field that are not the password.
			const guesses = ['', 'wrong password', admin.account.name];
			for (const guess of guesses) {
				const answer = await postForm(
					target.url,
					'/admin/members?/invite',
					{ role: 'admin', name: '', 'confirm-password': guess },
					{ cookie: admin.cookie }
				);
				const text = await answer.text();
				if (/\/join\?token=/.test(text)) changed.push(`confirmed by "${guess}"`);
			}
			const people = await page(target, '/admin/members', admin.cookie);
			await people.body?.cancel();
			if (people.status === 200) changed.push('GET /admin/members');
			const data = await page(target, '/admin/members/__data.json', admin.cookie);
			if ((await data.text()).includes(admin.account.name)) changed.push('__data.json');
			const seen = [...changed, ...links];
			return outcome(seen.length > 0, seen.join(', '), tries + guesses.length + 2);
		}
	},
	{
		name: 'open-browser-silences-notices',
		class: 'session hijacking',
		async run(target) {
			const member = await target.person('operator');
			const { id } = member.account;
			const address = `${randomUUID()}@example.org`;
			await target.db
				.insertInto('notice_settings')
				.values({ account_id: id, email: `${randomUUID()}@example.com` })
				.execute();
			const post = async (action: string, fields: Record<string, string>): Promise<void> => {
				const path = `/account/notifications?/${action}`;
				const answer = await postForm(target.url, path, fields, { cookie: member.cookie });
				await answer.body?.cancel();
			};
			await post('turnOn', { subscription: subscriptionAt('https://push.example.com/own') });
			await leaveOpen(target, member);
			const browsers = () =>
				target.db
					.selectFrom('push_subscriptions')
					.select('endpoint_hash')
					.where('account_id', '=', id)
					.execute();
			const ownBrowsers = await browsers();
			if (ownBrowsers.length !== 1) throw new Error('The member has no browser notifications.');
			const settings = () =>
				target.db
					.selectFrom('notice_settings')
					.select('email')
					.where('account_id', '=', id)
					.executeTakeFirstOrThrow();
			const done: string[] = [];
			// An address of the attacker, whose link they open.
			await post('email', { email: address });
			const mail = target.post.mails.find(({ to }) => to.includes(address));
			const [, token = ''] = /verify=([\w-]{43})/.exec(mail ? textOf(mail) : '') ?? [];
			if (token === '') throw new Error('No mail with a link came.');
			await post('verify', { token });
			if ((await settings()).email === address) done.push('redirected');
			await post('removeEmail', {});
			if ((await settings()).email === null) done.push('removed');
			await post('save', { asked: 'security' });
			const chosen = await target.db
				.selectFrom('notice_preferences')
				.select('kind')
				.where('account_id', '=', id)
				.where('kind', '=', 'security')
				.execute();
			if (chosen.length > 0) done.push('turned off');
			await post('turnOn', { subscription: subscriptionAt('https://push.example.org/theirs') });
			if (!isDeepStrictEqual(await browsers(), ownBrowsers)) done.push('browser replaced');
			return outcome(done.length > 0, done, 4);
		}
	},
	{
		name: 'token-after-a-new-password',
		class: 'session hijacking',
		async run(target) {
			const works = async ({ cookie, token }: Person): Promise<string[]> => {
				const bySession = await page(target, '/account', cookie);
				await bySession.body?.cancel();
				const byToken = await page(target, '/api/v1/chains', '', {
					authorization: `Bearer ${token}`,
					accept: 'application/json'
				});
				await byToken.body?.cancel();
				return [
					...(bySession.status === 200 ? ['session'] : []),
					...(byToken.status === 200 ? ['token'] : [])
				];
			};
			const [changed, reset, disabled] = [
				await target.person('viewer'),
				await target.person('viewer'),
				await target.person('viewer')
			];
			for (const person of [changed, reset, disabled]) {
				// From here on the verified token is cached.
				if ((await works(person)).length !== 2) throw new Error('They never worked.');
			}
			const next = 'another quite long sentence';
			const session = await target.auth.sessions.begin(changed.account.id, {
				address: null,
				userAgent: null
			});
			// This form lists nothing to keep, so only the session that posts it remains valid.
			const answer = await postForm(
				target.url,
				'/account?/password',
				{ current: PASSWORD, password: next, repeat: next },
				{ cookie: `komodeck_session=${session}` }
			);
			const said = await answer.text();
			if (answer.status !== 200) throw new Error(`The change answered ${answer.status}: ${said}`);
			const { token } = await target.auth.links.reset(null, reset.account.id);
			await postForm(target.url, '/join', { token, password: next, repeat: next });
			await target.auth.members.disable(null, disabled.account.id);
			const alive = [
				...(await works(changed)).map((what) => `${what} after a change`),
				...(await works(reset)).map((what) => `${what} after a reset`),
				...(await works(disabled)).map((what) => `${what} of a disabled account`)
			];
			return outcome(alive.length > 0, alive.join(', '), 6);
		}
	}
];
