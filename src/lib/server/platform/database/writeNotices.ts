/**
 * Servers of one PostgreSQL database notify each other of writes: `NOTIFY` after the commit, and one listening
 * connection per process. A notification has no content: its receivers read the database. The same connection
 * receives what callers have used of their rate limits.
 */
import pg from 'pg';
import { sql, type QueryExecutorProvider } from 'kysely';
import { backOff } from '../async/backOff.ts';

/** Notification channel. A stray notification of another program only causes an additional read. */
export const CHANNEL = 'komodeck_written';
/** Payload when only the index was written, which happens all the time; empty for any other write. */
export const OF_INDEX = 'index';
/** Channel on which servers announce what callers have used of their rate limits. */
const BUDGETS = 'komodeck_budgets';
/** Minimum interval between two notifications of a process, in milliseconds; the first is sent at once. */
const APART_MS = 100;

/** Tables of counters, sessions and leases, whose changes no page shows at once. */
const QUIET: ReadonlySet<string> = new Set([
	'throttle',
	'idempotency_keys',
	'ix_lease',
	'notice_watches',
	'sessions',
	'session_places',
	'api_token_uses',
	'api_token_counts'
]);

const TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?(\w+)/i;

/**
 * Whether a statement that changed rows may have changed what pages show; an unrecognized statement counts as
 * one.
 */
export function isTold(statement: string): boolean {
	const table = TABLE.exec(statement)?.[1];
	return table === undefined || !QUIET.has(table.toLowerCase());
}

/** Notifies the servers of the database. */
export interface Notifier {
	/** Reports a commit. */
	written(): void;
	/** Sends what is still pending, and nothing afterwards. */
	end(): Promise<void>;
}

/**
 * Sends notifications as separate statements, outside the transactions: PostgreSQL serializes the commits of
 * all transactions that contain a NOTIFY, so each would wait for the others' disk writes. A lost notification
 * is made up for by the next poll.
 *
 * @param notify sends one notification
 */
export function createNotifier(notify: () => Promise<unknown>): Notifier {
	let ended = false;
	let timer: NodeJS.Timeout | undefined;
	let left = false;
	let going: Promise<unknown> = Promise.resolve();

	function tell(): void {
		left = false;
		going = notify().catch(() => undefined);
		timer = setTimeout(() => {
			timer = undefined;
			if (left) tell();
		}, APART_MS).unref();
	}

	return {
		written() {
			if (ended) return;
			if (timer === undefined) tell();
			else left = true;
		},
		async end() {
			ended = true;
			clearTimeout(timer);
			if (left) tell();
			clearTimeout(timer);
			await going;
		}
	};
}

/** Channel on which servers announce what callers have used of their rate limits; messages may be lost. */
export interface BudgetWire {
	tell(text: string): Promise<unknown>;
	onTold(hear: (text: string) => void): void;
}

/** Receives notifications. */
export interface Listener {
	/** Whether notifications are known to arrive: then no polling is needed. */
	readonly isHearing: boolean;
	/** Number of notifications received. */
	readonly heard: number;
	/** Number of notifications received, without those about the index. */
	readonly heardOfOwn: number;
	/** Calls back after each notification, and when they begin to arrive: earlier ones may be lost. */
	onWord(hear: () => void): void;
	/** Carries the announcements of all servers, including this one. */
	readonly budgets: BudgetWire;
	stop(): Promise<void>;
}

interface ListenerParts {
	url: string;
	/** The database through connections other than the listening one. */
	db: QueryExecutorProvider;
	/** Called once when notifications have not arrived for a while, and once when they arrive again. */
	onChange?: (hears: boolean) => void;
	/** Time limit for a check, in milliseconds. */
	proofWithin?: number;
	/** Milliseconds before the next attempt, by the number of failures in a row. */
	pause?: (failures: number) => number;
}

/** Between two checks that notifications arrive. */
const PROVE_EVERY_MS = 10_000;
const PROOF_WITHIN_MS = 2_000;
/** Consecutive failures before they are reported: a restart of the database server is not reported. */
const TOLD_AFTER = 3;
/**
 * Makes PostgreSQL drop the connection of a vanished machine within half a minute: with the system's default
 * of two hours, it would keep a restore waiting.
 */
const KEPT_ALIVE =
	'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/**
 * Listens on a dedicated connection, and reconnects when it is lost. Periodically checks that notifications
 * arrive, by sending one to itself through another connection: a pooler in transaction mode accepts LISTEN and
 * forwards nothing, and a dead network reports nothing at all.
 */
export function createListener(parts: ListenerParts): Listener {
	const { url, db, onChange = () => undefined, pause = backOff } = parts;
	const { proofWithin = PROOF_WITHIN_MS } = parts;
	const proof = `${CHANNEL}_${crypto.randomUUID().replaceAll('-', '')}`;
	const hearers = new Set<() => void>();
	const budgetHearers = new Set<(text: string) => void>();
	let client: pg.Client | null = null;
	let isHearing = false;
	let heard = 0;
	let heardOfOwn = 0;
	let failures = 0;
	let toldDeaf = false;
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;

	function word(said = ''): void {
		heard += 1;
		if (said !== OF_INDEX) heardOfOwn += 1;
		for (const hear of hearers) hear();
	}

	function later(ms: number, work: () => void): void {
		clearTimeout(timer);
		if (!stopped) timer = setTimeout(work, ms).unref();
	}

	/** Discards a connection that failed; events of an earlier connection are ignored. */
	function lost(which: pg.Client): void {
		if (which !== client) return;
		client = null;
		isHearing = false;
		failures += 1;
		if (failures === TOLD_AFTER && !toldDeaf) {
			toldDeaf = true;
			onChange(false);
		}
		which.end().catch(() => undefined);
		later(pause(failures), begin);
	}

	function prove(which: pg.Client): void {
		later(proofWithin, () => lost(which));
		// If the notification cannot be sent, the timer ends the check.
		sql`select pg_notify(${proof}, '')`.execute(db).catch(() => undefined);
	}

	function proved(which: pg.Client): void {
		failures = 0;
		if (toldDeaf) onChange(true);
		toldDeaf = false;
		later(PROVE_EVERY_MS, () => prove(which));
		if (isHearing) return;
		isHearing = true;
		word();
	}

	function begin(): void {
		const opened = new pg.Client({
			connectionString: url,
			connectionTimeoutMillis: proofWithin,
			keepAlive: true
		});
		client = opened;
		opened.on('error', () => lost(opened));
		opened.on('end', () => lost(opened));
		opened.on('notification', ({ channel, payload = '' }) => {
			if (opened !== client) return;
			if (channel === proof) proved(opened);
			else if (channel === BUDGETS) for (const hear of budgetHearers) hear(payload);
			else if (isHearing) word(payload);
		});
		opened
			.connect()
			.then(async () => {
				// Also ends an attempt whose statements are never answered.
				later(proofWithin, () => lost(opened));
				await opened.query(KEPT_ALIVE);
				await opened.query(`listen ${CHANNEL}; listen ${BUDGETS}; listen ${proof}`);
			})
			.then(
				() => {
					if (opened === client) prove(opened);
				},
				() => lost(opened)
			);
	}

	begin();
	return {
		get isHearing() {
			return isHearing;
		},
		get heard() {
			return heard;
		},
		get heardOfOwn() {
			return heardOfOwn;
		},
		onWord: (hear) => void hearers.add(hear),
		budgets: {
			tell: (text) => sql`select pg_notify(${BUDGETS}, ${text})`.execute(db),
			onTold: (hear) => void budgetHearers.add(hear)
		},
		async stop() {
			stopped = true;
			clearTimeout(timer);
			const last = client;
			client = null;
			isHearing = false;
			await last?.end().catch(() => undefined);
		}
	};
}
