import qrcode from 'qrcode-generator';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { balancesOf } from '#lib/server/wallet/overview/balances.ts';
import { utxoPage, utxoQuery } from '#lib/server/wallet/overview/utxoList.ts';
import { readInterest } from '#lib/server/wallet/overview/interest.ts';
import { qrPath } from '#lib/ui/values/qr.ts';
import { requireMember } from '../../requireMember.ts';
import { toReview, unbuilt } from '../../toReview.ts';
import { openWallet } from '../openWallet.ts';
import { shownLocks, shownWallet, summaryOf, tokensOf } from './shownWallet.ts';
import type { Actions, PageServerLoad } from './$types';

const UTXOS = 25;

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const daemon = await openWallet(locals, params.id);
	const [{ client, piece, rows }, { data: summary }] = await Promise.all([
		shownWallet(locals, daemon),
		summaryOf(locals, daemon)
	]);
	const wallet = piece.data;
	const told = wallet ?? summary;
	const tip = wallet?.tip ?? null;
	const { pubkey = null, address = null, missing = null, immature = null } = told ?? {};
	const [tokens, locks, interest] = await Promise.all([
		// Tokens of a public key without its private key in the wallet belong to another holder.
		tokensOf(locals.app, daemon.chain, missing === null ? pubkey : null),
		shownLocks(locals.app, rows),
		// Only KMD accrues interest.
		paysInterest(daemon.chain) && wallet !== null && tip !== null
			? client.piece(daemon.chain, `interest ${daemon.id}`, () =>
					readInterest(client, daemon, wallet, tip)
				)
			: null
	]);
	const { data: _, ...age } = piece;
	return withLabels(locals, {
		wallet: {
			...age,
			known: told !== null,
			isListed: wallet !== null,
			/** Number of UTXOs that the daemon reports incompletely. */
			unread: wallet?.unread ?? 0
		},
		balance: told?.balance ?? null,
		pubkey,
		address,
		missing,
		qr: address === null ? null : qrPath(qrcode, address),
		balances: { ...balancesOf(rows), immature, tokens },
		locks,
		interest,
		spendable: rows.filter(({ state }) => state === 'free' || state === 'locked').length,
		utxos: utxoPage(
			rows,
			utxoQuery(url.searchParams),
			`/wallets/${encodeURIComponent(daemon.id)}/utxos`,
			UTXOS
		),
		now: client.now
	});
};

export const actions: Actions = {
	claim: async ({ locals, params }) => {
		const { account } = requireMember(locals);
		const { id: daemon, chain } = await openWallet(locals, params.id);
		return toReview(locals.app.sender.claimInterest({ chain, daemon }, account.name), unbuilt);
	},

	consolidate: async ({ locals, params }) => {
		const { account } = requireMember(locals);
		const { id, chain } = await openWallet(locals, params.id);
		return toReview(locals.app.sender.consolidate(chain, account.name, id), unbuilt);
	}
};
