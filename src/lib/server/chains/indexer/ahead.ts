/** Fetches and decodes blocks before they are needed, so that daemon, network and index work at the same time. */
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { decodeBlock, type DecodedBlock, type RawBlock } from './decode.ts';
import { notarizationOf } from './extractCrossChain.ts';
import { LARGEST_BATCH, type Candidate, type ChainSource } from './source.ts';
import { decodeVerboseBlock } from './verboseBlock.ts';

/** Consecutive blocks, decoded as far as possible without the index. */
export interface ReadBlocks {
	blocks: DecodedBlock[];
	/** Total size of the raw blocks. */
	bytes: number;
	/** Numbers of the signing notaries by txid, for the notarizations that count. */
	notarized: Map<string, number[]>;
}

interface AheadParts {
	source: ChainSource;
	/** Name of the chain. */
	chain: string;
	/** Height of the last block to read. */
	target: number;
	/** Blocks below this height may come from any daemon of the chain. */
	sharedBelow: number;
}

/** A batch that was requested. */
interface Asked {
	from: number;
	count: number;
	read: Promise<ReadBlocks>;
}

/** Size of blocks, in bytes, that a batch aims at; as hex in JSON it is twice as large. */
const BATCH_BYTES = 1_000_000;
const FIRST_BATCH = 16;
/** Factor by which a batch may exceed the previous one, because the sizes of a few blocks say little about many. */
const GROWTH = 8;
/**
 * Batches requested ahead, so that the daemon's next answers arrive while blocks are written. With the target and
 * maximum size of a batch they hold about 4 MB of blocks, and never more than 16 MB.
 */
const AHEAD = 4;

export class Ahead {
	readonly #parts: AheadParts;
	#asked: Asked[] = [];
	#size = FIRST_BATCH;
	/** Batches requested at once: one until the size of blocks is known, and for an overloaded daemon. */
	#most = 1;
	#spared = false;

	constructor(parts: AheadParts) {
		this.#parts = parts;
	}

	/** Returns the batch that begins at `from`, and requests the following ones. @throws {AppError} `indexer` */
	async next(from: number): Promise<ReadBlocks> {
		for (;;) {
			this.#ask(from);
			try {
				const read = await this.#asked.shift()!.read;
				if (read.blocks.length === 0) {
					throw new AppError('indexer.chain-changed', { chain: this.#parts.chain });
				}
				this.#fit(read);
				// Requests the next batches before the caller writes this one.
				this.#ask(from + read.blocks.length);
				return read;
			} catch (error) {
				if (!this.#spares(error)) throw error;
				await this.settled();
			}
		}
	}

	/** Discards the requested batches, and waits until their requests no longer compete with later ones. */
	async settled(): Promise<void> {
		const asked = this.#asked;
		this.#asked = [];
		await Promise.allSettled(asked.map(({ read }) => read));
	}

	#ask(from: number): void {
		const { target, sharedBelow, source } = this.#parts;
		// A batch that was shorter than requested leaves a gap before the following ones.
		if (this.#asked[0]?.from !== from) this.#asked = [];
		while (this.#asked.length < this.#most) {
			const last = this.#asked.at(-1);
			const at = last ? last.from + last.count : from;
			const count = Math.min(this.#size, target - at + 1);
			if (count <= 0) break;
			const shared = at + count <= sharedBelow;
			const read = source.blocks(at, count, shared).then((raw) => this.#read(raw, at));
			// The promise is awaited later; a failure before that must not end the process.
			read.catch(() => undefined);
			this.#asked.push({ from: at, count, read });
		}
	}

	/** Sets the size of the next batches by the size of these blocks. */
	#fit({ blocks, bytes }: ReadBlocks): void {
		const fitting = Math.floor((BATCH_BYTES * blocks.length) / Math.max(1, bytes));
		this.#size = Math.max(1, Math.min(LARGEST_BATCH, blocks.length * GROWTH, fitting));
		if (!this.#spared) this.#most = AHEAD;
	}

	/** Reduces further requests where that may avoid the error; returns whether it did. */
	#spares(error: unknown): boolean {
		if (isAppError(error, 'indexer.too-much') && this.#size > 1) {
			this.#size = Math.max(1, this.#size >> 2);
			return true;
		}
		// The daemon's queue may be full of requests of this indexer: a single one then succeeds.
		const isBusy =
			isAppError(error, 'indexer.unreachable') && error.params.call.code === 'daemon.busy';
		if (!isBusy || this.#most === 1) return false;
		this.#spared = true;
		this.#most = 1;
		this.#size = Math.min(this.#size, FIRST_BATCH);
		return true;
	}

	/** Decodes blocks, and asks the daemon which of their notarizations count. */
	async #read(raw: readonly RawBlock[], from: number): Promise<ReadBlocks> {
		const { source, chain } = this.#parts;
		const read: ReadBlocks = { blocks: [], bytes: 0, notarized: new Map() };
		const candidates: Candidate[] = [];
		for (const block of raw) {
			const height = from + read.blocks.length;
			const decoded = decodeBlock(block) ?? (await this.#verbose(height));
			for (const { tx, txid } of decoded.transactions) {
				const notarization = notarizationOf(chain, tx);
				if (notarization) candidates.push({ height, txid, symbol: notarization.data.symbol });
			}
			read.blocks.push(decoded);
			read.bytes += block.bytes.length;
		}
		if (candidates.length > 0) read.notarized = await source.notarized(candidates);
		return read;
	}

	/** Returns a block as decoded by the daemon. @throws {AppError} `indexer` */
	async #verbose(height: number): Promise<DecodedBlock> {
		const text = await this.#parts.source.verboseBlock(height);
		try {
			return decodeVerboseBlock(text, height);
		} catch (error) {
			if (!isAppError(error, 'indexer.block-mismatch')) throw error;
			const facts = { chain: this.#parts.chain, why: error.params };
			throw new AppError('indexer.block-unusable', facts, { cause: error });
		}
	}
}
