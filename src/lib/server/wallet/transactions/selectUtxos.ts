/** Which outputs a payment spends, and what it costs. Pure. */
import type { Satoshi } from '#lib/chain/amount.ts';

/** Outputs that one transaction of ours spends: it stays far below the size limit. */
export const MOST_INPUTS = 100;
/** Satoshi for each 1,000 bytes, where nobody chooses: a hundred times what nodes ask for. */
export const USUAL_FEE_RATE: Satoshi = 10_000n;
/** What nodes relay, and a hundredth of a coin: above, a daemon calls a fee absurd. */
export const FEE_RATES = { least: 100n, most: 1_000_000n } as const;
/** An output below this is dust that no node relays, or costs more to spend than it is worth. */
export const LEAST_OUTPUT: Satoshi = 1_000n;

/** Upper bounds in bytes: an input with a signature and a key, an output to an address, everything else. */
const INPUT_BYTES = 149n;
const OUTPUT_BYTES = 34n;
const FRAME_BYTES = 40n;

/** @param rate satoshi for each 1,000 bytes */
export function feeFor(inputs: number, outputs: number, rate: Satoshi): Satoshi {
	const bytes = FRAME_BYTES + BigInt(inputs) * INPUT_BYTES + BigInt(outputs) * OUTPUT_BYTES;
	const fee = (bytes * rate + 999n) / 1_000n;
	return fee > FEE_RATES.least ? fee : FEE_RATES.least;
}

const sum = (utxos: readonly { amount: Satoshi }[]): Satoshi =>
	utxos.reduce((total, { amount }) => total + amount, 0n);

/**
 * Outputs that hold at least what `needed` says for their number: the smallest single one that does, else the
 * largest together. Null when all of them are too little.
 */
export function selectUtxos<T extends { amount: Satoshi }>(
	free: readonly T[],
	needed: (inputs: number) => Satoshi
): T[] | null {
	const descending = free.toSorted((a, b) =>
		a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0
	);
	const single = descending.findLast(({ amount }) => amount >= needed(1));
	if (single) return [single];
	for (let n = 2; n <= Math.min(descending.length, MOST_INPUTS); n++) {
		const chosen = descending.slice(0, n);
		if (sum(chosen) >= needed(n)) return chosen;
	}
	return null;
}

/** What a payment pays out: of one recipient the amount may be whatever is left. */
export interface Payment {
	address: string;
	/** Satoshi; null for all that the others and the fee leave. */
	amount: Satoshi | null;
}

/** A payment with its outputs chosen and its fee known. Amounts are satoshi. */
interface Planned<T> {
	inputs: T[];
	payments: { address: string; amount: Satoshi }[];
	/** Back to the wallet; 0 where it would be dust, which goes to the fee. */
	change: Satoshi;
	fee: Satoshi;
}

interface Wish<T> {
	payments: readonly Payment[];
	/** What may be spent. */
	free: readonly T[];
	/** All of `free` is spent: it was chosen by hand. */
	isChosen: boolean;
	/** Satoshi for each 1,000 bytes. */
	rate: Satoshi;
}

/** The outputs that hold most, as many as one transaction spends. */
const largest = <T extends { amount: Satoshi }>(free: readonly T[]): T[] =>
	free
		.toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
		.slice(0, MOST_INPUTS);

/**
 * @returns the plan, or how many satoshi are needed where the outputs do not suffice, and how many of them one
 * transaction reaches
 */
export function planPayment<T extends { amount: Satoshi }>({
	payments,
	free,
	isChosen,
	rate
}: Wish<T>): { ok: true; plan: Planned<T> } | { ok: false; needed: Satoshi; reach: Satoshi } {
	const fixed = payments.reduce((total, { amount }) => total + (amount ?? 0n), 0n);
	const takesAll = payments.some(({ amount }) => amount === null);
	const needed = (inputs: number): Satoshi => fixed + feeFor(inputs, payments.length, rate);
	const inputs =
		isChosen || takesAll ? largest(free) : (selectUtxos(free, needed) ?? largest(free));
	const total = sum(inputs);
	const fee = feeFor(inputs.length, payments.length, rate);
	const left = total - fixed - fee;
	if (inputs.length === 0 || left < (takesAll ? LEAST_OUTPUT : 0n)) {
		return { ok: false, needed: fixed + fee + (takesAll ? LEAST_OUTPUT : 0n), reach: total };
	}
	// With change there is one output more to pay for.
	const rest = total - fixed - feeFor(inputs.length, payments.length + 1, rate);
	const change = takesAll || rest < LEAST_OUTPUT ? 0n : rest;
	return {
		ok: true,
		plan: {
			inputs,
			payments: payments.map(({ address, amount }) => ({ address, amount: amount ?? left })),
			change,
			fee: takesAll ? fee : total - fixed - change
		}
	};
}
