import type { Gateway } from '../../chains/daemon/types.ts';
import { mayUseWallet } from '../policy/wallets/wallets.ts';
import type { RightsDependencies } from './dependencies.ts';

/**
 * Returns the gateway as this member sees it: among a chain's wallets it picks one that they may use, if
 * there is one.
 */
export async function gatewayOf(
	{ gateway, wallets }: RightsDependencies,
	member: string
): Promise<Gateway> {
	const user = await wallets.userOf(member);
	if (!user) return gateway;
	return {
		...gateway,
		daemonFor(chain, purpose) {
			if (purpose === 'read') return gateway.daemonFor(chain, purpose);
			const mine = gateway
				.daemons()
				.filter(
					(info) =>
						info.chain === chain &&
						info.purposes.includes(purpose) &&
						mayUseWallet(user.role, user.choice, info.id)
				);
			const well = mine.find(({ health }) => ['up', 'unknown'].includes(health.state));
			return well ?? mine[0] ?? gateway.daemonFor(chain, purpose);
		}
	};
}
