import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { addAccount } from '#lib/server/auth/accounts.ts';
import { isRole, ROLES } from '#lib/server/auth/roles.ts';
import { UsageError, type Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: [
		[
			'user add NAME --role R [--password-stdin]',
			`adds an account (${ROLES.join(', ')}); without --password-stdin it prints a made-up password`
		]
	],
	async run(args, { env, out, readLine }) {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: { role: { type: 'string' }, 'password-stdin': { type: 'boolean' } }
		});
		const [act, name, ...more] = positionals;
		if (act !== 'add' || name === undefined || more.length > 0) {
			throw new UsageError('Say "user add" and one name.');
		}
		const { role } = values;
		if (!isRole(role)) throw new UsageError(`Say --role with one of: ${ROLES.join(', ')}.`);
		const madeUp = randomBytes(15).toString('base64url');
		const password = values['password-stdin'] ? await readLine() : madeUp;
		await withAuth(env, async (auth, db) => {
			await db.transaction().execute(async (trx) => {
				const account = await addAccount(trx, { name, role, password });
				await auth.audit.append(
					{
						actor: 'command line',
						action: 'account.added',
						target: account.name,
						detail: { role }
					},
					trx
				);
			});
		});
		out(`The account ${name} is there, role ${role}.`);
		if (password === madeUp) out(`Password: ${madeUp}`);
		return 0;
	}
};
