/** The databases of the application: their connections, and whether this release can use them. */
import { stepWaits } from '#lib/messages/database.ts';
import { createClockDoubt } from './platform/audit-trail/clockDoubt.ts';
import { openIndex, refuseLaterIndex } from './chains/indexer/open.ts';
import { openDatabase, stepsOfLater } from './database.ts';
import { loadConfig } from './platform/config/load.ts';
import { databaseClock } from './platform/database/databaseClock.ts';
import { holdFolder } from './platform/database/holdFolder.ts';
import { SERVER_NAME } from './platform/database/pool.ts';
import { AppError } from './platform/errors/appError.ts';
import type { Life } from './platform/jobs/life.ts';
import { createLog } from './platform/logging/log.ts';

/** The configuration, the log, and the databases of this process. */
export async function openStores(life: Life) {
	const config = loadConfig(process.env);
	const log = createLog();
	const place = {
		...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
		dataDir: config.dataDir,
		application: SERVER_NAME,
		onWait: (step: string) => log.warn(stepWaits(step))
	};
	// Servers over one PostgreSQL database may share a data folder.
	if (config.databaseUrl === null) life.onEnd(await holdFolder(config.dataDir));
	const db = await openDatabase(place);
	life.onEnd(() => db.close());
	const index = await openIndex(place);
	life.onEnd(() => index.close());
	const doubt = createClockDoubt();
	const doubtOfKeys = createClockDoubt(databaseClock(db));
	// The first reading needs the log's last event, so it is before this process adds one.
	for (const one of [doubt, doubtOfKeys]) await one(db);
	const [later] = await stepsOfLater(db);
	if (later !== undefined) throw new AppError('database.newer', { step: later, index: null });
	await refuseLaterIndex(index, config.dataDir);
	const onError = (error: unknown): void => log.error({ err: error }, 'a background task failed');
	return { config, log, db, index, doubt, doubtOfKeys, onError };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;
