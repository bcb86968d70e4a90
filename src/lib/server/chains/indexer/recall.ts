/**
 * What the index asks a daemon for once more when it begins to follow a chain: facts that depend on how the
 * daemon was started and on what it knows by now, not on the blocks.
 */
import type { ChainPosition } from './chains.ts';
import type { Index } from './open.ts';
import type { ChainSource } from './source.ts';
import { signersText } from './store.ts';
import { heightOfSeq } from './tables.ts';

/** Notarizations without known signers that are asked for again, the newest first. */
const RECALLED = 500;
/** Blocks in one request: a daemon answers the calls of a batch one after the other. */
const ASKED_AT_ONCE = 50;

/** Writes down the cross-chain id that the daemon works with. @throws {AppError} `indexer` */
export async function noteCcid(
	index: Index,
	{ id }: ChainPosition,
	source: ChainSource
): Promise<void> {
	const ccid = await source.ccid();
	await index
		.updateTable('ix_chains')
		.set({ ccid: ccid === null ? null : BigInt(ccid) })
		.where('id', '=', id)
		.execute();
}

/** Between two times that nothing was learnt the waits double, in milliseconds. */
const PAUSE_MS = { first: 60_000, last: 6 * 3_600_000 };

/** When a chain's daemon is asked for signers once more: after each of its failures, but not as often as it fails. */
export class Recall {
	readonly #clock: () => number;
	#notBefore = -Infinity;
	#pause = PAUSE_MS.first;

	/** @param clock milliseconds of a clock that is never set */
	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
	}

	/**
	 * Asks again who signed the notarizations whose signers the daemon did not know: a newer release knows the
	 * notaries of a newer season. False when that was asked for too short a time ago.
	 * @throws {AppError} `indexer`
	 */
	async signers(index: Index, chain: ChainPosition, source: ChainSource): Promise<boolean> {
		if (this.#clock() < this.#notBefore) return false;
		// Before it is asked: over the answer it may fail again.
		this.#notBefore = this.#clock() + this.#pause;
		this.#pause = Math.min(PAUSE_MS.last, this.#pause * 2);
		if (await recallSigners(index, chain, source)) this.#pause = PAUSE_MS.first;
		return true;
	}
}

/** Writes down signers that are known by now; true when there were any. */
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
	for (let at = 0; at < heights.length; at += ASKED_AT_ONCE) {
		const found = await source.signers(heights.slice(at, at + ASKED_AT_ONCE));
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
	// Who has what the index said before has to ask anew.
	if (learnt)
		await index
			.updateTable('ix_chains')
			.set({ written_at: Date.now() })
			.where('id', '=', id)
			.execute();
	return learnt;
}
