/**
 * Shows what the transaction of a request spends and creates. Signatures are left out: anyone who has them
 * could broadcast it.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { classify } from '#lib/chain/classified.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { OUTPUT_KINDS } from '#lib/messages/outputKinds.ts';
import { meanings } from '#lib/messages/transactions/meanings.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';
import { readHex } from '#lib/server/access/policy/measuring/measure.ts';
import { waitAtMost } from '#lib/server/chains/upstream/wait.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { shownReview } from '../../transactions/shownReview.ts';

/** How long the page waits for the daemon to say which addresses are its own. */
const MEASURED_MS = 1_500;

type Parts = Pick<Komodeck, 'gateway' | 'rights' | 'sender'>;

const kindOf = (type: ScriptType): string => {
	if (type === 'nonstandard') return OUTPUT_KINDS.unknown;
	return OUTPUT_KINDS[type === 'nulldata' ? 'data' : type];
};

/**
 * Returns a function that recognizes addresses of the paying wallet. When the daemon does not respond, only
 * the wallet's own key is recognized.
 */
async function ownBy(
	{ gateway, rights }: Parts,
	{ kind, state, author, wallet, hex, payouts }: ApprovalRequest
): Promise<(address: string) => boolean> {
	const { pubkey = null } = gateway.daemon(wallet) ?? {};
	const own = pubkey === null ? null : addressOfPubkey(pubkey);
	let paid: readonly string[] | null = null;
	// A closed request need not wait for a daemon, and transactions built here pay no other key of the
	// wallet.
	if (kind === 'bytes' && state === 'open') {
		try {
			const measuring = rights.measureSpend(author, wallet, hex, payouts);
			paid = (await waitAtMost(measuring, MEASURED_MS))?.recipients ?? null;
		} catch (error) {
			if (!isAppError(error, 'limit')) throw error;
		}
	}
	// A daemon may be configured with a key that its wallet lacks: outputs to that key are not change.
	return (address) => (paid === null ? address === own : !paid.includes(address));
}

/** Returns the review of the request's transaction, if it has exactly these bytes. */
async function reviewOf({ sender }: Parts, { kind, subject, hex }: ApprovalRequest) {
	if (kind !== 'transaction' || subject === null) return null;
	const send = await sender.get(subject);
	return send?.hex === hex ? shownReview(send).review : null;
}

async function outputsOf(parts: Parts, request: ApprovalRequest, tx: Transaction) {
	const isOwn = await ownBy(parts, request);
	return tx.vout.map(({ value, script }) => {
		const { type, address = null } = classify(script);
		const isPlain = type === 'pubkey' || type === 'pubkeyhash';
		const isBack = isPlain && address !== null && isOwn(address);
		const meaning = isBack ? meanings.text({ code: 'change', params: {} }) : kindOf(type);
		return { value, address, meaning };
	});
}

/**
 * Describes the bytes like the review of a transaction; other bytes by their scripts. Null when they cannot
 * be parsed.
 */
export async function bytesOf(parts: Parts, request: ApprovalRequest) {
	const tx = readHex(request.hex);
	if (tx === null) return null;
	const review = await reviewOf(parts, request);
	return {
		txid: txidOf(tx),
		/** The last block that accepts the transaction; null when it does not expire. */
		lastBlock: tx.expiryHeight === 0 ? null : tx.expiryHeight,
		inputs: tx.vin.map(({ txid, vout }) => ({ txid, vout })),
		outputs: review?.outputs ?? (await outputsOf(parts, request, tx))
	};
}
