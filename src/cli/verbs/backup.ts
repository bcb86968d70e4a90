import { BACKUP_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { resolve } from 'node:path';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';
import { COMMAND_LINE } from '#lib/server/platform/audit-trail/entry.ts';

export const verb: Verb = {
	usage: USAGE.backup,
	async run(args, { env, out }) {
		const [name, ...more] = args;
		if (name === undefined || name.startsWith('-') || more.length > 0) {
			throw new AppError('usage.form', { form: 'backup' });
		}
		const file = resolve(name);
		await withAuth(env, async ({ audit, keys }, db) => {
			const made = { actor: COMMAND_LINE, action: 'archive.made', target: name } as const;
			let isOnRecord = false;
			const record = async (): Promise<void> => {
				await audit.append(made);
				isOnRecord = true;
			};
			try {
				const written = await writeBackup(db, keys.derive('backup')[0], file, record);
				out(BACKUP_VERB.done(file, written));
				out(BACKUP_VERB.notIn);
			} catch (error) {
				if (isOnRecord) await audit.append({ ...made, outcome: 'failed' });
				throw error;
			}
		});
		return 0;
	}
};
