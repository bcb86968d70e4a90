import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { restoreArchive } from '#lib/server/archive/read.ts';
import { checkedSentences, faultSentence } from '#lib/server/audit/words.ts';
import { deriveKey, loadSecretKey } from '#lib/server/auth/secretKey.ts';
import { openAsIs } from '#lib/server/db/open.ts';
import { UsageError, type Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: [
		['restore FILE', 'puts a backup into an empty data folder or database, all of it or nothing']
	],
	async run(args, { env, out, err }) {
		const [name, ...more] = args;
		if (name === undefined || name.startsWith('-') || more.length > 0) {
			throw new UsageError('Say "restore" and the name of a file.');
		}
		const file = resolve(name);
		if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
		const dataDir = resolve(env['KOMODECK_DATA'] || 'data');
		const given = env['KOMODECK_SECRET_KEY'];
		if (!given && !existsSync(join(dataDir, 'secret.key'))) {
			err(
				`The key is missing: put the secret.key that the backup was made with into ${dataDir}, or set KOMODECK_SECRET_KEY. Nothing was restored.`
			);
			return 1;
		}
		const key = deriveKey(loadSecretKey(dataDir, given), 'backup');
		const url = env['DATABASE_URL'];
		const db = openAsIs(url ? { url, dataDir } : { dataDir });
		let restored;
		try {
			restored = await restoreArchive(db, key, file);
		} finally {
			await db.close();
		}
		out(`Restored ${restored.rows} rows of ${restored.tables} tables, made at ${restored.madeAt}.`);
		const { verdict, away } = await withAuth(env, async ({ audit }) => {
			const before = await audit.beginOutsideAnew();
			await audit.append({
				actor: 'command line',
				action: 'archive.restored',
				target: name,
				detail: { madeAt: restored.madeAt, rows: restored.rows }
			});
			await audit.keepOutside();
			return { verdict: await audit.verify(), away: before };
		});
		if (away !== null) out(`What was kept of the audit log outside of the database is in ${away}.`);
		out(
			'Everybody has to log in again; invitations and links for new passwords have to be made anew.'
		);
		for (const sentence of checkedSentences(verdict.checked)) out(sentence);
		if (verdict.ok) return 0;
		err(`The audit log of the backup is broken: ${faultSentence(verdict)}`);
		return 1;
	}
};
