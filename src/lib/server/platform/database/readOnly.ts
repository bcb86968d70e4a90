/**
 * Replaces pooled connections to a PostgreSQL server that has become read-only. After a failover, or after the
 * database was set to read-only, existing connections stay read-only forever, even where a new connection could
 * write again.
 */
import type pg from 'pg';

/** read_only_sql_transaction */
const READ_ONLY = '25006';
/** Age below which a connection is kept: it would see the same state as a new one. Milliseconds. */
const KNOWS_FOR_MS = 1_000;

/** Undocumented members of the `pg` client. */
interface ClientInside {
	connection?: { on(event: 'errorMessage', hear: (said: { code?: string }) => void): void };
}

/**
 * Once a connection of the pool reports a read-only transaction, ends the older connections when they are
 * released.
 */
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
		// The pool discards a released client that is ending.
		if (outdated.has(client)) {
			void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => undefined);
		}
	});
	pool.on('remove', (client) => madeAt.delete(client));
}
