/**
 * Reads from a hot standby of the PostgreSQL database. The standby is used only while it has replayed every
 * write that was announced: a client that was just told of a block, or that wrote something, must find it.
 * Otherwise, and whenever a read on the standby fails, the primary is read.
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

/** Maximum age of the last proof that the standby had caught up. Milliseconds. */
const MOST_BEHIND_MS = 3_000;
/** Pause between two checks of its position, while nothing is written. Milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** Pause between two checks while it is behind: the first and the longest. Milliseconds. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
/** Time limit for a read before the primary is asked instead. Milliseconds. */
const READ_WITHIN_MS = 2_000;
const CONNECTIONS = 8;

export interface Standby {
	/** Whether it has every write that was announced. */
	readonly isNear: boolean;
	/** How many reads it served. */
	readonly reads: number;
	/**
	 * Reports a write that was seen at the primary, and whose announcement may still be on its way: servers
	 * announce several writes together.
	 */
	written(): void;
	/** Returns a dialect that reads from the standby when it is near, else from this executor. */
	dialect(primary: Primary): Dialect;
	close(): Promise<void>;
}

interface StandbyParts {
	url: string;
	/** The primary. */
	db: QueryExecutorProvider;
	/** Announces writes. While it is not listening, the primary is read. */
	writes: Pick<Listener, 'isHearing' | 'onWord'>;
	/** Called with null when the standby comes into use, and with the problem when it goes out of use. */
	onChange?: (problem: unknown) => void;
}

/** The database that is read otherwise. */
type Primary = Pick<Kysely<unknown>, 'executeQuery'>;

/** Result of a check on the primary. */
interface AtPrimary {
	lsn: string;
	mark: string | null;
}

/** Result of a check on the standby. */
interface Seen {
	is_standby: boolean;
	is_there: boolean;
	lsn: string | null;
	mark: string | null;
}

const MARK = '(select mark from installation where id = 1)';

const unused = (why: 'no-standby' | 'other-database' | 'behind' | 'ahead'): AppError =>
	new AppError('database.standby-unused', { why });

/** Tracks the position of a standby until it is closed. */
export function createStandby({
	url,
	db,
	writes,
	onChange = () => undefined
}: StandbyParts): Standby {
	const pool = postgresPool(url, CONNECTIONS, READ_WITHIN_MS, { query_timeout: READ_WITHIN_MS });
	/** Number of announced or seen writes. */
	let written = 0;
	/** The number of announced writes that the standby is known to have replayed, and when that was checked. */
	let near: { written: number; at: number } | null = null;
	let reads = 0;
	let closed = false;
	let told: 'near' | 'away' | null = null;
	let wake = (): void => undefined;

	/**
	 * Whether a position of the standby is one that the primary has not reached. A standby receives only what
	 * its primary has written, so this one still follows a former primary, and lacks the writes of the present
	 * one.
	 */
	async function isAhead(lsn: string | null): Promise<boolean> {
		const { rows } = await sql<{ is_ahead: boolean }>`select
			coalesce(pg_current_wal_insert_lsn() < ${lsn}::pg_lsn, true) as is_ahead`.execute(db);
		return rows[0]!.is_ahead;
	}

	/** @throws when the server is no standby of this database, or is too far behind */
	async function look(): Promise<void> {
		const seenWritten = written;
		const began = performance.now();
		const { rows } = await sql<AtPrimary>`select pg_current_wal_insert_lsn()::text as lsn,
			${sql.raw(MARK)} as mark`.execute(db);
		const primary = rows[0]!;
		for (let pause = FIRST_PAUSE_MS; !closed; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
			const answer = await pool.query<Seen>(
				`select pg_is_in_recovery() as is_standby, ${MARK} as mark,
				 pg_last_wal_replay_lsn()::text as lsn,
				 coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_there`,
				[primary.lsn]
			);
			const seen = answer.rows[0]!;
			if (!seen.is_standby) throw unused('no-standby');
			// A new standby has no mark until it has replayed the installation's.
			if (seen.is_there && seen.mark !== primary.mark) {
				throw unused('other-database');
			}
			if (seen.is_there) {
				if (await isAhead(seen.lsn)) throw unused('ahead');
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
					// An unavailable standby is not checked more often than that, however much is written.
					if (near === null && !closed) return;
					clearTimeout(timer);
					done();
				};
			});
		}
	}

	function noteWrite(): void {
		written += 1;
		wake();
	}

	writes.onWord(noteWrite);
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
			// The next check finds the cause; an error of the query itself is reported by the primary.
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
		written: noteWrite,
		dialect: (primary) => readingDialect(read, primary),
		async close() {
			closed = true;
			wake();
			await pool.end();
		}
	};
}

type ReadOrNull = <Row>(query: CompiledQuery) => Promise<QueryResult<Row> | null>;

/** Supports single reads only: a transaction cannot span two servers. */
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
