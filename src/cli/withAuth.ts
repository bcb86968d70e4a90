import { createAuth, type Auth } from '#lib/server/access/requests/auth.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import type { DatabaseOptions } from '#lib/server/platform/database/open.ts';
import { keySettings } from '#lib/server/platform/config/secretFiles.ts';
import { placeOf } from './config.ts';

/**
 * Opens the data that the environment names, hands it over, and closes it. What was done is told by `use` itself: the copy
 * of the audit log outside is written behind it, and where that fails nothing would be told.
 *
 * @param how the database is opened; where it begins with this folder, the copy of the log of before is left alone
 */
export async function withAuth<T>(
	env: NodeJS.ProcessEnv,
	use: (auth: Auth, db: Db) => Promise<T>,
	how: Pick<DatabaseOptions, 'begin' | 'isRestoring'> = {}
): Promise<T> {
	const place = placeOf(env);
	const { dataDir } = place;
	const db = await openDatabase({ ...place, ...how });
	try {
		const auth = await createAuth(db, {
			dataDir,
			...keySettings(env),
			work,
			publicBrowsing: false,
			keepsCopy: how.begin !== true
		});
		const result = await use(auth, db);
		await auth.audit.stop();
		return result;
	} finally {
		await db.close();
	}
}
