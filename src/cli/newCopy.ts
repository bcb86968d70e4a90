import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';

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
	const away = openRecord(dataDir).putAway(new Date());
	const audit = createAudit(db, keys.audit, { dataDir });
	await audit.keepOutside();
	return { audit, away };
}
