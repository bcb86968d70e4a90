import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';

const ASIDE = 'new-copy';

/**
 * Puts a new copy where the one before was put away. Between the two there is none for a moment: who was ended there left
 * a new one that says all that the next restore has to know.
 */
export function takeNewCopy(dataDir: string): void {
	const { folder } = openRecord(dataDir);
	const fresh = openRecord(join(dataDir, ASIDE)).folder;
	if (existsSync(fresh) && !existsSync(folder)) renameSync(fresh, folder);
}

/**
 * Begins the copy of the audit log outside of the database anew, and puts away what it was until now. Last of all: what
 * is broken off before has lost nothing of it.
 *
 * @returns the log with its new copy, and the folder of the one before; null: there was none
 */
export async function newCopy(
	db: Db,
	{ keys }: Auth,
	dataDir: string
): Promise<{ audit: Audit; away: string | null }> {
	// Written whole before it takes the place of the other one: else whoever is broken off here, as by a full disk, leaves
	// none, and the next restore knows nothing of who was shut out.
	const aside = join(dataDir, ASIDE);
	rmSync(aside, { recursive: true, force: true });
	await createAudit(db, keys.audit, { dataDir: aside }).keepOutside();
	const away = openRecord(dataDir).putAway(new Date());
	takeNewCopy(dataDir);
	rmSync(aside, { recursive: true, force: true });
	return { audit: createAudit(db, keys.audit, { dataDir }), away };
}
