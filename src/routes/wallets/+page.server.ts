import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { balancesOf, statusOfUtxos } from '#lib/server/wallet/overview/balances.ts';
import { readWallet } from '#lib/server/wallet/overview/readWallet.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { summaryOf } from './[id]/shownWallet.ts';
import { noWalletReason, usableWallets } from './openWallet.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const daemons = await usableWallets(locals);
	const rows = await Promise.all(
		daemons.map(async (daemon) => {
			const { id, chain } = daemon;
			const [wallet, summary] = await Promise.all([
				client.piece(chain, `wallet ${id}`, () => readWallet(client, daemon)),
				summaryOf(locals, daemon)
			]);
			// For a wallet whose outputs are too many to list, or not all readable, the daemon's own sum is used.
			const { data: told, ...age } = wallet.data === null ? summary : wallet;
			const balance =
				wallet.data?.unread === 0
					? balancesOf(statusOfUtxos(wallet.data.utxos, [])).confirmed
					: (told?.balance ?? null);
			return { id, chain, address: told?.address ?? null, balance, age };
		})
	);
	return withLabels(locals, { wallets: rows, lacking: noWalletReason(locals.app, daemons) });
};
