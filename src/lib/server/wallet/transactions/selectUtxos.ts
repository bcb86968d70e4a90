/** Selects the outputs that a payment spends, and computes its fee. Pure. */
import { byAmountDescending, type Satoshi, sumOf } from '#lib/chain/amount.ts';

/** Maximum number of inputs of one transaction: far below the size limit. */
export const MOST_INPUTS = 100;
/** Default fee rate in satoshi per 1,000 bytes: a hundred times the minimum that nodes relay. */
export const USUAL_FEE_RATE: Satoshi = 10_000n;
/**
 * Bounds of a fee rate in satoshi per 1,000 bytes: the minimum that nodes relay, and a hundredth of a coin,
 * above which a daemon calls a fee absurd.
 */
export const FEE_RATES = { least: 100n, most: 1_000_000n } as const;
/** An output below this is dust that no node relays, or costs more to spend than it is worth. */
export const LEAST_OUTPUT: Satoshi = 1_000n;

/** Upper bounds in bytes: an input with a signature and a key, an output to an address, everything else. */
const INPUT_BYTES = 149n;
const OUTPUT_BYTES = 34n;
const FRAME_BYTES = 40n;

/**
 * Returns the fee in satoshi, by upper bounds of the size.
 * @param rate satoshi per 1,000 bytes
 */
export function feeFor(inputs: number, outputs: number, rate: Satoshi): Satoshi {
	const bytes = FRAME_BYTES + BigInt(inputs) * INPUT_BYTES + BigInt(outputs) * OUTPUT_BYTES;
	const fee = (bytes * rate + 999n) / 1_000n;
	return fee > FEE_RATES.least ? fee : FEE_RATES.least;
}

/**
 * Selects outputs that hold at least `needed` of their number: the smallest single one that does, else the
 * fewest of the largest. Returns null when {@link MOST_INPUTS} of the largest hold too little.
 */
export function selectUtxos<T extends { amount: Satoshi }>(
	free: readonly T[],
	needed: (inputs: number) => Satoshi
): T[] | null {
	const descending = free.toSorted(byAmountDescending);
	const single = descending.findLast(({ amount }) => amount >= needed(1));
	if (single) return [single];
	for (let n = 2; n <= Math.min(descending.length, MOST_INPUTS); n++) {
		const chosen = descending.slice(0, n);
		if (sumOf(chosen.map(({ amount }) => amount)) >= needed(n)) return chosen;
	}
	return null;
}

/** One payment. At most one of a transaction may take all that is left. */
export interface Payment {
	address: string;
	/** Satoshi; null for all that the other payments and the fee leave. */
	amount: Satoshi | null;
}

/** A payment with its outputs chosen and its fee known. Amounts are satoshi. */
interface Planned<T> {
	inputs: T[];
	payments: { address: string; amount: Satoshi }[];
	/** Paid back to the wallet; 0 where it would be dust, which is added to the fee. */
	change: Satoshi;
	fee: Satoshi;
}

interface Wish<T> {
	payments: readonly Payment[];
	/** Outputs that may be spent. */
	free: readonly T[];
	/** Whether all of `free` is spent, as selected by coin control. */
	isChosen: boolean;
	/** Fee rate in satoshi per 1,000 bytes. */
	rate: Satoshi;
}

/** Returns the largest outputs, at most {@link MOST_INPUTS}. */
const largest = <T extends { amount: Satoshi }>(free: readonly T[]): T[] =>
	free.toSorted(byAmountDescending).slice(0, MOST_INPUTS);

/**
 * Plans a payment: its inputs, change and fee.
 * @returns the plan, or when the outputs do not suffice the satoshi that are needed and those that one
 * transaction can spend (`reach`)
 */
export function planPayment<T extends { amount: Satoshi }>({
	payments,
	free,
	isChosen,
	rate
}: Wish<T>): { ok: true; plan: Planned<T> } | { ok: false; needed: Satoshi; reach: Satoshi } {
	const fixed = sumOf(payments.map(({ amount }) => amount ?? 0n));
	const takesAll = payments.some(({ amount }) => amount === null);
	const needed = (inputs: number): Satoshi => fixed + feeFor(inputs, payments.length, rate);
	const inputs =
		isChosen || takesAll ? largest(free) : (selectUtxos(free, needed) ?? largest(free));
	const total = sumOf(inputs.map(({ amount }) => amount));
	const fee = feeFor(inputs.length, payments.length, rate);
	const left = total - fixed - fee;
	if (inputs.length === 0 || left < (takesAll ? LEAST_OUTPUT : 0n)) {
		return { ok: false, needed: fixed + fee + (takesAll ? LEAST_OUTPUT : 0n), reach: total };
	}
	// A change output adds to the size, and so to the fee.
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
