import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { syncFolder } from '#lib/server/platform/disk/syncFolder.ts';

const ASIDE = 'new-copy';

/**
 * Moves a new copy to the place of the one that was put away. Between these two steps there is none for a
 * moment: a process that ended there left a new copy with all that the next restore needs.
 */
export function takeNewCopy(dataDir: string): void {
	const { folder } = openRecord(dataDir);
	const fresh = openRecord(join(dataDir, ASIDE)).folder;
	if (!existsSync(fresh) || existsSync(folder)) return;
	renameSync(fresh, folder);
	syncFolder(dataDir);
}

/**
 * Starts a new copy of the audit log outside the database, and puts the previous one away. Called last, so
 * that an interrupted command has lost nothing of it.
 *
 * @returns the log with its new copy, and the folder of the previous one, or null if there was none
 */
export async function newCopy(
	db: Db,
	{ keys }: Auth,
	dataDir: string
): Promise<{ audit: Audit; away: string | null }> {
	// The new copy is written completely before it replaces the previous one: otherwise an interruption, for
	// example by a full disk, would leave none, and the next restore could not tell which accounts had been
	// locked out.
	const aside = join(dataDir, ASIDE);
	rmSync(aside, { recursive: true, force: true });
	await createAudit(db, keys.audit, { dataDir: aside }).keepOutside();
	const away = openRecord(dataDir).putAway(new Date());
	takeNewCopy(dataDir);
	rmSync(aside, { recursive: true, force: true });
	return { audit: createAudit(db, keys.audit, { dataDir }), away };
}
