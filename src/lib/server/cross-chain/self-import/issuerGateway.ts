import type { Rights } from '../../access/rights/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { importModeOf } from '../../chains/health/importMode.ts';

/**
 * Returns the gateway for a member who creates coins of a chain: it selects the wallet with the key of `ac_pubkey`,
 * if they may use it. No other wallet can create coins.
 */
export async function issuerGateway(
	{ gateway, rights }: { gateway: Gateway; rights: Pick<Rights, 'gatewayOf' | 'walletRefusal'> },
	chain: string,
	person: string
): Promise<Gateway> {
	const mine = await rights.gatewayOf(person);
	const { pubkey } = importModeOf(gateway, chain);
	const isIssuer = (key: string | null | undefined): boolean => key?.toLowerCase() === pubkey;
	if (pubkey === null || isIssuer(mine.daemonFor(chain, 'wallet')?.pubkey)) return mine;
	const issuers = gateway
		.daemons()
		.filter(
			(info) => info.chain === chain && info.purposes.includes('wallet') && isIssuer(info.pubkey)
		);
	const refusals = await Promise.all(issuers.map(({ id }) => rights.walletRefusal(person, id)));
	const usable = issuers.filter((_, i) => refusals[i] === null);
	const issuer = usable.find(({ health }) => ['up', 'unknown'].includes(health.state)) ?? usable[0];
	if (!issuer) return mine;
	return {
		...mine,
		daemonFor: (of, purpose) =>
			of === chain && purpose === 'wallet' ? issuer : mine.daemonFor(of, purpose)
	};
}
