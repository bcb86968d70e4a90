/**
 * Detects connections to a PostgreSQL server that vanished without closing them: its machine lost power, or a
 * firewall drops packets, or lost its connection table in a restart. The system closes such a connection only
 * after a quarter of an hour, and until then the waiting query holds its place in the pool.
 */
import pg from 'pg';

interface Patience {
	/** After this time in use, a connection's server is probed. Milliseconds. */
	doubtedAfterMs: number;
	/** Time limit for the answer to a probe. Milliseconds. */
	answersWithinMs: number;
}

/** Undocumented members of the `pg` client. */
interface ClientInside {
	/** Process id of the server's backend for this connection. */
	processID?: number | null;
	/** The running query. */
	_activeQuery?: object | null;
	connection?: { stream?: { bytesRead?: number } };
}

const processOf = (client: object): number | null => (client as ClientInside).processID ?? null;

/** Returns the running query of a connection, and how many bytes it has received so far. */
function waitOf(client: object) {
	const { _activeQuery: query = null, connection } = client as ClientInside;
	return { query, came: connection?.stream?.bytesRead };
}

/** - `idle`: the server knows the connection and has nothing to do for it. */
type Word = 'working' | 'idle' | 'unknown';

/** Asks the server about a connection, through another one; null when it does not answer. */
async function askAbout(url: string, process: number, withinMs: number): Promise<Word | null> {
	const probe = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: withinMs,
		query_timeout: withinMs
	});
	probe.on('error', () => undefined);
	try {
		await probe.connect();
		const { rows } = await probe.query<{ own: number; is_there: boolean; is_idle: boolean }>(
			`select pg_backend_pid() as own, count(*) > 0 as is_there,
			 coalesce(bool_and(state like 'idle%'), false) as is_idle
			 from pg_stat_activity where pid = $1`,
			[process]
		);
		const [seen] = rows;
		// Behind a pooler the process ids are the pooler's own and say nothing.
		if (seen === undefined || seen.own !== processOf(probe)) return 'working';
		return seen.is_there ? (seen.is_idle ? 'idle' : 'working') : 'unknown';
	} catch (error) {
		// A server that answers with an SQL error is alive.
		return error instanceof pg.DatabaseError ? 'working' : null;
	} finally {
		probe.end().catch(() => undefined);
	}
}

/**
 * Whether a connection is dead: the server fails to answer twice in a row, or does not know the connection, or
 * twice reports it idle while its query has received nothing in between.
 */
async function isInVain(client: object, ask: () => Promise<Word | null>): Promise<boolean> {
	const before = waitOf(client);
	const first = await ask();
	if (first === 'working' || (first === 'idle' && before.query === null)) return false;
	if (first === 'unknown') return true;
	const second = await ask();
	if (second === 'unknown') return true;
	if (first === null || second === null) return first === second;
	const now = waitOf(client);
	// Within a transaction the server is idle between two queries as well, so compare the query and the bytes.
	return second === 'idle' && now.query === before.query && now.came === before.came;
}

/** Ends connections in use that are dead. A connection whose server is merely slow is left alone. */
export function endSilent(
	pool: pg.Pool,
	url: string,
	{ doubtedAfterMs, answersWithinMs }: Patience
): void {
	const used = new Map<pg.PoolClient, NodeJS.Timeout>();

	function doubt(client: pg.PoolClient): void {
		used.set(client, setTimeout(() => void look(client), doubtedAfterMs).unref());
	}

	async function look(client: pg.PoolClient): Promise<void> {
		const timer = used.get(client);
		const process = processOf(client);
		if (process === null) return;
		const inVain = await isInVain(client, () => askAbout(url, process, answersWithinMs));
		// The connection was released meanwhile, or acquired again.
		if (used.get(client) !== timer) return;
		if (!inVain) return doubt(client);
		used.delete(client);
		// The waiting query fails at once, and the pool opens another connection.
		void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => undefined);
	}

	pool.on('acquire', doubt);
	pool.on('release', (_error, client) => {
		clearTimeout(used.get(client));
		used.delete(client);
	});
}
