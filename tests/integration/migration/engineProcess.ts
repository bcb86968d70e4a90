/**
 * A server in a separate process that moves one migration and kills itself, like kill -9, right after a given
 * write was committed. After each move it notifies its parent and waits until the chains have advanced.
 */
import { openDatabase } from '#lib/server/database.ts';
import { gatewayTo, migrationsOver, type Place } from './support.ts';

/** The parent's order. */
export interface Order {
	database: { url?: string; dataDir: string };
	places: Place[];
	id: string;
	/** The write after which the process dies. */
	dieAfter: number;
}

/** The report after each move. */
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
