import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { closeRestored, type Closed } from '#lib/server/access/accounts/closeRestored.ts';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { restoreBackup } from '#lib/server/backups.ts';
import { openAsIs } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { keySettings, withSecretFiles } from '#lib/server/platform/config/secretFiles.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { deriveKey, previousKeys, readSecretKey } from '#lib/server/platform/secrets/secretKey.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

function tell({ toConfirm, tokens, admins, missing, known }: Closed, out: CliContext['out']): void {
	out(
		'Everybody has to sign in again; invitations and links for new passwords have to be made anew.'
	);
	out(`API tokens that were revoked: ${tokens}. Make new ones where they are needed.`);
	if (!known) {
		out(
			'Nothing here says what the accounts were after the backup was made, so all but the admins wait to be confirmed.'
		);
	}
	for (const { name, backup, lastKnown } of toConfirm) {
		const before = lastKnown === null ? '' : `; last known: ${lastKnown}`;
		out(`To confirm: ${name}. In the backup: ${backup}${before}.`);
	}
	if (toConfirm.length > 0) {
		out(
			'These accounts stay disabled until an admin confirms each on the page of the members, or here with "user enable NAME".'
		);
	}
	if (missing.length > 0) out(`Not in the backup: ${missing.join(', ')}. Invite them again.`);
	out(
		admins.length === 0
			? 'No admin can sign in: confirm one with "user enable NAME".'
			: `Admins who can sign in: ${admins.join(', ')}. Disable who is none any more with "user disable NAME".`
	);
}

export const verb: Verb = {
	usage: [
		['restore FILE', 'puts a backup into an empty data folder or database, all of it or nothing']
	],
	async run(args, { env, out, err }) {
		const [name, ...more] = args;
		if (name === undefined || name.startsWith('-') || more.length > 0) {
			throw new AppError('usage.form', { form: 'restore' });
		}
		const file = resolve(name);
		if (!existsSync(file)) throw new AppError('usage.file-missing', { file });
		const dataDir = resolve(env['KOMODECK_DATA'] || 'data');
		const source = { dataDir, ...keySettings(env) };
		const keys = [readSecretKey(source, false), ...previousKeys(source)];
		const url = withSecretFiles(env)['DATABASE_URL'];
		const db = openAsIs(url ? { url, dataDir } : { dataDir });
		let restored: Awaited<ReturnType<typeof restoreBackup>>;
		try {
			restored = await restoreBackup(
				db,
				keys.map((key) => deriveKey(key, 'backup')),
				file
			);
		} finally {
			await db.close();
		}
		out(`Restored ${restored.rows} rows of ${restored.tables} tables, made at ${restored.madeAt}.`);
		// The log begins a copy of its own outside of the database; what the one before knew is asked once more.
		const outside = openRecord(dataDir);
		const lastKnown = outside.accounts();
		const away = outside.putAway(new Date());
		const { verdict, closed, differences } = await withAuth(
			env,
			async ({ audit }, open) => {
				const { madeAt, rows } = restored;
				const what = await closeRestored(open, audit, lastKnown, { target: name, madeAt, rows });
				await audit.keepOutside();
				return {
					closed: what,
					verdict: await audit.verify(),
					differences: await audit.checkRows()
				};
			},
			true
		);
		if (away !== null) out(`What was kept of the audit log outside of the database is in ${away}.`);
		tell(closed, out);
		for (const sentence of checkedSentences(verdict.checked)) out(sentence);
		for (const one of differences) err(differenceSentence(one));
		if (verdict.ok) return differences.length === 0 ? 0 : 1;
		err(`The audit log of the backup is broken: ${faultSentence(verdict)}`);
		return 1;
	}
};
