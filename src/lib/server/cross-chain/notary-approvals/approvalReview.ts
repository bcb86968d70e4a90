/** Reviews a built approval byte by byte before a notary is asked to send it. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { Satoshi } from '#lib/chain/amount.ts';
import { parseApproval } from '#lib/chain/approval.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { classify, p2pk } from '#lib/chain/script.ts';
import { AppError } from '../../platform/errors/appError.ts';
import {
	changeOf,
	payloadOutput,
	readCoinSpender,
	reviewBuilt,
	type OwnWallet,
	type Parents,
	type Review
} from '../../wallet/transactions/verifyTransaction.ts';
import type { ApprovalRequest } from '../../wallet/transactions/request.ts';

/** Satoshi that an approval pays to the notary's own key. */
const OWN: Satoshi = 10_000n;

/**
 * Compares a built approval with the request. Input 0 alone identifies the approving notary, so it must spend an
 * output of the notary's key.
 * @param wallet the notary's
 * @param parents the transactions that the inputs spend, by txid
 * @throws {AppError} `verification`
 */
export function reviewApproval(
	hex: string,
	request: ApprovalRequest,
	{ pubkey, chain }: OwnWallet,
	parents: Parents
): Review {
	const built = readCoinSpender(hex, parents);
	const { tx, spent } = built;
	const [first] = spent;
	if (!first || classify(first.script).address !== addressOfPubkey(pubkey)) {
		throw new AppError('verification.approval-not-notarys');
	}
	const [own] = tx.vout;
	if (own?.value !== OWN || !bytesEqual(own.script, p2pk(hexToBytes(pubkey)))) {
		throw new AppError('verification.approval-other-key');
	}
	payloadOutput(tx);
	const approval = parseApproval(tx);
	if (!approval || bytesToHex(approval.proof) !== request.txOutProof) {
		throw new AppError('verification.approval-other-proof');
	}
	if (!approval.sound || !approval.txids.includes(request.burnTxid)) {
		throw new AppError('verification.approval-no-proof');
	}
	const change = changeOf(tx.vout.slice(1, -1), pubkey, chain);
	return reviewBuilt(built, { paid: 0n, chain }, [
		{
			value: own.value,
			address: addressOfPubkey(pubkey),
			meaning: { code: 'approval.own', params: {} }
		},
		...change,
		{ value: 0n, address: null, meaning: { code: 'approval.proof', params: {} } }
	]);
}
