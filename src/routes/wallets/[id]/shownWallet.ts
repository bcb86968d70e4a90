import { isIndexedBut } from '#lib/server/chains/lists/chains.ts';
import { lockedInTokens } from '#lib/server/chains/lists/lockedInTokens.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import type { DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import { heldByDraft, statusOfUtxos, type HeldBy } from '#lib/server/wallet/overview/balances.ts';
import { readSummary, readWallet } from '#lib/server/wallet/overview/readWallet.ts';
import { pageOfHolder } from '#lib/server/wallet/locked-utxos/locks.ts';
import type { SendState } from '#lib/server/wallet/transactions/tables.ts';
import { isFromStart } from '#lib/text/indexed.ts';

/** The index is used when it is no further behind than this. Blocks. */
const BEHIND = 20;
/** Limit of listed locks: more would not be read. */
const MOST_NAMED = 50;

/**
 * Returns a wallet with its outputs, each with what prevents spending it; the last known state while its
 * daemon does not respond.
 */
export async function shownWallet({ app, requestId }: App.Locals, daemon: DaemonInfo) {
	const { id, chain } = daemon;
	const client = new PageClient(app.gateway, requestId);
	const [piece, held] = await Promise.all([
		client.piece(chain, `wallet ${id}`, () => readWallet(client, daemon)),
		app.sender.heldUtxos(chain)
	]);
	return { client, piece, rows: statusOfUtxos(piece.data?.utxos ?? [], held) };
}

/**
 * Returns a wallet without its outputs, which may be too many to read; the last known state while its
 * daemon does not respond.
 */
export function summaryOf({ app, requestId }: App.Locals, daemon: DaemonInfo) {
	const { id, chain } = daemon;
	const client = new PageClient(app.gateway, requestId);
	return client.piece(chain, `summary ${id}`, () => readSummary(client, daemon));
}

/** Returns the satoshi that back the tokens of a public key; null without one, or while the index does not know. */
export async function tokensOf(
	app: Komodeck,
	chain: string,
	pubkey: string | null
): Promise<bigint | null> {
	const progress = await shownProgress(app, chain);
	if (!isIndexedBut(progress, BEHIND) || !isFromStart(progress) || pubkey === null) return null;
	return lockedInTokens(app.index, progress.id, pubkey);
}

type LockEnd = 'time' | 'approval' | 'block';

const ENDS: Partial<Record<SendState, LockEnd>> = {
	reviewed: 'time',
	'needs-approval': 'approval'
};

/**
 * Returns who built the transaction or migration that holds a lock, and what ends the lock: a time, the
 * decision of other members, or a block after it was sent.
 */
async function builderOf(
	{ sender, migrations }: Komodeck,
	{ kind, id }: HeldBy['holder']
): Promise<{ by: string; ends: LockEnd } | null> {
	if (kind === 'send') {
		const send = await sender.get(id);
		return send && { by: send.createdBy, ends: ENDS[send.state] ?? 'block' };
	}
	return migrations.builder(id);
}

/** Returns the transactions and migrations that lock outputs of a wallet, with their pages and members. */
export const shownLocks = (app: Komodeck, rows: Parameters<typeof heldByDraft>[0]) =>
	Promise.all(
		heldByDraft(rows)
			.slice(0, MOST_NAMED)
			.map(async ({ holder, ...lock }) => {
				const built = await builderOf(app, holder);
				return {
					...lock,
					kind: holder.kind,
					id: holder.id,
					href: pageOfHolder(holder),
					by: built?.by ?? null,
					ends: built?.ends ?? 'time'
				};
			})
	);
