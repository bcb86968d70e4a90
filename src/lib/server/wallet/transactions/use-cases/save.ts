import type { Warning } from '#lib/messages/transactions/warnings.ts';
import type { Review } from '../verifyTransaction.ts';
import type { SendRequest } from '../request.ts';
import type { NewSend } from '../store.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseForeign } from './mayBuild.ts';

/** A transaction that a daemon built, read and found to be what was asked for. */
interface Built {
	hex: string;
	request: SendRequest;
	review: Review;
	warnings: Warning[];
	/** The id that it gets here, where somebody has written it down before; else a new one. */
	wantedId?: string | undefined;
}

/** Stores one reviewed transaction, or two of which the second goes out after the first; the first's id. */
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
	await refuseForeign(deps, actor, wallet.daemon, 'not-sent', first.request.kind);
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

/** Keeps a reviewed transaction; returns the id of the review. @throws {AppError} `work.denied` or `utxos.locked` */
export const saveOne = (
	deps: SendingDependencies,
	wallet: Wallet,
	built: Built,
	actor: string
): Promise<string> => save(deps, wallet, [built], actor);

/** Keeps a reviewed transaction and one that follows it; returns the id of the first. @throws {AppError} `work.denied` or `utxos.locked` */
export const savePair = (
	deps: SendingDependencies,
	wallet: Wallet,
	first: Built,
	second: Built,
	actor: string
): Promise<string> => save(deps, wallet, [first, second], actor);
