import { createAuth, type Auth } from '#lib/server/access/requests/auth.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import { keySettings } from '#lib/server/platform/config/secretFiles.ts';
import { placeOf } from './config.ts';

/**
 * Opens the data that the environment names, hands it over, and closes it. What was done is told by `use` itself: the copy
 * of the audit log outside is written behind it, and where that fails nothing would be told.
 *
 * @param begin takes the data folder and the database as one installation from now on
 */
export async function withAuth<T>(
	env: NodeJS.ProcessEnv,
	use: (auth: Auth, db: Db) => Promise<T>,
	begin = false
): Promise<T> {
	const place = placeOf(env);
	const { dataDir } = place;
	const db = await openDatabase({ ...place, begin });
	try {
		const auth = await createAuth(db, {
			dataDir,
			...keySettings(env),
			work,
			publicBrowsing: false
		});
		const result = await use(auth, db);
		await auth.audit.stop();
		return result;
	} finally {
		await db.close();
	}
}
