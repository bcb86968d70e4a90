import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { plural } from '#lib/text/plural.ts';
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
	out('All sessions, invitations and password-reset links are revoked. Members log in again.');
	out(`API tokens revoked: ${tokens}. Create new ones where they are needed.`);
	if (!known) {
		out(
			'Changes of accounts after the backup are unknown, so every account except admins needs confirmation.'
		);
	}
	for (const { name, backup, lastKnown } of toConfirm) {
		const before = lastKnown === null ? '' : `; last known: ${lastKnown}`;
		out(`To confirm: ${name}. In the backup: ${backup}${before}.`);
	}
	if (toConfirm.length > 0) {
		out(
			'These accounts stay disabled until an admin confirms each on the Members page, or here with "user enable NAME".'
		);
	}
	if (missing.length > 0) out(`Not in the backup: ${missing.join(', ')}. Invite them again.`);
	out(
		admins.length === 0
			? 'No admin can log in: confirm one with "user enable NAME".'
			: `Admins who can log in: ${admins.join(', ')}. Disable former admins with "user disable NAME".`
	);
}

export const verb: Verb = {
	usage: [
		[
			'restore FILE',
			'restores a backup into an empty data folder or database, completely or not at all'
		]
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
		out(
			`Restored: ${plural(restored.rows, 'row')} of ${plural(restored.tables, 'table')}, backed up ${restored.madeAt}.`
		);
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
		if (away !== null) out(`The copy of the previous audit log is in ${away}.`);
		tell(closed, out);
		for (const sentence of checkedSentences(verdict.checked)) out(sentence);
		for (const one of differences) err(differenceSentence(one));
		if (verdict.ok) return differences.length === 0 ? 0 : 1;
		err(`The audit log of the backup failed its integrity check: ${faultSentence(verdict)}`);
		return 1;
	}
};
