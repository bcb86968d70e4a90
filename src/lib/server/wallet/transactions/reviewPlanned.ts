/**
 * Verifies transactions whose every input and output was planned here: what the wallet signed must be exactly
 * the plan.
 */
import { type Satoshi, valueOf } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/script.ts';
import { txidOf, type TxOut } from '#lib/chain/transaction.ts';
import type { Meaning } from '#lib/messages/transactions/meanings.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { type Utxo } from '../locked-utxos/locks.ts';
import {
	describeInputs,
	isToken,
	readBuilt,
	spentOutputs,
	type Parents,
	type Review
} from './verifyTransaction.ts';

export interface PlannedOutput extends TxOut {
	meaning: Meaning['code'] & ('coins.paid' | 'change' | 'split.part' | 'consolidated' | 'claimed');
	/** Whether it pays back to the wallet. */
	isOwn: boolean;
}

export interface PlannedTransaction {
	inputs: readonly Utxo[];
	outputs: readonly PlannedOutput[];
	/** Satoshi. */
	fee: Satoshi;
	/** Interest in satoshi that the chain adds to the inputs and the outputs pay out; none by default. */
	interest?: Satoshi;
	/** 0, or Unix seconds from which the outputs accrue interest. Every input is final, so it delays nothing. */
	locktime: number;
}

/** Returns a key of an output, the same for the same value and script. */
const nameOfOutput = ({ value, script }: TxOut): string => `${value} ${bytesToHex(script)}`;

/**
 * Compares signed bytes with the plan, inputs and outputs in any order.
 * @param parents the transactions that the inputs spend, by txid: spent values come from their bytes, not
 * from what a daemon reports
 * @throws {AppError} `verification` or `transaction.unsigned`
 */
export function reviewPlanned(
	hex: string,
	plan: PlannedTransaction,
	parents: Parents,
	chain: string
): Review {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	const asked = plan.inputs.map(nameOfUtxo).toSorted();
	const found = tx.vin.map(nameOfUtxo).toSorted();
	if (asked.join() !== found.join() || spent.some(isToken)) {
		throw new AppError('verification.other-inputs');
	}
	const open = [...plan.outputs];
	const outputs = tx.vout.map((output) => {
		const at = open.findIndex((one) => nameOfOutput(one) === nameOfOutput(output));
		const address = classify(output.script).address ?? null;
		if (at < 0) {
			const amount = output.value.toString();
			throw new AppError('verification.foreign-output', { amount, address, chain });
		}
		const [{ meaning }] = open.splice(at, 1) as [PlannedOutput];
		return { value: output.value, address, meaning: { code: meaning, params: {} } };
	});
	const [missing] = open;
	if (missing !== undefined) {
		throw new AppError('verification.output-missing', {
			amount: missing.value.toString(),
			address: classify(missing.script).address ?? null,
			chain
		});
	}
	const fee = valueOf(spent) + (plan.interest ?? 0n) - valueOf(tx.vout);
	if (fee !== plan.fee)
		throw new AppError('verification.wrong-fee', { fee: fee.toString(), chain });
	const isFinal = tx.vin.every(({ sequence }) => sequence === 0xffffffff);
	if (tx.locktime !== plan.locktime || !isFinal) throw new AppError('verification.lock-time');
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs,
		fee,
		cost: valueOf(spent) - valueOf(plan.outputs.filter(({ isOwn }) => isOwn)),
		payloadBytes: 0
	};
}
