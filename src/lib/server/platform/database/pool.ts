import pg from 'pg';
import { endReadOnly } from './readOnly.ts';
import { endSilent } from './silence.ts';

/** PostgreSQL type OIDs: every integer is read as bigint, as with SQLite. */
const INT_OIDS = new Set<number>([
	pg.types.builtins.INT2,
	pg.types.builtins.INT4,
	pg.types.builtins.INT8
]);

/** Parses `numeric`, the type of a sum of 64-bit integers in PostgreSQL: integers are read as bigint too. */
function readNumeric(text: string): bigint | string {
	return /^-?\d+$/.test(text) ? BigInt(text) : text;
}

/**
 * Makes values acceptable to PostgreSQL, which cannot store NUL in text and fails on a query with one: NUL
 * becomes U+FFFD, so that an address or form field with a NUL simply matches nothing.
 */
export const storable = (values: readonly unknown[]): unknown[] =>
	values.map((value) =>
		typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
	);

/** The idle limit within a transaction, as a multiple of the lock timeout. */
const STATEMENTS_APART = 6;

/**
 * Session settings of each connection. A process that hangs or whose machine is gone in the middle of a
 * transaction would keep its locks, and every other server waits for the lock on the tip of the audit log:
 * after the idle limit PostgreSQL rolls such a transaction back.
 */
const settingsOf = (timeout: number, within: '' | 'local' = ''): string =>
	`set ${within} lock_timeout = ${timeout};
	set ${within} idle_in_transaction_session_timeout = ${STATEMENTS_APART * timeout}`;

/**
 * Returns the same settings for a single transaction, to be sent together with its beginning: behind a pooler
 * in transaction mode, it may run on another connection than the one that was configured.
 */
export const transactionSettings = (timeout: number): string => settingsOf(timeout, 'local');

/** `application_name` of a server's connections to PostgreSQL; poolers forward it. */
export const SERVER_NAME = 'komodeck server';

/**
 * Creates a pool of at most `connections` connections to a PostgreSQL server.
 *
 * @param timeout milliseconds that a statement waits for a lock, and a query for a connection
 */
export function postgresPool(
	url: string,
	connections: number,
	timeout: number,
	further: pg.PoolConfig
): pg.Pool {
	// The driver supports `query_timeout` for each query, although its types lack it.
	const settings = { text: settingsOf(timeout), query_timeout: timeout };
	const pool = new pg.Pool({
		connectionString: url,
		max: connections,
		connectionTimeoutMillis: timeout,
		keepAlive: true,
		// Not at the start of a connection: PgBouncer refuses there what it does not know.
		onConnect: (client) => client.query(settings),
		types: {
			getTypeParser(oid, format) {
				if (format !== 'binary') {
					if (INT_OIDS.has(oid)) return BigInt;
					if (oid === pg.types.builtins.NUMERIC) return readNumeric;
				}
				return pg.types.getTypeParser(oid, format as 'text');
			}
		},
		...further
	});
	// The server may close an idle connection, which is then replaced at its next use; without a listener the
	// error event would end the process.
	pool.on('error', () => undefined);
	// The same for a connection in use: its query fails with the reason.
	pool.on('connect', (client) => client.on('error', () => undefined));
	endReadOnly(pool);
	endSilent(pool, url, { doubtedAfterMs: 3 * timeout, answersWithinMs: timeout });
	return pool;
}
