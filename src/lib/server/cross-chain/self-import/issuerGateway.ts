import type { Rights } from '../../access/policy/limits/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { importModeOf } from '../../chains/health/importMode.ts';

/**
 * The gateway as somebody sees it who creates coins of a chain: of its wallets it picks the one with the key of
 * `ac_pubkey`, where they may use that one. No other can create coins.
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
