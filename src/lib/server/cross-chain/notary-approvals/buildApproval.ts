/** Builds an approval with the wallet of a notary and reads what came back. Nothing is sent here. */
import { parseTransaction } from '#lib/chain/transaction.ts';
import { askerOf, parentsOf } from '../../chains/daemon/lookup.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { readBuilt, type Parents, type Review } from '../../wallet/transactions/compare.ts';
import { SendingError } from '../../wallet/transactions/errors.ts';
import type { ApprovalRequest } from '../../wallet/transactions/request.ts';
import { walletOf, type Wallet } from '../../wallet/transactions/wallet.ts';
import { reviewApproval } from './approvalReview.ts';
import type { Publication } from './publication.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';

interface BuiltApproval {
	wallet: Wallet;
	hex: string;
	request: ApprovalRequest;
	review: Review;
	warnings: string[];
}

const notBuilt = (error: unknown): unknown => {
	if (!isAppError(error, 'daemon')) return error;
	if ((error.params.rpcMessage ?? '').startsWith('Cannot find normal inputs')) {
		return new SendingError(
			'not-built',
			'The wallet of this notary has no coins to pay with: an approval needs 0.0002 coins in few outputs. Nothing was sent.',
			{ cause: error }
		);
	}
	const { what, next } = explainDaemon(error.coded);
	return new SendingError('not-built', `${what} Nothing was sent. ${next}`, { cause: error });
};

/** What nodes may say to a payload of this size; null when they relay it. */
function relayWarning({ payloadBytes }: Review, limit: number | null): string | null {
	if (payloadBytes <= (limit ?? DEFAULT_RELAY_BYTES.asset)) return null;
	if (limit !== null) {
		throw new SendingError(
			'not-built',
			`The approval carries ${payloadBytes} bytes of data, and the daemon relays ${limit}. Start it with datacarriersize=${SCRIPT_BYTES}. Nothing was sent.`
		);
	}
	return `The approval carries ${payloadBytes} bytes of data. Daemons that were not started with datacarriersize=${SCRIPT_BYTES} refuse it.`;
}

/**
 * @param order the burn, its proof, and the daemon with the key that it is known to have
 * @throws {SendingError}
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
		parents = await parentsOf(askerOf(gateway, daemon), parseTransaction(hex));
	} catch (error) {
		throw notBuilt(error);
	}
	const review = reviewApproval(hex, request, pubkey, parents);
	const warning = relayWarning(review, wallet.dataCarrierSize);
	return { wallet, hex, request, review, warnings: warning === null ? [] : [warning] };
}
