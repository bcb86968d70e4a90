/** Asks a daemon again for facts that depend on how it was started and on its release, not on the blocks. */
import { HOUR_MS } from '#lib/text/units.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { ChainPosition } from './chains.ts';
import type { Index } from './open.ts';
import type { ChainSource } from './source.ts';
import { signersText } from './store.ts';
import { heightOfSeq } from './tables.ts';

/** Notarizations without known signers that are asked for again, newest first. */
const RECALLED = 500;
/** Blocks in one request, whose calls a daemon answers one after the other. */
const CALLS_AT_ONCE = 50;

/** Stores the cross-chain id that the daemon uses, if it reports it. @throws {AppError} `indexer` */
export async function noteCcid(
	index: Index,
	{ id }: ChainPosition,
	source: ChainSource
): Promise<void> {
	const ccid = await source.ccid();
	if (ccid === undefined) return;
	const told = ccid === null ? null : BigInt(ccid);
	await index
		.updateTable('ix_chains')
		// Invalidates what readers have cached of the index, which an unchanged id must not.
		.set({ ccid: told, written_at: Date.now() })
		.where('id', '=', id)
		.where('ccid', 'is distinct from', told)
		.execute();
}

/** Milliseconds between two attempts; doubles while nothing new is learned. */
const PAUSE_MS = { first: 60_000, last: 6 * HOUR_MS };

/** Decides when a chain's daemon is asked for signers again after its failures, with growing pauses. */
export class Recall {
	readonly #clock: () => number;
	#notBefore = -Infinity;
	#pause = PAUSE_MS.first;

	/** @param clock monotonic clock, in milliseconds */
	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
	}

	/**
	 * Asks again for unknown signers of notarizations, since a newer daemon release knows the notaries of a newer
	 * season. Returns false when the last attempt is too recent.
	 * @throws {AppError} `indexer`
	 */
	async signers(index: Index, chain: ChainPosition, source: ChainSource): Promise<boolean> {
		if (this.#clock() < this.#notBefore) return false;
		// Set before asking, because the request may fail.
		this.#notBefore = this.#clock() + this.#pause;
		this.#pause = Math.min(PAUSE_MS.last, this.#pause * 2);
		if (await recallSigners(index, chain, source)) this.#pause = PAUSE_MS.first;
		return true;
	}
}

/** Stores signers that the daemon knows by now; returns whether there were any. */
async function recallSigners(
	index: Index,
	{ id }: ChainPosition,
	source: ChainSource
): Promise<boolean> {
	const unsigned = await index
		.selectFrom('ix_notarizations')
		.select(['seq', 'txid'])
		.where('chain', '=', id)
		.where('signer_count', '=', 0n)
		.orderBy('seq', 'desc')
		.limit(RECALLED)
		.execute();
	const heights = [...new Set(unsigned.map(({ seq }) => heightOfSeq(seq)))];
	const signers = new Map<string, number[]>();
	for (const part of chunks(heights, CALLS_AT_ONCE)) {
		const found = await source.signers(part);
		for (const [txid, known] of found) signers.set(txid, known);
	}
	let learnt = false;
	for (const { seq, txid } of unsigned) {
		const known = signers.get(Buffer.from(txid).toString('hex'));
		if (known === undefined || known.length === 0) continue;
		learnt = true;
		await index
			.updateTable('ix_notarizations')
			.set({ signers: signersText(known), signer_count: BigInt(known.length) })
			.where('chain', '=', id)
			.where('seq', '=', seq)
			.execute();
	}
	// Invalidates what readers have cached of the index.
	if (learnt)
		await index
			.updateTable('ix_chains')
			.set({ written_at: Date.now() })
			.where('id', '=', id)
			.execute();
	return learnt;
}
