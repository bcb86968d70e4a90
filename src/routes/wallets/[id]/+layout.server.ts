import { openWallet, usableWallets } from '../openWallet.ts';
import type { LayoutServerLoad } from './$types';

/** The wallet, and the other wallets of its chain that this member may use. */
export const load: LayoutServerLoad = async ({ locals, params }) => {
	const { id, chain } = await openWallet(locals, params.id);
	const all = await usableWallets(locals);
	return {
		daemon: id,
		chain,
		others: all.filter((one) => one.chain === chain && one.id !== id).map((one) => one.id)
	};
};
