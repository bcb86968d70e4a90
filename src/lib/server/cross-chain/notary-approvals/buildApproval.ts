/** Builds an approval with the wallet of a notary, and reviews it. Nothing is sent. */
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { parentsOf } from '../../chains/daemon/parents.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import {
	readBuilt,
	type Parents,
	type Review
} from '../../wallet/transactions/verifyTransaction.ts';
import { notBuilt as daemonFailed } from '../../wallet/transactions/notBuilt.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ApprovalRequest } from '../../wallet/transactions/request.ts';
import { walletOf, type Wallet } from '../../wallet/transactions/wallet.ts';
import { reviewApproval } from './approvalReview.ts';
import type { Publication } from './publication.ts';

interface BuiltApproval {
	wallet: Wallet;
	hex: string;
	request: ApprovalRequest;
	review: Review;
	warnings: Warning[];
}

const notBuilt = (error: unknown): unknown =>
	refusalCode(error) === 'migration.notary-funds'
		? new AppError('notary-approval.no-coins', {}, { cause: error })
		: daemonFailed(error);

/** Returns a warning that nodes may not relay a payload of this size; null when they do. */
function relayWarning({ payloadBytes }: Review, limit: number | null): Warning | null {
	if (payloadBytes <= (limit ?? DEFAULT_RELAY_BYTES.asset)) return null;
	if (limit !== null) {
		const facts = { bytes: payloadBytes, limit, most: SCRIPT_BYTES };
		throw new AppError('notary-approval.not-relayed', facts);
	}
	return {
		code: 'approval.relay-unknown',
		params: { bytes: payloadBytes, most: SCRIPT_BYTES }
	};
}

/**
 * Builds and reviews an approval.
 * @param order the burn, its proof, and the daemon with its expected key
 * @throws {AppError} `notary-approval`, `transaction`, `verification` or `wallet-daemon`
 */
export async function buildApproval(
	gateway: Gateway,
	order: { burn: Publication; txOutProof: string; daemon: string; pubkey: string }
): Promise<BuiltApproval> {
	const { burn, txOutProof, daemon, pubkey } = order;
	const request: ApprovalRequest = {
		kind: 'notary-approval',
		burnTxid: burn.burnTxid,
		source: burn.source,
		txOutProof
	};
	let wallet: Wallet;
	let hex: string;
	let parents: Parents;
	try {
		wallet = await walletOf(gateway, burn.destination, { daemon, pubkey });
		({ NotaryTxHex: hex } = await gateway.call(daemon, 'migrate_createnotaryapprovaltransaction', [
			burn.burnTxid,
			txOutProof
		]));
		readBuilt(hex);
		parents = await parentsOf(daemonClientOf(gateway, daemon), parseTransaction(hex));
	} catch (error) {
		throw notBuilt(error);
	}
	const review = reviewApproval(hex, request, { pubkey, chain: burn.destination }, parents);
	const warning = relayWarning(review, wallet.dataCarrierSize);
	return { wallet, hex, request, review, warnings: warning === null ? [] : [warning] };
}
