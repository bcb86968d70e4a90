/**
 * Reads on a hot standby of the PostgreSQL database. It is read only while it has replayed everything that was told
 * to be written: whoever was just told of a block, or wrote something, finds it. At all other times, and whenever a
 * read of it fails, the primary is read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	sql,
	type CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type Kysely,
	type QueryExecutorProvider,
	type QueryResult
} from 'kysely';
import { AppError } from '../errors/appError.ts';
import { postgresPool, storable } from './pool.ts';
import type { Listener } from './writeNotices.ts';

/** A standby that was not seen to be that near to the primary is not read. Milliseconds. */
const MOST_BEHIND_MS = 3_000;
/** Between two looks at how far it is, while nothing is written. Milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** Between two looks while it is behind: the first pause, and the longest. Milliseconds. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
/** What a read of it may take before the primary is asked instead. Milliseconds. */
const READ_WITHIN_MS = 2_000;
const CONNECTIONS = 8;

export interface Standby {
	/** Whether it has all that is known to be written. */
	readonly isNear: boolean;
	/** How many reads it answered. */
	readonly reads: number;
	/** Reads on it where it is near, else on this executor. */
	dialect(primary: Primary): Dialect;
	close(): Promise<void>;
}

interface StandbyParts {
	url: string;
	/** The primary. */
	db: QueryExecutorProvider;
	/** Tells of writes. While it does not hear the primary is read. */
	writes: Pick<Listener, 'isHearing' | 'onWord'>;
	/** Hears when the standby is used again, and why it is not: once each. */
	onChange?: (problem: unknown) => void;
}

/** The database that is read elsewhere. */
type Primary = Pick<Kysely<unknown>, 'executeQuery'>;

/** What a look at the primary says. */
interface AtPrimary {
	lsn: string;
	mark: string | null;
}

/** What a look at the standby says. */
interface Seen {
	is_standby: boolean;
	is_there: boolean;
	mark: string | null;
}

const MARK = '(select mark from installation where id = 1)';

const unused = (why: 'no-standby' | 'other-database' | 'behind'): AppError =>
	new AppError('database.standby-unused', { why });

/** Follows how far a standby is, until it is closed. */
export function createStandby({
	url,
	db,
	writes,
	onChange = () => undefined
}: StandbyParts): Standby {
	const pool = postgresPool(url, CONNECTIONS, READ_WITHIN_MS, { query_timeout: READ_WITHIN_MS });
	/** Grows with each word of a write. */
	let written = 0;
	/** Up to which word the standby is known to have everything, and since when. */
	let near: { written: number; at: number } | null = null;
	let reads = 0;
	let closed = false;
	let told: 'near' | 'away' | null = null;
	let wake = (): void => undefined;

	/** @throws when the standby is none of this database, or is too far behind */
	async function look(): Promise<void> {
		const seenWritten = written;
		const began = performance.now();
		const { rows } = await sql<AtPrimary>`select pg_current_wal_insert_lsn()::text as lsn,
			${sql.raw(MARK)} as mark`.execute(db);
		const primary = rows[0]!;
		for (let pause = FIRST_PAUSE_MS; !closed; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
			const answer = await pool.query<Seen>(
				`select pg_is_in_recovery() as is_standby, ${MARK} as mark,
				 coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_there`,
				[primary.lsn]
			);
			const seen = answer.rows[0]!;
			if (!seen.is_standby) throw unused('no-standby');
			// Before its own installation is there, a new standby has none.
			if (seen.is_there && seen.mark !== primary.mark) {
				throw unused('other-database');
			}
			if (seen.is_there) {
				near = { written: seenWritten, at: began };
				return;
			}
			if (performance.now() - began > MOST_BEHIND_MS) {
				throw unused('behind');
			}
			await sleep(pause, undefined, { ref: false });
		}
	}

	async function follow(): Promise<void> {
		while (!closed) {
			const before = written;
			try {
				await look();
				if (told !== 'near') onChange(null);
				told = 'near';
			} catch (error) {
				near = null;
				if (told !== 'away' && !closed) onChange(error);
				told = 'away';
			}
			if (closed || (near !== null && before !== written)) continue;
			await new Promise<void>((done) => {
				const timer = setTimeout(done, LOOK_EVERY_MS).unref();
				wake = () => {
					// What is away is not asked more often than that, however much is written.
					if (near === null && !closed) return;
					clearTimeout(timer);
					done();
				};
			});
		}
	}

	writes.onWord(() => {
		written += 1;
		wake();
	});
	void follow();

	const isNear = (): boolean =>
		writes.isHearing &&
		near !== null &&
		near.written === written &&
		performance.now() - near.at < MOST_BEHIND_MS;

	async function read<Row>(query: CompiledQuery): Promise<QueryResult<Row> | null> {
		if (!isNear()) return null;
		try {
			const { rows } = await pool.query(query.sql, storable(query.parameters));
			reads += 1;
			return { rows: rows as Row[] };
		} catch {
			// What it is the next look finds out; a mistake in the query is the primary's to tell.
			near = null;
			return null;
		}
	}

	return {
		get isNear() {
			return isNear();
		},
		get reads() {
			return reads;
		},
		dialect: (primary) => readingDialect(read, primary),
		async close() {
			closed = true;
			wake();
			await pool.end();
		}
	};
}

type ReadOrNull = <Row>(query: CompiledQuery) => Promise<QueryResult<Row> | null>;

/** Takes single reads only: there is no transaction over two servers. */
function readingDialect(read: ReadOrNull, primary: Primary): Dialect {
	const refuse = (): never => {
		throw new Error('What is read from a standby takes no transaction.');
	};
	const connection: DatabaseConnection = {
		async executeQuery<Row>(query: CompiledQuery) {
			return (
				(await read<Row>(query)) ?? (await primary.executeQuery<Row>(query as CompiledQuery<Row>))
			);
		},
		streamQuery: refuse
	};
	const driver: Driver = {
		init: async () => undefined,
		acquireConnection: async () => connection,
		beginTransaction: async () => refuse(),
		commitTransaction: async () => refuse(),
		rollbackTransaction: async () => refuse(),
		releaseConnection: async () => undefined,
		destroy: async () => undefined
	};
	return {
		createDriver: () => driver,
		createAdapter: () => new PostgresAdapter(),
		createQueryCompiler: () => new PostgresQueryCompiler(),
		createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db)
	};
}
