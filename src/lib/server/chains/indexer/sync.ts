/** Indexes one chain: fetches, decodes and writes blocks, and removes blocks after a reorganization. */
import { hexToBytes } from '#lib/chain/bytes.ts';
import { storedMessage } from '#lib/messages/catalogue.ts';
import type { CodedError } from '#lib/messages/errors/index.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { Ahead, type ReadBlocks } from './ahead.ts';
import type { IndexTrx } from './bulk.ts';
import type { ChainPosition } from './chains.ts';
import { extractBlock, rulesFrom } from './extract.ts';
import { neededOutputs, neededTokens } from './needed.ts';
import { nothingFound, type Found } from './found.ts';
import { Lookups } from './lookups.ts';
import type { Index } from './open.ts';
import { ORDER_COLUMNS, ordersOf, readOrders, type Orders } from './orders.ts';
import { Rate } from './rate.ts';
import { noteCcid, Recall } from './recall.ts';
import type { ChainSource } from './source.ts';
import { takeBack, writeFound } from './store.ts';
import { recountFlows } from './totals.ts';

export interface SyncParts {
	index: Index;
	source: ChainSource;
	/** Verifies and renews the lease within a transaction. @throws {AppError} `lease.lost` */
	lease: { renew(trx: IndexTrx): Promise<void> };
	/** Free bytes on disk, and how many the index must leave free; without it, space is unlimited. */
	room?: () => Promise<{ free: number; reserve: number }>;
	/** Called after each write, with the new tip of the index. */
	onWrite?: (chain: string, height: number) => void;
	clock?: () => number;
	/** Shared by successive `ChainSync`s of one chain. */
	recall?: Recall;
}

/** Consecutive blocks that are written in one transaction. */
interface Batch extends ReadBlocks {
	from: number;
}

/**
 * Limits for writing several batches in one transaction. Hashes are random, so each block touches a page of their
 * indexes; the more blocks are written together, the more of them share a page.
 */
const WRITTEN_AT_ONCE = { blocks: 1_000, bytes: 2_000_000, millis: 250 };
/**
 * Blocks this far below the tip are fetched from all daemons of the chain in rotation; nearer the tip, daemons may
 * differ in the blocks they have.
 */
const SETTLED = 1_000;
/** Blocks that are removed in one transaction. */
const TAKEN_BACK_AT_ONCE = 500;
/** Milliseconds between two records of a poll that found nothing new. */
const LOOK_NOTED_MS = 5_000;

/** Polls in a row with blocks that do not connect, before the chain pauses with a problem. */
const MOST_VAIN = 5;

function add({ blocks, bytes, notarized }: ReadBlocks, batch: Batch): void {
	for (const block of blocks) batch.blocks.push(block);
	batch.bytes += bytes;
	for (const [txid, signers] of notarized) batch.notarized.set(txid, signers);
}

export class ChainSync {
	readonly #parts: SyncParts;
	readonly #chain: ChainPosition;
	readonly #lookups: Lookups;
	readonly #clock: () => number;
	readonly #recalling: Recall;
	/** Facts to ask the daemon for again, because it may have been restarted with other settings. */
	#unasked = { ccid: true, signers: true };
	#target: number;
	readonly #rate = new Rate();
	#notedAt = 0;
	/** Orders of admins when the chain's row was last read or written. */
	#orders: Orders = { paused: false, reindexFrom: null };
	#pauseNoted = false;
	/** Whether old blocks are requested from several daemons; false once they disagree. */
	#shares = true;

	constructor(chain: ChainPosition, parts: SyncParts) {
		this.#chain = chain;
		this.#target = chain.target;
		this.#parts = parts;
		this.#clock = parts.clock ?? Date.now;
		this.#recalling = parts.recall ?? new Recall();
		this.#lookups = new Lookups(chain.id);
	}

	get height(): number {
		return this.#chain.height;
	}

	/**
	 * Brings the index to the daemon's tip. `stopped` is looked at between batches.
	 *
	 * @param ordered orders of the chain that were read after the last catch-up; read here when omitted
	 * @throws {AppError} `indexer`, `lease.lost`
	 */
	async catchUp(stopped: () => boolean = () => false, ordered?: Orders): Promise<void> {
		const { source } = this.#parts;
		/** Consecutive attempts where blocks did not connect although none had to be removed. */
		let vain = 0;
		this.#shares = true;
		while (!stopped()) {
			this.#orders = ordered ?? (await ordersOf(this.#parts.index, this.#chain.id));
			ordered = undefined;
			if (this.#orders.paused) return await this.#notePause();
			this.#pauseNoted = false;
			await this.#checkRoom();
			if (!(await this.#beginAsWanted(stopped))) continue;
			if (!(await this.#reindex(stopped))) continue;
			const tip = await source.tip();
			if (tip === this.#chain.hash) {
				await this.#recall();
				await this.#noteLook('current');
				return;
			}
			this.#target = await source.height();
			try {
				if (this.#target <= this.#chain.height) throw this.#changed();
				await this.#follow(() => stopped() || this.#isOrdered());
				vain = 0;
			} catch (error) {
				if (!isAppError(error, 'indexer.chain-changed')) throw error;
				// One of the daemons may follow another chain than the one that is asked for the tip.
				this.#shares = false;
				vain = (await this.#returnToFork()) ? 0 : vain + 1;
				// A chain that changes while it is read is tried again at once, but not forever.
				if (vain >= MOST_VAIN) {
					throw new AppError('indexer.blocks-do-not-follow', {
						chain: this.#chain.name,
						height: String(this.height)
					});
				}
			}
		}
	}

	/** Whether an order must be executed before the next blocks are read. */
	#isOrdered(): boolean {
		return this.#orders.paused || this.#orders.reindexFrom !== null;
	}

	/**
	 * Begins anew if the configured start height has changed, or other rules read the blocks; returns false when it
	 * was interrupted.
	 */
	async #beginAsWanted(stopped: () => boolean): Promise<boolean> {
		const chain = this.#chain;
		const { wantedStart, startHeight, rules } = chain;
		const wantedRules = rulesFrom(wantedStart);
		if (wantedStart === startHeight && rules === wantedRules) return true;
		await this.#takeBackTo(startHeight - 1, () => stopped() || this.#orders.paused);
		if (chain.height >= startHeight) return false;
		const height = wantedStart - 1;
		await this.#transaction(async (write) => {
			if (rules !== wantedRules) await recountFlows(write);
			await write.trx
				.updateTable('ix_chains')
				.set({
					start_height: wantedStart,
					rules: wantedRules,
					height,
					hash: null,
					genesis: null,
					state: 'waiting'
				})
				.where('id', '=', chain.id)
				.execute();
		});
		const begun = {
			startHeight: wantedStart,
			rules: wantedRules,
			height,
			hash: null,
			genesis: null
		};
		Object.assign(chain, begun);
		return true;
	}

	/**
	 * Removes the blocks that are to be read again; returns false when it was interrupted. The order stays until
	 * all of them are removed.
	 */
	async #reindex(stopped: () => boolean): Promise<boolean> {
		const from = this.#orders.reindexFrom;
		if (from === null) return true;
		const { startHeight } = this.#chain;
		const height = Math.max(startHeight, from) - 1;
		await this.#takeBackTo(height, () => stopped() || this.#orders.paused);
		if (this.#chain.height > height) return false;
		await this.#transaction(({ trx }) =>
			trx
				.updateTable('ix_chains')
				.set({ reindex_from: null })
				.where('id', '=', this.#chain.id)
				// Another order may have arrived meanwhile.
				.where('reindex_from', '=', BigInt(from))
				.execute()
		);
		this.#orders = { ...this.#orders, reindexFrom: null };
		return true;
	}

	/** The chain has changed since a batch was requested. */
	#changed(): AppError {
		return new AppError('indexer.chain-changed', { chain: this.#chain.name });
	}

	/** @throws {AppError} `indexer.no-room` */
	async #checkRoom(): Promise<void> {
		const room = await this.#parts.room?.();
		if (room && room.free < room.reserve) throw new AppError('indexer.no-room', room);
	}

	/**
	 * Asks the daemon again for what does not follow from blocks. Only at the tip, because a daemon says nothing
	 * about a block that is no longer in its chain.
	 */
	async #recall(): Promise<void> {
		const { source, index } = this.#parts;
		if (this.#unasked.ccid) {
			await noteCcid(index, this.#chain, source);
			this.#unasked.ccid = false;
		}
		if (this.#unasked.signers) {
			this.#unasked.signers = !(await this.#recalling.signers(index, this.#chain, source));
		}
	}

	/** Fetches and writes blocks; the next batches are fetched and decoded while one is written. */
	async #follow(stopped: () => boolean): Promise<void> {
		const ahead = new Ahead({
			source: this.#parts.source,
			chain: this.#chain.name,
			target: this.#target,
			sharedBelow: this.#shares ? this.#target - SETTLED : -1
		});
		this.#rate.begin(performance.now());
		let batch: Batch | null = null;
		let began = performance.now();
		while (!stopped() && this.#chain.height < this.#target) {
			const from: number = batch ? batch.from + batch.blocks.length : this.#chain.height + 1;
			const read = await ahead.next(from);
			if (batch === null) {
				batch = { from, ...read };
				began = performance.now();
			} else add(read, batch);
			if (
				from + read.blocks.length > this.#target ||
				batch.blocks.length >= WRITTEN_AT_ONCE.blocks ||
				batch.bytes >= WRITTEN_AT_ONCE.bytes ||
				performance.now() - began >= WRITTEN_AT_ONCE.millis
			) {
				await this.#write(batch);
				batch = null;
			}
		}
		await ahead.settled();
	}

	async #write({ from, blocks, notarized }: Batch): Promise<void> {
		const chain = this.#chain;
		if (from !== chain.height + 1) throw this.#changed();
		let previous = chain.hash;
		for (const block of blocks) {
			if (previous !== null && block.previousHash !== previous) throw this.#changed();
			previous = block.hash;
		}
		await this.#checkRoom();
		const height = from + blocks.length - 1;
		const hash = previous!;
		try {
			await this.#transaction(async (trx) => {
				const lookups = this.#lookups;
				await lookups.loadOutputs(trx, neededOutputs(blocks));
				await lookups.loadTokens(trx, neededTokens(blocks));
				const found: Found = nothingFound();
				const known = { outputs: lookups.outputs, tokens: lookups.tokens, notarized };
				blocks.forEach((block, at) => {
					extractBlock(chain.name, from + at, block, known, found);
				});
				await writeFound(trx, chain, found);
				for (const { prev } of found.inputs) {
					if (prev) lookups.outputs.delete(`${prev.txid}:${prev.n}`);
				}
				const state = height >= this.#target ? 'current' : 'behind';
				await this.#move(trx, height, hash, state, {
					...(from === 0 ? { genesis: hexToBytes(blocks[0]!.hash) } : {}),
					rate: state === 'current' ? 0 : Math.round(this.#rate.perSecond() ?? 0)
				});
			});
		} catch (error) {
			this.#lookups.clear();
			throw error;
		}
		this.#lookups.trim();
		chain.height = height;
		chain.hash = hash;
		if (from === 0) chain.genesis = blocks[0]!.hash;
		this.#rate.add(blocks.length, performance.now());
		this.#parts.onWrite?.(chain.name, height);
	}

	/**
	 * Removes every block that the daemon's chain no longer contains; returns false when it contains them all.
	 * While the daemon's tip is a block of the index, nothing is removed: a restarted daemon, or another one that
	 * is still catching up, merely lacks later blocks.
	 * @throws {AppError} `indexer.daemon-behind`, `indexer.chain-changed`, `indexer.unreachable`
	 */
	async #returnToFork(): Promise<boolean> {
		const chain = this.#chain;
		const tip = await this.#parts.source.height();
		const top = Math.min(chain.height, tip);
		const fork = await this.#findFork(top);
		const hasNext = chain.hash !== null || tip > chain.height;
		if (fork === chain.height && hasNext) return false;
		if (fork === top) {
			const next = chain.height + 1;
			throw new AppError('indexer.daemon-behind', { chain: chain.name, tip: top, next });
		}
		// All smart chains share their first block, so an apparent reorganization may be another chain.
		await this.#parts.source.confirm();
		await this.#takeBackTo(
			fork,
			() => false,
			({ trx }) =>
				trx
					.updateTable('ix_chains')
					.set((eb) => ({ reorgs: eb('reorgs', '+', 1n) }))
					.where('id', '=', chain.id)
					.execute()
		);
		return true;
	}

	/**
	 * Removes every block above a height, in transactions of limited size; `stopped` is checked between them.
	 *
	 * @param last additional work in the last transaction
	 */
	async #takeBackTo(
		lowest: number,
		stopped: () => boolean,
		last?: (trx: IndexTrx) => Promise<unknown>
	): Promise<void> {
		const chain = this.#chain;
		this.#lookups.clear();
		while (chain.height > lowest && !stopped()) {
			const height = Math.max(lowest, chain.height - TAKEN_BACK_AT_ONCE);
			const hash = height < chain.startHeight ? null : await this.#storedHash(height);
			await this.#transaction(async (trx) => {
				await takeBack(trx, chain, height);
				await this.#move(trx, height, hash, 'behind', { rate: 0 });
				if (height === lowest) await last?.(trx);
			});
			chain.height = height;
			chain.hash = hash;
			this.#parts.onWrite?.(chain.name, height);
		}
	}

	/**
	 * Returns the highest block up to `top` that index and daemon share; one below the start height when there is
	 * none. `top` is at most the daemon's tip.
	 * @throws {AppError} `indexer.chain-changed`
	 */
	async #findFork(top: number): Promise<number> {
		const { startHeight } = this.#chain;
		const shared = async (at: number): Promise<boolean> => {
			const hash = await this.#parts.source.hashAt(at);
			// Another daemon with fewer blocks answers by now.
			if (hash === null) throw this.#changed();
			return hash === (await this.#storedHash(at));
		};
		let wrong = top + 1;
		let right = Math.min(top, startHeight - 1);
		for (let step = 1, at = top; at >= startHeight; at -= step, step *= 2) {
			if (await shared(at)) {
				right = at;
				break;
			}
			wrong = at;
		}
		while (wrong - right > 1) {
			const middle = (wrong + right) >> 1;
			if (await shared(middle)) right = middle;
			else wrong = middle;
		}
		return right;
	}

	async #storedHash(height: number): Promise<string> {
		const row = await this.#parts.index
			.selectFrom('ix_blocks')
			.select('hash')
			.where('chain', '=', this.#chain.id)
			.where('height', '=', BigInt(height))
			.executeTakeFirst();
		return row ? Buffer.from(row.hash).toString('hex') : '';
	}

	async #move(
		{ trx }: IndexTrx,
		height: number,
		hash: string | null,
		state: string,
		more: { genesis?: Uint8Array; rate?: number }
	): Promise<void> {
		const now = this.#clock();
		const row = await trx
			.updateTable('ix_chains')
			.set({
				height,
				hash: hash === null ? null : hexToBytes(hash),
				target_height: this.#target,
				state,
				problem: null,
				looked_at: now,
				written_at: now,
				...more
			})
			.where('id', '=', this.#chain.id)
			.returning(ORDER_COLUMNS)
			.executeTakeFirstOrThrow();
		this.#orders = readOrders(row);
		this.#notedAt = now;
	}

	/** Records that the daemon was polled, and the result. */
	async #noteLook(state: string): Promise<void> {
		const now = this.#clock();
		// `abs`, because the wall clock may be set back.
		if (Math.abs(now - this.#notedAt) < LOOK_NOTED_MS) return;
		await this.#transaction(({ trx }) =>
			trx
				.updateTable('ix_chains')
				.set({ state, problem: null, target_height: this.#chain.height, looked_at: now })
				.where('id', '=', this.#chain.id)
				.execute()
		);
		this.#notedAt = now;
	}

	/** Records the pause again, because a block written at that moment may have changed the state. */
	async #notePause(): Promise<void> {
		if (this.#pauseNoted) return;
		await this.#transaction(({ trx }) =>
			trx
				.updateTable('ix_chains')
				.set({ state: 'waiting', problem: null, rate: 0 })
				.where('id', '=', this.#chain.id)
				.where('paused_at', 'is not', null)
				.execute()
		);
		this.#pauseNoted = true;
		// Makes the first poll after the pause be recorded.
		this.#notedAt = 0;
	}

	/** Records why the chain cannot be indexed now. */
	async noteProblem(problem: CodedError): Promise<void> {
		this.#notedAt = 0;
		await this.#transaction(({ trx }) =>
			trx
				.updateTable('ix_chains')
				.set({ state: 'waiting', problem: storedMessage(problem) })
				.where('id', '=', this.#chain.id)
				.execute()
		);
	}

	#transaction(work: (trx: IndexTrx) => Promise<unknown>): Promise<void> {
		const { index, lease } = this.#parts;
		return index.write(async (trx) => {
			await lease.renew(trx);
			await work(trx);
		});
	}
}
