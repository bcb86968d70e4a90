/**
 * A server in a separate process whose worker moves migrations; reports the state of one of them after each
 * look.
 */
import { openDatabase } from '#lib/server/database.ts';
import { databaseClock } from '#lib/server/platform/database/databaseClock.ts';
import { createClockGuard } from '#lib/server/platform/jobs/clock.ts';
import { STORED_MOMENTS } from '#lib/server/storedMoments.ts';
import { gatewayTo, migrationsOver, type Place } from '../migration/support.ts';

/** The parent's order. */
export interface Order {
	database: { url?: string; dataDir: string };
	places: Place[];
	id: string;
}

/** The report after each look at the migration, with the process's wall clock. */
export interface Report {
	state: string;
	at: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const db = await openDatabase(order.database);
const guard = createClockGuard({ db, bounds: STORED_MOMENTS, sharedClock: databaseClock(db) });
await guard.repair();
guard.watch();
const migrations = migrationsOver(db, gatewayTo(order.places), { leaseMs: 15_000 });
migrations.start();
process.on('disconnect', () => process.exit());

let told = '';
setInterval(() => {
	void migrations.get(order.id).then((view) => {
		const { state = '', due_at = null, lease_owner = null } = view?.row ?? {};
		const look = `${state} ${due_at}`;
		// Only at rest: a running step sets its next look by the clock at that moment.
		if (look === told || lease_owner !== null) return;
		told = look;
		process.send?.({ state, at: Date.now() } satisfies Report);
	});
}, 50);
