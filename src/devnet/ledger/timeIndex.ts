import { hexToBytes } from '#lib/chain/bytes.ts';

/** A block and the time under which it is listed: its own, or a second more than that of the block before. */
export interface TimedBlock {
	hash: string;
	time: number;
}

/** Equal times stand in the order of the hashes' bytes as they are stored. */
const storedFirst = (a: TimedBlock, b: TimedBlock): number =>
	a.time - b.time || Buffer.compare(hexToBytes(a.hash).reverse(), hexToBytes(b.hash).reverse());

/** Every block that was ever connected, by its time: a block that is taken back stays listed. */
export class TimeIndex {
	readonly #times = new Map<string, number>();

	/** Lists a block; what follows no listed block begins anew, as block 1 does. */
	add(hash: string, previousHash: string, headerTime: number): void {
		this.#times.set(hash, Math.max(headerTime, (this.#times.get(previousHash) ?? 0) + 1));
	}

	/** The blocks from a time on and before another, oldest first. */
	between(low: number, high: number): TimedBlock[] {
		return [...this.#times]
			.flatMap(([hash, time]) => (time >= low && time < high ? [{ hash, time }] : []))
			.sort(storedFirst);
	}
}
