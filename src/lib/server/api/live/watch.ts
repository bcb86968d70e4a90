/**
 * Finds what is new since the last poll: blocks, migrations, activations, notices, and changes around every
 * page. While nothing is new, each costs one query.
 */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { seqOf } from '../../chains/indexer/tables.ts';
import { hexOrNull } from '../../platform/database/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LiveEvent } from './events.ts';
import type { Frame } from './frame.ts';
import type { LiveTables } from './tables.ts';

/** Blocks of one chain that are reported individually; of more at once only the last ones. */
const BLOCKS = 20;
const ROWS = 200;
/**
 * Rows are read again this far back: replicas write with their own clocks, so a row written now may have an
 * older time than one written before. Nothing measures how far these clocks differ, and reading further back
 * costs few rows. Milliseconds.
 */
const SKEW = 600_000;
/** Interval of progress events of a chain that is behind. Milliseconds. */
const PROGRESS_EVERY = 1_000;

interface SeenChain {
	height: bigint;
	hash: string | null;
	state: string;
	/** Until then no progress is reported for a chain that is behind. */
	quietUntil: number;
}

/** What was found and reported so far; null before the first poll. */
interface Seen {
	frame: Frame | null;
	chains: Map<bigint, SeenChain> | null;
	/** Reported migrations, with the time of the reported change. */
	migrations: Map<string, bigint> | null;
	/** Reported lists of notices, with the time of the reported change. */
	inboxes: Map<string, bigint> | null;
	/** Reported activations, with the reported time and state. */
	activations: Map<string, { at: bigint; told: string }> | null;
}

export class Watch {
	readonly #index: Index;
	readonly #db: Database<LiveTables>;
	readonly #now: () => number;
	readonly #clock: () => number;
	readonly #readFrame: (() => Promise<Frame>) | null;
	#seen: Seen = { frame: null, chains: null, migrations: null, inboxes: null, activations: null };

	constructor(parts: {
		index: Index;
		db: Database<LiveTables>;
		frame?: (() => Promise<Frame>) | undefined;
		/** A monotonic clock, milliseconds. */
		now?: () => number;
		/** Unix milliseconds. */
		clock?: () => number;
	}) {
		this.#index = parts.index;
		this.#db = parts.db;
		this.#readFrame = parts.frame ?? null;
		this.#now = parts.now ?? (() => performance.now());
		this.#clock = parts.clock ?? Date.now;
	}

	/**
	 * Returns the time from which rows are read again. A known time in the future comes from a wrong clock and
	 * must not hide rows written with correct ones.
	 */
	#readFrom(known: Iterable<bigint>): bigint {
		const newest = [...known].reduce((a, b) => (a > b ? a : b), 0n);
		const now = BigInt(this.#clock());
		return (newest < now ? newest : now) - BigInt(SKEW);
	}

	/** Returns what is new; nothing at the first call, which sets the starting point. */
	async look(): Promise<LiveEvent[]> {
		const before = { ...this.#seen };
		try {
			return [
				...(await this.#lookAtChains()),
				...(await this.#lookAtMigrations()),
				...(await this.#lookAtActivations()),
				...(await this.#lookAtNotices()),
				...(await this.#lookAtFrame())
			];
		} catch (error) {
			// Nothing of this poll is reported, so the next one has to find all of it again.
			this.#seen = before;
			throw error;
		}
	}

	async #lookAtFrame(): Promise<LiveEvent[]> {
		const before = this.#seen.frame;
		const frame = (await this.#readFrame?.()) ?? null;
		this.#seen.frame = frame;
		if (before === null || frame === null) return [];
		return [
			...(frame.everyone === before.everyone ? [] : [{ type: 'frame' as const }]),
			...(frame.team === before.team ? [] : [{ type: 'team' as const }])
		];
	}

	async #lookAtChains(): Promise<LiveEvent[]> {
		const rows = await this.#index
			.selectFrom('ix_chains')
			.select(['id', 'name', 'height', 'hash', 'state', 'target_height'])
			.orderBy('id')
			.execute();
		const before = this.#seen.chains;
		const now = this.#now();
		const seen = new Map<bigint, SeenChain>();
		const events: LiveEvent[] = [];
		for (const row of rows) {
			const known = before?.get(row.id);
			const hash = hexOrNull(row.hash);
			const behind = row.state === 'behind';
			if (known?.state === row.state && behind && now < known.quietUntil) {
				// Thousands of blocks a second: they are reported together, a moment later.
				seen.set(row.id, known);
				continue;
			}
			let quietUntil = 0;
			if (before !== null) {
				const moved = hash !== null && hash !== known?.hash;
				if (moved) events.push(...(await this.#newOf(row, known)));
				if (known?.state !== row.state || (moved && behind)) {
					events.push({
						type: 'chain',
						chain: row.name,
						state: row.state,
						height: Number(row.height),
						target: Number(row.target_height)
					});
				}
				if (behind) quietUntil = now + PROGRESS_EVERY;
			}
			seen.set(row.id, { height: row.height, hash, state: row.state, quietUntil });
		}
		this.#seen.chains = seen;
		return events;
	}

	/** Returns new blocks and notarizations of a chain whose tip has changed. */
	async #newOf(
		{ id, name, height }: { id: bigint; name: string; height: bigint },
		known: SeenChain | undefined
	): Promise<LiveEvent[]> {
		// After a reorganization the new tip may be no higher: then only the tip is reported.
		const from = known !== undefined && known.height < height ? known.height : height - 1n;
		const blocks = await this.#index
			.selectFrom('ix_blocks')
			.select(['height', 'hash', 'time'])
			.where('chain', '=', id)
			.where('height', '>', from)
			.where('height', '<=', height)
			.orderBy('height', 'desc')
			.limit(BLOCKS)
			.execute();
		const notarizations = await this.#index
			.selectFrom('ix_notarizations')
			.select(['symbol', 'height'])
			.where('chain', '=', id)
			.where('seq', '>=', seqOf(from + 1n, 0))
			.where('seq', '<', seqOf(height + 1n, 0))
			.orderBy('seq', 'desc')
			.limit(BLOCKS)
			.execute();
		return [
			...blocks.toReversed().map((block) => ({
				type: 'block' as const,
				chain: name,
				height: Number(block.height),
				hash: bytesToHex(block.hash),
				time: Number(block.time)
			})),
			...notarizations.toReversed().map((row) => ({
				type: 'notarization' as const,
				chain: name,
				symbol: row.symbol,
				height: Number(row.height)
			}))
		];
	}

	async #lookAtActivations(): Promise<LiveEvent[]> {
		const before = this.#seen.activations;
		const from = this.#readFrom([...(before?.values() ?? [])].map(({ at }) => at));
		const rows = await this.#db
			.selectFrom('activations')
			.select(['id', 'state', 'step', 'updated_at'])
			.where('updated_at', '>=', from)
			.orderBy('updated_at', 'desc')
			.limit(ROWS)
			.execute();
		// Several steps may be written within a millisecond, so the state is compared as well.
		this.#seen.activations = new Map(
			rows.map((row) => [
				row.id,
				{ at: row.updated_at, told: `${row.updated_at} ${row.state} ${row.step ?? ''}` }
			])
		);
		if (before === null) return [];
		return rows
			.filter(({ id }) => before.get(id)?.told !== this.#seen.activations?.get(id)?.told)
			.toReversed()
			.map(({ id, state }) => ({ type: 'activation', id, state }));
	}

	async #lookAtNotices(): Promise<LiveEvent[]> {
		const before = this.#seen.inboxes;
		const from = this.#readFrom(before?.values() ?? []);
		const rows = await this.#db
			.selectFrom('notice_inboxes')
			.select(['account_id', 'changed_at'])
			.where('changed_at', '>=', from)
			.orderBy('changed_at', 'desc')
			.limit(ROWS)
			.execute();
		this.#seen.inboxes = new Map(rows.map((row) => [row.account_id, row.changed_at]));
		if (before === null) return [];
		return rows
			.filter((row) => before.get(row.account_id) !== row.changed_at)
			.toReversed()
			.map(({ account_id: account }) => ({ type: 'notices', account }));
	}

	async #lookAtMigrations(): Promise<LiveEvent[]> {
		const before = this.#seen.migrations;
		const from = this.#readFrom(before?.values() ?? []);
		const rows = await this.#db
			.selectFrom('migrations')
			.select(['id', 'state', 'path', 'updated_at'])
			.where('updated_at', '>=', from)
			.orderBy('updated_at', 'desc')
			.limit(ROWS)
			.execute();
		// Only rows that the next poll reads again are kept.
		this.#seen.migrations = new Map(rows.map((row) => [row.id, row.updated_at]));
		if (before === null) return [];
		const moved = rows.filter((row) => before.get(row.id) !== row.updated_at).toReversed();
		const news = moved.map(({ id, state }): LiveEvent => ({ type: 'migration', id, state }));
		const published = moved.some(({ path }) => path === 'backup');
		return published ? [...news, { type: 'published' }] : news;
	}
}
