/**
 * Connections to a PostgreSQL server that takes no changes any more. What was a primary stays one that is only read for
 * each connection that was made before, and so does a database that was set to be read only: who keeps such a connection
 * is refused for ever, also where a new one could write again.
 */
import type pg from 'pg';

/** read_only_sql_transaction */
const READ_ONLY = '25006';
/** A connection that is younger knows no less than a new one would. Milliseconds. */
const KNOWS_FOR_MS = 1_000;

/** What Node's client of PostgreSQL hears of its server and does not document. */
interface ClientInside {
	connection?: { on(event: 'errorMessage', hear: (said: { code?: string }) => void): void };
}

/** Ends the connections of a pool at their return, once one of them was told that nothing can be written. */
export function endReadOnly(pool: pg.Pool): void {
	const madeAt = new Map<object, number>();
	const outdated = new WeakSet<object>();

	pool.on('connect', (client) => {
		madeAt.set(client, performance.now());
		(client as ClientInside).connection?.on('errorMessage', ({ code }) => {
			if (code !== READ_ONLY) return;
			const now = performance.now();
			for (const [each, at] of madeAt) if (now - at >= KNOWS_FOR_MS) outdated.add(each);
		});
	});
	pool.on('release', (_error, client) => {
		// The pool keeps none that ends.
		if (outdated.has(client)) {
			void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => undefined);
		}
	});
	pool.on('remove', (client) => madeAt.delete(client));
}
