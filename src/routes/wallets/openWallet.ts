import { error } from '@sveltejs/kit';
import { wallets } from '#lib/messages/pages/wallet.ts';
import type { DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import { requireMember } from '../requireMember.ts';

type Asking = Pick<App.Locals, 'app' | 'identity' | 'requestId'>;

/** The daemons whose wallets this member may use, in the order of the configuration. */
export async function usableWallets({
	app,
	identity
}: Omit<Asking, 'requestId'>): Promise<DaemonInfo[]> {
	const { name } = requireMember({ identity }).account;
	const withWallet = app.gateway.daemons().filter(({ purposes }) => purposes.includes('wallet'));
	const refusals = await Promise.all(
		withWallet.map(({ id }) => app.rights.walletRefusal(name, id))
	);
	return withWallet.filter((_, at) => refusals[at] === null);
}

/**
 * The daemon whose wallet a page shows: what a wallet holds and did is for those who may use it.
 * @throws a 403 or 404 of SvelteKit
 */
export async function openWallet(
	{ app, identity, requestId }: Asking,
	id: string
): Promise<DaemonInfo> {
	const { name } = requireMember({ identity }).account;
	const daemon = app.gateway.daemon(id);
	if (!daemon?.purposes.includes('wallet')) error(404, wallets.unknown(id));
	const foreign = await app.rights.walletRefusal(name, id);
	if (foreign !== null) error(403, { message: foreign.message, code: foreign.code, requestId });
	return daemon;
}
