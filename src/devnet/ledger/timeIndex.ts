import { hexToBytes } from '#lib/chain/bytes.ts';

/** A block and its logical time: that of its header, but at least one second after the previous block's. */
export interface TimedBlock {
	hash: string;
	time: number;
}

/** Orders by time, then by the bytes of the hash in internal order. */
const storedFirst = (a: TimedBlock, b: TimedBlock): number =>
	a.time - b.time || Buffer.compare(hexToBytes(a.hash).reverse(), hexToBytes(b.hash).reverse());

/** Every block that was ever connected, by logical time; disconnected blocks stay listed. */
export class TimeIndex {
	readonly #times = new Map<string, number>();

	/** Adds a block. If the previous block is not listed, only the header's time counts, as for block 1. */
	add(hash: string, previousHash: string, headerTime: number): void {
		this.#times.set(hash, Math.max(headerTime, (this.#times.get(previousHash) ?? 0) + 1));
	}

	/** Returns the blocks with low <= time < high, oldest first. */
	between(low: number, high: number): TimedBlock[] {
		return [...this.#times]
			.flatMap(([hash, time]) => (time >= low && time < high ? [{ hash, time }] : []))
			.sort(storedFirst);
	}
}
