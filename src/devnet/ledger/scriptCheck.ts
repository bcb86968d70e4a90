import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseFulfillment } from '#lib/chain/cryptocondition/fulfillment.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { parsePushes } from '#lib/chain/script.ts';
import { verifyInput } from '#lib/chain/sign.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { Reject } from './api.ts';
import { classify } from '#lib/chain/classified.ts';
import { RPC_VERIFY_REJECTED } from '#lib/rpc/errorCodes.ts';

export const FALSE_ON_STACK =
	'Script evaluated without error but finished with a false/empty top stack element';

/** Creates the daemon's error for a failed script; `reason` is not shown to clients. */
export const scriptFailure = (text: string, reason?: string): Reject =>
	new Reject(RPC_VERIFY_REJECTED, `16: mandatory-script-verify-flag-failed (${text})`, reason);

/** Verifies the signature or fulfillment of an input over the real signature hash. Throws Reject. */
export const checkInput = (tx: Transaction, index: number, spent: TxOut): void => {
	const kind = classify(spent.script);
	const { scriptSig } = tx.vin[index]!;
	if (kind.type === 'pubkeyhash') {
		const key = parsePushes(scriptSig)?.[1];
		if (!key || !kind.hash || bytesToHex(hash160(key)) !== bytesToHex(kind.hash)) {
			throw scriptFailure('Script failed an OP_EQUALVERIFY operation');
		}
	}
	if (kind.type === 'cryptocondition' && !parseFulfillment(scriptSig)) {
		throw scriptFailure('Crypto-Condition payload is invalid');
	}
	if (!verifyInput(tx, index, spent)) throw scriptFailure(FALSE_ON_STACK, `input ${index}`);
};
