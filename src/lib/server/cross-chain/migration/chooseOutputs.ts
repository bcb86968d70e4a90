/**
 * Chooses the outputs that a composed transaction spends. The daemon adds none once one is given (Komodo daemon
 * 0.9.0: `fundrawtransaction` then answers -32603, "Insufficient funds"), so missing ones are chosen here, before
 * the transaction is composed.
 */
import { byAmountDescending, type Satoshi } from '#lib/chain/amount.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import type { Outpoint } from './customRequest.ts';

/** An unspent output of a wallet. */
export interface Unspent extends Outpoint {
	amount: Satoshi;
	confirmations: number;
	spendable: boolean;
}

/** Smallest fee that funding adds. (Komodo daemon 0.9.0.) */
export const LEAST_FUNDING_FEE: Satoshi = 5_000n;
/** Satoshi that funding pays per byte of a larger transaction, and approximate size of an input. */
const FEE_PER_BYTE = 1n;
const INPUT_BYTES = 150n;
/** Bytes for the burn, the change, and one more output. */
const OTHER_BYTES = 1_000n;

/** Returns the fee that funding adds to a transaction with so many inputs. */
export function fundingFee(inputs: number): Satoshi {
	const bySize = (BigInt(inputs) * INPUT_BYTES + OTHER_BYTES) * FEE_PER_BYTE;
	return bySize > LEAST_FUNDING_FEE ? bySize : LEAST_FUNDING_FEE;
}

/**
 * Returns the chosen outputs, followed by as few others as are needed to pay `total` and the fee. Only the chosen
 * ones when the wallet has too little, or when one of them is not the wallet's: the checks report that.
 * @param locked outputs that something else is about to spend, as `txid:vout`
 */
export function completeInputs(
	chosen: readonly Outpoint[],
	wallet: readonly Unspent[],
	locked: ReadonlySet<string>,
	total: Satoshi
): Outpoint[] {
	const inputs = [...chosen];
	const names = new Set(chosen.map(nameOfUtxo));
	const own = new Map(wallet.map((one) => [nameOfUtxo(one), one.amount]));
	let sum = 0n;
	for (const name of names) {
		const amount = own.get(name);
		if (amount === undefined) return inputs;
		sum += amount;
	}
	const others = wallet
		.filter((one) => one.spendable && one.confirmations > 0)
		.filter((one) => !names.has(nameOfUtxo(one)) && !locked.has(nameOfUtxo(one)))
		.sort(byAmountDescending);
	for (const { txid, vout, amount } of others) {
		if (inputs.length > 0 && sum >= total + fundingFee(inputs.length)) return inputs;
		inputs.push({ txid, vout });
		sum += amount;
	}
	return sum >= total + fundingFee(inputs.length) ? inputs : [...chosen];
}
