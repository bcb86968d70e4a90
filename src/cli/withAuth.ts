import { createAuth, type Auth } from '#lib/server/access/requests/auth.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import type { DatabaseOptions } from '#lib/server/platform/database/open.ts';
import { keySettings } from '#lib/server/platform/config/secretFiles.ts';
import { placeOf } from './config.ts';

/** Options for opening the database. */
interface How extends Pick<DatabaseOptions, 'begin' | 'isRestoring'> {
	/** Whether the command may begin an installation. */
	mayBeNew?: boolean;
}

/**
 * Opens the data of the environment, passes it to `use`, and closes it. `use` must print its own results: the
 * copy of the audit log outside the database is written after it, and a failure of that would leave them
 * unprinted.
 *
 * A command on a mistyped folder must not verify or back up a new, empty database: one that may be the first of an
 * installation says so with `mayBeNew`.
 *
 * @param how options for opening the database; with `begin` the previous copy of the log is left alone
 * @throws {AppError} `database.none`
 */
export async function withAuth<T>(
	env: NodeJS.ProcessEnv,
	use: (auth: Auth, db: Db) => Promise<T>,
	{ mayBeNew = false, ...how }: How = {}
): Promise<T> {
	const place = placeOf(env);
	const { dataDir } = place;
	const db = await openDatabase({ ...place, ...how, mustExist: !mayBeNew });
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
