/** Attacks with write access to the database but without the key: rows that are inserted or changed by hand. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import { outcome, type Attack } from './attack.ts';
import { call, page, PASSWORD, postForm, signIn } from './target.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const HOUR = 60 * 60 * 1000;

export const storageAttacks: readonly Attack[] = [
	{
		name: 'planted-session',
		class: 'session fixation',
		async run(target) {
			const { account } = await target.person('admin');
			const id = randomBytes(20).toString('hex');
			const now = Date.now();
			await target.db
				.insertInto('sessions')
				.values({
					id_hash: sha256(id),
					account_id: account.id,
					created_at: now,
					last_seen_at: now,
					expires_at: now + HOUR,
					ends_at: now + HOUR,
					confirmed_at: now,
					mac: ''
				})
				.execute();
			const answer = await page(target, '/admin/members', `${SESSION_COOKIE}=${id}`);
			await answer.body?.cancel();
			await target.db.deleteFrom('sessions').where('id_hash', '=', sha256(id)).execute();
			return outcome(answer.status === 200, { status: answer.status });
		}
	},
	{
		name: 'session-of-another-account',
		class: 'privilege escalation',
		async run(target) {
			const admin = await target.person('admin');
			const viewer = await target.person('viewer');
			await target.db
				.updateTable('sessions')
				.set({ account_id: admin.account.id })
				.where('account_id', '=', viewer.account.id)
				.execute();
			const answer = await page(target, '/admin/members', viewer.cookie);
			await answer.body?.cancel();
			return outcome(answer.status === 200, { status: answer.status });
		}
	},
	{
		name: 'planted-token',
		class: 'privilege escalation',
		async run(target) {
			const { account } = await target.person('operator');
			const token = `kdk_${randomBytes(32).toString('base64url')}`;
			const id = randomUUID();
			await target.db
				.insertInto('api_tokens')
				.values({
					id,
					account_id: account.id,
					name: 'planted',
					token_hash: sha256(token),
					role: 'operator',
					created_at: Date.now()
				})
				.execute();
			const { status } = await call(target, token, '{"id":1,"method":"getblockcount"}');
			await target.db.deleteFrom('api_tokens').where('id', '=', id).execute();
			return outcome(status === 200, { status });
		}
	},
	{
		name: 'planted-invitation',
		class: 'privilege escalation',
		async run(target) {
			const token = randomBytes(32).toString('base64url');
			const id = randomUUID();
			const now = Date.now();
			await target.db
				.insertInto('account_links')
				.values({
					id,
					kind: 'invitation',
					token_hash: sha256(token),
					role: 'admin',
					created_at: now,
					expires_at: now + HOUR
				})
				.execute();
			const fields = { token, name: `planted-${now}`, password: PASSWORD, repeat: PASSWORD };
			const answer = await postForm(target.url, '/join', fields);
			await answer.body?.cancel();
			await target.db.deleteFrom('account_links').where('id', '=', id).execute();
			return outcome(answer.status === 303, { status: answer.status });
		}
	},
	{
		name: 'role-raised-in-the-database',
		class: 'privilege escalation',
		async run(target) {
			const { account, cookie, token } = await target.person('viewer');
			const other = await target.person('viewer');
			const setRole = (role: 'admin' | 'viewer') =>
				target.db
					.updateTable('accounts')
					.set({ role })
					.where('id', 'in', [account.id, other.account.id])
					.execute();
			await setRole('admin');
			try {
				await target.db
					.updateTable('api_tokens')
					.set({ role: 'operator' })
					.where('account_id', '=', account.id)
					.execute();
				const opened = await page(target, '/admin/members', cookie);
				await opened.body?.cancel();
				const signedIn = await signIn(target.url, other.account.name);
				const built = await call(target, token, '{"id":1,"method":"getnewaddress"}');
				const seen = { opened: opened.status, signedIn: signedIn !== '', built: built.status };
				return outcome(opened.status === 200 || signedIn !== '' || built.status === 200, seen, 3);
			} finally {
				await setRole('viewer');
				await target.db
					.updateTable('api_tokens')
					.set({ role: 'viewer' })
					.where('account_id', '=', account.id)
					.execute();
			}
		}
	}
];
