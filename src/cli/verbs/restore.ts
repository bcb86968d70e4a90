import { RESTORE_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { closeRestored, type Closed } from '#lib/server/access/restore/closeRestored.ts';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { restoreBackup } from '#lib/server/backups.ts';
import { doubtRestoredBurns } from '#lib/server/cross-chain/migration/doubtRestoredBurns.ts';
import { openAsIs, type Db } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import type { Restored } from '#lib/server/platform/backup/read.ts';
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import type { DatabaseOptions } from '#lib/server/platform/database/open.ts';
import { endRestore } from '#lib/server/platform/database/unfinishedRestore.ts';
import { keySettings } from '#lib/server/platform/config/secretFiles.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { deriveKey, previousKeys, readSecretKey } from '#lib/server/platform/secrets/secretKey.ts';
import { stopRestored } from '#lib/server/wallet/batch-transfers/stopRestored.ts';
import { doubtRestored } from '#lib/server/wallet/transactions/doubtRestored.ts';
import { placeOf } from '../config.ts';
import { newCopy, takeNewCopy } from '../newCopy.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

function tell(closed: Closed, out: CliContext['out']): void {
	const { toConfirm, tokens, admins, missing, controls, decided, webhooks, addresses, known } =
		closed;
	out(RESTORE_VERB.revoked);
	out(RESTORE_VERB.tokens(tokens));
	if (webhooks > 0) out(RESTORE_VERB.webhooks(webhooks));
	if (addresses > 0) out(RESTORE_VERB.addresses(addresses));
	if (decided > 0) out(RESTORE_VERB.decided(decided));
	out(RESTORE_VERB.uncounted);
	if (!known) out(RESTORE_VERB.unknown);
	for (const name of controls) out(RESTORE_VERB.control(name));
	for (const { name, backup, lastKnown } of toConfirm) {
		out(RESTORE_VERB.toConfirm(name, backup, lastKnown));
	}
	if (toConfirm.length > 0) out(RESTORE_VERB.howToConfirm);
	if (missing.length > 0) out(RESTORE_VERB.missing(missing));
	out(RESTORE_VERB.admins(admins));
}

/** Failures after which nothing was written. When a connection breaks, the commit may have succeeded. */
const ROLLED_BACK: ReadonlySet<DatabaseErrorKind> = new Set<DatabaseErrorKind>([
	'locked',
	'canceled',
	'overloaded',
	'full',
	'read-only'
]);

/** @throws {AppError} `backup`, `database.restore-unfinished` */
async function restoreInto(
	place: DatabaseOptions,
	keys: readonly Uint8Array[],
	file: string
): Promise<Restored> {
	let db: Db | null = null;
	try {
		db = openAsIs(place);
		return await restoreBackup(db, keys, file);
	} catch (cause) {
		const kind = databaseErrorKind(cause);
		if (kind === null || !ROLLED_BACK.has(kind)) throw cause;
		throw new AppError('backup.database-failed', { kind }, { cause });
	} finally {
		await db?.close();
	}
}

export const verb: Verb = {
	usage: USAGE.restore,
	async run(args, { env, out, err }) {
		const [name, ...more] = args;
		if (name === undefined || name.startsWith('-') || more.length > 0) {
			throw new AppError('usage.form', { form: 'restore' });
		}
		const file = resolve(name);
		const found = statSync(file, { throwIfNoEntry: false });
		if (found === undefined || found.isDirectory())
			throw new AppError('usage.file-missing', { file });
		const place = placeOf(env);
		const { dataDir } = place;
		const source = { dataDir, ...keySettings(env) };
		const keys = [readSecretKey(source, false), ...previousKeys(source)];
		const backupKeys = keys.map((key) => deriveKey(key, 'backup'));
		const restored = await restoreInto(place, backupKeys, file);
		// What the copy of the log outside the database knew is read before it is replaced.
		takeNewCopy(dataDir);
		const outside = openRecord(dataDir);
		const { end, isEndUnreadable } = outside.read();
		// A copy whose end cannot be read counts as later than any backup, so that no decision is undone.
		const isLater = isEndUnreadable || BigInt(end?.seq ?? 0) > restored.lastSeq;
		const lastKnown = { accounts: outside.accounts(), isLater };
		const { verdict, closed, stopped, doubted, burns, differences, away } = await withAuth(
			env,
			async (auth, open) => {
				const { madeAt, rows } = restored;
				const { audit } = auth;
				const batches = await stopRestored(open, audit);
				const unknown = await doubtRestored(open, Date.parse(madeAt));
				const unknownBurns = await doubtRestoredBurns(open);
				const what = await closeRestored(open, audit, lastKnown, { target: name, madeAt, rows });
				const fresh = await newCopy(open, auth, dataDir);
				// From here on a server may start with this database.
				await endRestore(open);
				return {
					away: fresh.away,
					closed: what,
					stopped: batches,
					doubted: unknown,
					burns: unknownBurns,
					verdict: await fresh.audit.verify(),
					differences: await fresh.audit.checkRows()
				};
			},
			{ begin: true, isRestoring: true }
		);
		out(RESTORE_VERB.done(restored));
		if (away !== null) out(RESTORE_VERB.oldCopy(away));
		tell(closed, out);
		if (stopped > 0) out(RESTORE_VERB.stopped(stopped));
		if (doubted > 0) out(RESTORE_VERB.doubted(doubted));
		if (burns > 0) out(RESTORE_VERB.burns(burns));
		for (const sentence of checkedSentences(verdict.checked)) out(sentence);
		for (const one of differences) err(differenceSentence(one));
		if (verdict.ok) return differences.length === 0 ? 0 : 1;
		err(RESTORE_VERB.auditFailed(faultSentence(verdict)));
		return 1;
	}
};
