/**
 * Connections to a PostgreSQL server that is gone without a word: its machine lost its power, or something between lets
 * nothing through, or nothing more of the connections that it knew before it was started anew. The system gives such a
 * connection up after a quarter of an hour, and whoever waits for an answer over it holds its place in the pool for as
 * long.
 */
import pg from 'pg';

interface Patience {
	/** A connection that is used for so long makes sure that its server is still there. Milliseconds. */
	doubtedAfterMs: number;
	/** What a server may take to answer another connection. Milliseconds. */
	answersWithinMs: number;
}

/** What Node's client of PostgreSQL knows of itself and does not document. */
interface ClientInside {
	/** The number of the server's process behind it. */
	processID?: number | null;
	/** What it waits for. */
	_activeQuery?: object | null;
	connection?: { stream?: { bytesRead?: number } };
}

const processOf = (client: object): number | null => (client as ClientInside).processID ?? null;

/** What a connection waits for, and how much came over it so far. */
function waitOf(client: object) {
	const { _activeQuery: query = null, connection } = client as ClientInside;
	return { query, came: connection?.stream?.bytesRead };
}

/** - `idle`: the server knows the connection and has nothing to do for it. */
type Word = 'working' | 'idle' | 'unknown';

/** What the server says of a connection; null: it does not answer. */
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
		// Behind a pooler the numbers are the pooler's own, and say nothing.
		if (seen === undefined || seen.own !== processOf(probe)) return 'working';
		return seen.is_there ? (seen.is_idle ? 'idle' : 'working') : 'unknown';
	} catch (error) {
		// A server that refuses says so by a code of SQL.
		return error instanceof pg.DatabaseError ? 'working' : null;
	} finally {
		probe.end().catch(() => undefined);
	}
}

/**
 * Whether what waits over a connection waits in vain: its server does not answer any more, twice in a row, or does not
 * know it, or has nothing to do for it while nothing comes.
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
	// Within a transaction a server has nothing to do between two queries either.
	return second === 'idle' && now.query === before.query && now.came === before.came;
}

/** Ends connections of a pool that are used and over which nothing will come. What is slow is left alone. */
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
		// It was given back meanwhile, or is used by somebody else.
		if (used.get(client) !== timer) return;
		if (!inVain) return doubt(client);
		used.delete(client);
		// What waits over it fails at once, and the pool takes another one.
		void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => undefined);
	}

	pool.on('acquire', doubt);
	pool.on('release', (_error, client) => {
		clearTimeout(used.get(client));
		used.delete(client);
	});
}
