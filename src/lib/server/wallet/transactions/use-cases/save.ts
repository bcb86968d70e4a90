import type { Warning } from '#lib/messages/transactions/warnings.ts';
import type { Review } from '../verifyTransaction.ts';
import type { SendRequest } from '../request.ts';
import type { NewSend } from '../store.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseForeign } from './mayBuild.ts';

/** A transaction that a daemon built, verified against its request. */
interface Built {
	hex: string;
	request: SendRequest;
	review: Review;
	warnings: Warning[];
	/** The id of the row, if the caller has stored one before; else a new one is generated. */
	wantedId?: string | undefined;
}

/**
 * Stores one reviewed transaction, or a pair of which the second is sent after the first. Returns the id of
 * the first.
 */
async function save(
	deps: SendingDependencies,
	wallet: Wallet,
	built: readonly [Built, Built?],
	actor: string
): Promise<string> {
	const { store, audit, clock } = deps;
	const row = ({ hex, request, review, warnings, wantedId }: Built): NewSend => ({
		kind: request.kind,
		chain: wallet.chain,
		daemon: wallet.daemon,
		pubkey: wallet.pubkey,
		txid: review.txid,
		hex,
		request,
		review,
		warnings,
		createdBy: actor,
		wantedId
	});
	const [first, second] = built;
	// Another member with the right to send it may confirm what is built here.
	await refuseForeign(deps, actor, wallet.daemon, 'broadcast', 'not-sent', first.request.kind);
	return store.add(row(first), clock(), second && row(second), async (trx) => {
		for (const { request, review } of second ? [first, second] : [first]) {
			await audit.append(
				{
					actor,
					action: `send.reviewed`,
					target: review.txid,
					detail: { chain: wallet.chain, daemon: wallet.daemon, kind: request.kind }
				},
				trx
			);
		}
	});
}

/**
 * Stores a reviewed transaction. Returns the id of the review.
 * @throws {AppError} `work.denied` or `utxos.locked`
 */
export const saveOne = (
	deps: SendingDependencies,
	wallet: Wallet,
	built: Built,
	actor: string
): Promise<string> => save(deps, wallet, [built], actor);

/**
 * Stores a reviewed transaction and one that follows it. Returns the id of the first.
 * @throws {AppError} `work.denied` or `utxos.locked`
 */
export const savePair = (
	deps: SendingDependencies,
	wallet: Wallet,
	first: Built,
	second: Built,
	actor: string
): Promise<string> => save(deps, wallet, [first, second], actor);
