import pg from 'pg';
import { endReadOnly } from './readOnly.ts';
import { endSilent } from './silence.ts';

/** Type numbers of PostgreSQL: every whole number is read as bigint, as on SQLite. */
const INT_OIDS = new Set<number>([
	pg.types.builtins.INT2,
	pg.types.builtins.INT4,
	pg.types.builtins.INT8
]);

/** The sum of 64-bit numbers is `numeric` in PostgreSQL: whole ones are read as bigint too. */
function readNumeric(text: string): bigint | string {
	return /^-?\d+$/.test(text) ? BigInt(text) : text;
}

/**
 * Values as PostgreSQL takes them. It keeps no zero byte in a text, and fails over one that it is asked for: a sign
 * that stands for nothing takes its place, so that an address or a form with one finds nothing and breaks nothing.
 */
export const storable = (values: readonly unknown[]): unknown[] =>
	values.map((value) =>
		typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
	);

/** How much longer than for a lock the server waits for the next statement of a transaction. */
const STATEMENTS_APART = 6;

/**
 * What each connection asks of its server. A process that stands still or whose machine is gone in the middle of a
 * transaction would keep its locks for as long, and every other server waits for the one of the audit log: that
 * transaction is ended, and nothing of it was done.
 */
const settingsOf = (timeout: number, within: '' | 'local' = ''): string =>
	`set ${within} lock_timeout = ${timeout};
	set ${within} idle_in_transaction_session_timeout = ${STATEMENTS_APART * timeout}`;

/**
 * The same for one transaction, to be asked with its beginning: a pooler that gives connections away after each
 * transaction has another one by then than that which was asked before.
 */
export const transactionSettings = (timeout: number): string => settingsOf(timeout, 'local');

/** The name of a server's connections at PostgreSQL, which a pooler hands on. */
export const SERVER_NAME = 'komodeck server';

/**
 * At most so many connections to a PostgreSQL server.
 *
 * @param timeout milliseconds that a statement waits for a lock, and a query for a connection
 */
export function postgresPool(
	url: string,
	connections: number,
	timeout: number,
	further: pg.PoolConfig = {}
): pg.Pool {
	// The driver takes a time limit for each query; its types do not name it.
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
	// An idle connection that the server closes is replaced at its next use; without a listener it
	// would end the process.
	pool.on('error', () => undefined);
	// The same of one that is in use: its query fails and says why.
	pool.on('connect', (client) => client.on('error', () => undefined));
	endReadOnly(pool);
	endSilent(pool, url, { doubtedAfterMs: 3 * timeout, answersWithinMs: timeout });
	return pool;
}
