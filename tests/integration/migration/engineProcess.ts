/**
 * A server in a process of its own that moves one migration and kills itself, as with kill -9, right
 * after a given write is on disk. After each move it tells its parent and waits until the chains went on.
 */
import { openDatabase } from '#lib/server/database.ts';
import { gatewayTo, migrationsOver, type Place } from './support.ts';

/** What the parent hands over. */
export interface Order {
	database: { url?: string; dataDir: string };
	places: Place[];
	id: string;
	/** The write after which the process dies. */
	dieAfter: number;
}

/** What the process says after each move. */
export interface Report {
	state: string;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const db = await openDatabase(order.database);
const migrations = migrationsOver(db, gatewayTo(order.places), {
	onStored: (n) => {
		if (n === order.dieAfter) process.kill(process.pid, 'SIGKILL');
	}
});

async function move(): Promise<void> {
	await migrations.advance(order.id);
	const view = await migrations.get(order.id);
	process.send?.({ state: view?.row.state ?? '' } satisfies Report);
}

process.on('message', () => void move());
process.on('disconnect', () => process.exit());
await move();
