import { addressOfPubkey } from '#lib/chain/address.ts';
import type { DaemonClient, DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import { tellsOfWallet } from '../../../chains/daemon/identity.ts';
import type { Checks } from './checks.ts';
import type { Info } from './identity.ts';

/** Checks the paying wallet: it has a key, is the configured one, and is not locked. */
export function checkWallet(checks: Checks, daemon: DaemonInfo, info: Info): void {
	const params = { daemon: daemon.id };
	if (!tellsOfWallet(info)) {
		checks.add('fail', 'wallet', { code: 'wallet.none', params }, 'source');
		return;
	}
	if (info.pubkey === undefined) {
		checks.add('fail', 'wallet', { code: 'wallet.no-pubkey', params }, 'source');
		return;
	}
	if (daemon.health.state === 'wrong-chain') {
		checks.add('fail', 'wallet', { code: 'wallet.wrong', params }, 'source');
		return;
	}
	if (info.unlocked_until === 0) {
		checks.add('fail', 'wallet', { code: 'wallet.locked', params }, 'source');
	}
}

/**
 * Checks that the wallet owns the key that receives the change. (Komodo daemon 0.9.0 runs with any -pubkey, and
 * pays the change of a burn from any coins of the wallet to it.)
 */
export async function checkKey(checks: Checks, source: DaemonClient, info: Info): Promise<void> {
	const { pubkey } = info;
	if (pubkey === undefined || !tellsOfWallet(info)) return;
	const address = addressOfPubkey(pubkey);
	const known = await source.call('validateaddress', address);
	if ('ismine' in known && known.ismine) return;
	checks.add(
		'fail',
		'wallet',
		{ code: 'wallet.foreign-pubkey', params: { daemon: source.daemon, address } },
		'source'
	);
}
