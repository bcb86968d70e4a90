/** What the bytes of a request spend and create. Nothing of their signatures: whoever has those can send them from anywhere. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { classify } from '#lib/chain/classified.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { OUTPUT_KINDS } from '#lib/messages/outputKinds.ts';
import { meanings } from '#lib/messages/transactions/meanings.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';
import { readHex } from '#lib/server/access/policy/limits/measure.ts';
import { waitAtMost } from '#lib/server/chains/daemon/wait.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { shownReview } from '../../transactions/shownReview.ts';

/** How long the page waits for what the daemon knows as its own. */
const MEASURED_MS = 1_500;

type Parts = Pick<Komodeck, 'gateway' | 'rights' | 'sender'>;

const kindOf = (type: ScriptType): string => {
	if (type === 'nonstandard') return OUTPUT_KINDS.unknown;
	return OUTPUT_KINDS[type === 'nulldata' ? 'data' : type];
};

/** Whether what is paid to an address comes back to the wallet that pays. Where its daemon cannot say, only its key counts. */
async function ownBy(
	{ gateway, rights }: Parts,
	{ kind, state, author, wallet, hex, payouts }: ApprovalRequest
): Promise<(address: string) => boolean> {
	const { pubkey = null } = gateway.daemon(wallet) ?? {};
	const own = pubkey === null ? null : addressOfPubkey(pubkey);
	let paid: readonly string[] | null = null;
	// What waits here no more need not keep its page waiting for a daemon; what was built here pays no other key.
	if (kind === 'bytes' && state === 'open') {
		try {
			const measuring = rights.measureSpend(author, wallet, hex, payouts);
			paid = (await waitAtMost(measuring, MEASURED_MS))?.recipients ?? null;
		} catch (error) {
			if (!isAppError(error, 'limit')) throw error;
		}
	}
	// A daemon may name a key that its wallet lacks: what that gets does not come back.
	return (address) => (paid === null ? address === own : !paid.includes(address));
}

/** The review of the transaction that the request is for, of just these bytes. */
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

/** As the review of a transaction says it; of other bytes, by what their scripts say. Null where they cannot be read. */
export async function bytesOf(parts: Parts, request: ApprovalRequest) {
	const tx = readHex(request.hex);
	if (tx === null) return null;
	const review = await reviewOf(parts, request);
	return {
		txid: txidOf(tx),
		/** The last block that accepts them; null where each does. */
		lastBlock: tx.expiryHeight === 0 ? null : tx.expiryHeight,
		inputs: tx.vin.map(({ txid, vout }) => ({ txid, vout })),
		outputs: review?.outputs ?? (await outputsOf(parts, request, tx))
	};
}
