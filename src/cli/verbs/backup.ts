import { resolve } from 'node:path';
import { writeBackup } from '#lib/server/backups.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: [
		[
			'backup FILE',
			'writes a consistent copy of the database, without the key, sessions and one-time links'
		]
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
			`Wrote ${written.rows} rows of ${written.tables} tables, ${written.bytes} bytes, to ${file}.`
		);
		out(
			'It holds neither the key (secret.key of the data folder, or KOMODECK_SECRET_KEY) nor passwords of daemons: keep those apart.'
		);
		return 0;
	}
};
