import { resolve } from 'node:path';
import { createAuth, type Auth } from '#lib/server/auth/auth.ts';
import { openDatabase, type Db } from '#lib/server/db/open.ts';

/** Opens the data that the environment names, hands it over, and closes it. */
export async function withAuth<T>(
	env: NodeJS.ProcessEnv,
	use: (auth: Auth, db: Db) => Promise<T>
): Promise<T> {
	const dataDir = resolve(env['KOMODECK_DATA'] || 'data');
	const url = env['DATABASE_URL'];
	const db = await openDatabase(url ? { url, dataDir } : { dataDir });
	try {
		const auth = await createAuth(db, {
			dataDir,
			secretKey: env['KOMODECK_SECRET_KEY'],
			publicBrowsing: false
		});
		const result = await use(auth, db);
		await auth.audit.stop();
		return result;
	} finally {
		await db.close();
	}
}
