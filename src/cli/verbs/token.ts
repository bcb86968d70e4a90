import { TOKEN_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { parseArgs } from 'node:util';
import { findByName } from '#lib/server/access/accounts/accounts.ts';
import { isRole, ROLES } from '#lib/server/access/policy/roles.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

const DAY = 24 * 60 * 60 * 1000;

function listOf(text: string | undefined): string[] | null {
	const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
	return words.length === 0 ? null : words;
}

export const verb: Verb = {
	usage: USAGE.token,
	async run(args, { env, out }) {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: {
				user: { type: 'string' },
				role: { type: 'string' },
				name: { type: 'string' },
				days: { type: 'string' },
				methods: { type: 'string' },
				daemons: { type: 'string' }
			}
		});
		if (positionals.length !== 1 || positionals[0] !== 'create') {
			throw new AppError('usage.form', { form: 'token' });
		}
		const { user, role, days } = values;
		if (user === undefined) throw new AppError('usage.option', { option: 'user' });
		if (!isRole(role)) throw new AppError('usage.role', { roles: ROLES });
		if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days)) {
			throw new AppError('usage.option', { option: 'days' });
		}
		const token = await withAuth(env, async (auth, db) => {
			const account = await findByName(db, user);
			if (!account) throw new AppError('usage.account-unknown', { name: user });
			const name = values.name ?? 'command line';
			const wanted = {
				account,
				name,
				role,
				methods: listOf(values.methods),
				daemons: listOf(values.daemons),
				expiresAt: days === undefined ? null : Date.now() + Number(days) * DAY
			};
			return db.transaction().execute(async (trx) => {
				const { token: made } = await auth.tokens.create(wanted, trx);
				const detail = { account: account.name, role };
				await auth.audit.append(
					{ actor: 'command line', action: 'token.created', target: name, detail },
					trx
				);
				return made;
			});
		});
		out(TOKEN_VERB.created(user, role, token));
		return 0;
	}
};
