import { parsePushes } from '#lib/chain/script.ts';
import { dustLimitOf, relayFeeOf } from '#lib/chain/dust.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import { Reject, type ChainParams } from './api.ts';
import type { OverlayView } from './view.ts';
import { isImport } from './txKind.ts';
import { classify } from '#lib/chain/classified.ts';
import { RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED } from '#lib/rpc/errorCodes.ts';

/** Komodo daemon: minimum relay fee in satoshi per 1000 bytes. */
const MIN_RELAY_FEE = 100n;
const MAX_SCRIPT_SIG = 1650;

const nonStandard = (reason: string): Reject => new Reject(RPC_VERIFY_REJECTED, `64: ${reason}`);

/** True when a script consists of pushes only. */
const isPushOnly = (script: Uint8Array): boolean => {
	let at = 0;
	while (at < script.length) {
		const op = script[at]!;
		if (op > 0x60) return false;
		if (op <= 75) at += 1 + op;
		else if (op === 76) at += 2 + (script[at + 1] ?? 0);
		else if (op === 77) at += 3 + (script[at + 1] ?? 0) + 256 * (script[at + 2] ?? 0);
		else if (op === 78) return false;
		else at += 1;
	}
	return at === script.length;
};

/**
 * Checks the daemon's relay rules (class 64). A transaction that breaks them stays out of the mempool, but a
 * block that contains it is valid, so a relay limit never makes coins unspendable.
 */
export const checkStandard = (tx: Transaction, params: ChainParams): void => {
	for (const input of tx.vin) {
		if (input.scriptSig.length > MAX_SCRIPT_SIG) throw nonStandard('scriptsig-size');
		if (!isPushOnly(input.scriptSig)) throw nonStandard('scriptsig-not-pushonly');
	}
	let dataOutputs = 0;
	for (const out of tx.vout) {
		const { type } = classify(out.script);
		if (type === 'nonstandard') throw nonStandard('scriptpubkey');
		if (type === 'cryptocondition') {
			if (params.ccid === 0) throw nonStandard('scriptpubkey');
			continue;
		}
		if (type === 'nulldata') {
			if (out.script.length > params.dataCarrierSize) throw nonStandard('scriptpubkey');
			dataOutputs += 1;
			continue;
		}
		const least = dustLimitOf(out.script.length, MIN_RELAY_FEE);
		if (!params.relaysDust && out.value < least) throw nonStandard('dust');
	}
	if (dataOutputs > 1) throw nonStandard('multi-op-return');
};

/**
 * Checks that inputs push exactly as many items as their output needs. The daemon gives no reason: -25 with
 * an empty message, which is also what an unsigned transaction gets.
 */
export const checkStandardInputs = (tx: Transaction, view: OverlayView): void => {
	if (isImport(tx)) return;
	for (const input of tx.vin) {
		const script = view.output(input.txid, input.vout)!.script;
		const expected = { pubkey: 1, pubkeyhash: 2, cryptocondition: 1 };
		const { type } = classify(script);
		if (!Object.hasOwn(expected, type)) continue;
		const pushes = parsePushes(input.scriptSig);
		if (pushes === null || pushes.length !== expected[type as keyof typeof expected]) {
			throw new Reject(RPC_VERIFY_ERROR, '');
		}
	}
};

/**
 * Guards against fees paid by mistake: more than 10000 times the relay fee and more than a nineteenth of the
 * outputs. Imports are exempt; callers skip this check when they allow high fees.
 */
export const checkFee = (
	tx: Transaction,
	txid: string,
	size: number,
	fee: bigint,
	out: bigint
): void => {
	if (isImport(tx)) return;
	const limit = relayFeeOf(size, MIN_RELAY_FEE) * 10_000n;
	if (fee > limit && fee > out / 19n) {
		throw new Reject(
			RPC_VERIFY_ERROR,
			`AcceptToMemoryPool: absurdly high fees ${txid}, ${fee} > ${limit}`
		);
	}
};
