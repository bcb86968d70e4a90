/**
 * Connections to a PostgreSQL server that is gone without a word: its machine lost its power, or something between lets
 * nothing through. The system gives such a connection up after a quarter of an hour, and whoever waits for an answer
 * over it holds its place in the pool for as long.
 */
import pg from 'pg';

interface Patience {
	/** A connection that is used for so long makes sure that its server is still there. Milliseconds. */
	doubtedAfterMs: number;
	/** What a server may take to answer another connection. Milliseconds. */
	answersWithinMs: number;
}

/** The number of the server's process behind a connection. */
const processOf = (client: object): number | null =>
	'processID' in client && typeof client.processID === 'number' ? client.processID : null;

/** Whether the server still works for a connection; null: it does not answer. */
async function isThere(url: string, process: number, withinMs: number): Promise<boolean | null> {
	const probe = new pg.Client({
		...{ connectionString: url, connectionTimeoutMillis: withinMs, query_timeout: withinMs }
	});
	probe.on('error', () => undefined);
	try {
		await probe.connect();
		const { rows } = await probe.query<{ own: number; is_there: boolean }>(
			`select pg_backend_pid() as own,
			 exists (select 1 from pg_stat_activity where pid = $1) as is_there`,
			[process]
		);
		// Behind a pooler the numbers are the pooler's own, and say nothing.
		return rows[0] === undefined || rows[0].is_there || rows[0].own !== processOf(probe);
	} catch (error) {
		// A server that refuses says so by a code of SQL.
		return error instanceof pg.DatabaseError ? true : null;
	} finally {
		probe.end().catch(() => undefined);
	}
}

/**
 * Ends connections of a pool that are used and whose server does not answer any more, twice in a row, or does not know
 * them. What is slow is left alone.
 */
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
		const ask = () => isThere(url, process, answersWithinMs);
		const there = (await ask()) ?? (await ask());
		// It was given back meanwhile, or is used by somebody else.
		if (used.get(client) !== timer) return;
		if (there === true) return doubt(client);
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
