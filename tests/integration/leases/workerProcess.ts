/** A server in a process of its own that moves migrations by its worker and says after each look in which state one is. */
import { openDatabase } from '#lib/server/database.ts';
import { createClockGuard } from '#lib/server/platform/jobs/clock.ts';
import { STORED_MOMENTS } from '#lib/server/storedMoments.ts';
import { gatewayTo, migrationsOver, type Place } from '../migration/support.ts';

/** What the parent hands over. */
export interface Order {
	database: { url?: string; dataDir: string };
	places: Place[];
	id: string;
}

/** What the process says after each look at its migration, and what its wall clock says. */
export interface Report {
	state: string;
	at: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const db = await openDatabase(order.database);
const guard = createClockGuard({ db, bounds: STORED_MOMENTS });
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
		// Only at rest: what moves sets its next look by the clock of that moment.
		if (look === told || lease_owner !== null) return;
		told = look;
		process.send?.({ state, at: Date.now() } satisfies Report);
	});
}, 50);
