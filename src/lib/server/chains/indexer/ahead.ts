/** Blocks that are fetched and read before they are needed: daemon, network and index work at the same time. */
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { decodeBlock, type DecodedBlock, type RawBlock } from './decode.ts';
import { notarizationOf } from './extract.ts';
import { LARGEST_BATCH, type Candidate, type ChainSource } from './source.ts';
import { decodeVerboseBlock } from './verboseBlock.ts';

/** Blocks in a row, as far as they can be read without the index. */
export interface ReadBlocks {
	blocks: DecodedBlock[];
	/** Of the raw blocks. */
	bytes: number;
	/** Signers by txid of the notarizations that count. */
	notarized: Map<string, number[]>;
}

interface AheadParts {
	source: ChainSource;
	/** Name of the chain. */
	chain: string;
	/** The last block to be read. */
	target: number;
	/** Blocks below this height may come from any daemon of the chain. */
	sharedBelow: number;
}

/** A batch that was asked for. */
interface Asked {
	from: number;
	count: number;
	read: Promise<ReadBlocks>;
}

/** Bytes of blocks that a batch aims at; as hex in JSON twice that goes over the wire. */
const BATCH_BYTES = 1_000_000;
const FIRST_BATCH = 16;
/** How much larger than the last one a batch is at most: the blocks before say little of many more. */
const GROWTH = 8;
/**
 * Batches that are asked for before they are needed, so that the daemon's next answers are on their way while blocks
 * are written. With what a batch aims at and may have at most, they hold some 4 MB of blocks, and never 16 MB.
 */
const AHEAD = 4;

export class Ahead {
	readonly #parts: AheadParts;
	#asked: Asked[] = [];
	#size = FIRST_BATCH;
	/** Batches asked for at once: one until it is known how large blocks are, and for a daemon that has too much to do. */
	#most = 1;
	#spared = false;

	constructor(parts: AheadParts) {
		this.#parts = parts;
	}

	/**
	 * The batch that begins at `from`; those behind it are asked for meanwhile.
	 * @throws {AppError} `indexer`
	 */
	async next(from: number): Promise<ReadBlocks> {
		for (;;) {
			this.#ask(from);
			try {
				const read = await this.#asked.shift()!.read;
				if (read.blocks.length === 0) {
					throw new AppError('indexer.chain-changed', { chain: this.#parts.chain });
				}
				this.#fit(read);
				// The next ones are on their way while this one is written.
				this.#ask(from + read.blocks.length);
				return read;
			} catch (error) {
				if (!this.#spares(error)) throw error;
				await this.settled();
			}
		}
	}

	/** Waits for what was asked for and is not needed any more, so that it is not on the wire beside what comes. */
	async settled(): Promise<void> {
		const asked = this.#asked;
		this.#asked = [];
		await Promise.allSettled(asked.map(({ read }) => read));
	}

	#ask(from: number): void {
		const { target, sharedBelow, source } = this.#parts;
		// A batch that came shorter than asked for leaves a gap before those behind it.
		if (this.#asked[0]?.from !== from) this.#asked = [];
		while (this.#asked.length < this.#most) {
			const last = this.#asked.at(-1);
			const at = last ? last.from + last.count : from;
			const count = Math.min(this.#size, target - at + 1);
			if (count <= 0) break;
			const shared = at + count <= sharedBelow;
			const read = source.blocks(at, count, shared).then((raw) => this.#read(raw, at));
			// It is awaited later; a failure before that must not end the process.
			read.catch(() => undefined);
			this.#asked.push({ from: at, count, read });
		}
	}

	/** Lets the next batches be as large as the blocks of this one allow. */
	#fit({ blocks, bytes }: ReadBlocks): void {
		const fitting = Math.floor((BATCH_BYTES * blocks.length) / Math.max(1, bytes));
		this.#size = Math.max(1, Math.min(LARGEST_BATCH, blocks.length * GROWTH, fitting));
		if (!this.#spared) this.#most = AHEAD;
	}

	/** Asks for less from now on, where that may help against an error. */
	#spares(error: unknown): boolean {
		if (isAppError(error, 'indexer.too-much') && this.#size > 1) {
			this.#size = Math.max(1, this.#size >> 2);
			return true;
		}
		// Its queue may be full of what was asked for here: who is on its own comes through.
		const isBusy =
			isAppError(error, 'indexer.unreachable') && error.params.call.code === 'daemon.busy';
		if (!isBusy || this.#most === 1) return false;
		this.#spared = true;
		this.#most = 1;
		this.#size = Math.min(this.#size, FIRST_BATCH);
		return true;
	}

	/** Reads blocks, with what the daemon says of their notarizations. */
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

	/** A block as the daemon decodes it. @throws {AppError} `indexer` */
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
