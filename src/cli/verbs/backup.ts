import { resolve } from 'node:path';
import { writeBackup } from '#lib/server/backups.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { plural } from '#lib/text/plural.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: [
		['backup FILE', 'backs up the database, without the secret key, sessions and one-time links']
	],
	async run(args, { env, out }) {
		const [name, ...more] = args;
		if (name === undefined || name.startsWith('-') || more.length > 0) {
			throw new AppError('usage.form', { form: 'backup' });
		}
		const file = resolve(name);
		const written = await withAuth(env, async (auth, db) => {
			await auth.audit.append({ actor: 'command line', action: 'archive.made', target: name });
			return writeBackup(db, auth.keys.derive('backup')[0], file);
		});
		out(
			`Backed up to ${file}: ${plural(written.rows, 'row')} of ${plural(written.tables, 'table')}, ${plural(written.bytes, 'byte')}.`
		);
		out(
			'Not in the backup: the secret key (secret.key in the data folder, or KOMODECK_SECRET_KEY) and the passwords of daemons. Keep them separately.'
		);
		return 0;
	}
};
