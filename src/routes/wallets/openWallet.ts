import { error } from '@sveltejs/kit';
import { wallets } from '#lib/messages/pages/wallet.ts';
import type { DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import { requireMember } from '../requireMember.ts';

type Asking = Pick<App.Locals, 'app' | 'identity' | 'requestId'>;

/** Returns the daemons whose wallets this member may use, in the order of the configuration. */
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
 * Returns why a member can use no wallet; null when they can use one.
 * @param usable what {@link usableWallets} returned for the member
 */
export function noWalletReason(
	{ gateway }: Pick<App.Locals['app'], 'gateway'>,
	usable: readonly DaemonInfo[]
): keyof typeof wallets.lacking | null {
	if (usable.length > 0) return null;
	const isConfigured = gateway.daemons().some(({ purposes }) => purposes.includes('wallet'));
	return isConfigured ? 'ungranted' : 'unconfigured';
}

/**
 * Returns the daemon of a wallet page; wallets are visible only to members who may use them.
 * @throws SvelteKit's 403 or 404
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
