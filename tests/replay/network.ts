/** Decides whether the daemons' coins are worthless: only then may anything be sent. */

/** Known facts about a daemon's network. */
export interface NetworkFacts {
	/** Name of the chain. */
	name: string;
	/**
	 * `chain` of `getblockchaininfo`: `main`, `test` or `regtest` (Params().NetworkIDString()); null if
	 * missing.
	 */
	network: string | null;
	/** `testnet` of `getinfo`; true unless the daemon reports false. */
	isTestnet: boolean;
	/** A devnet's own control API answered, and the daemon has that devnet's blocks. */
	isDevnet: boolean;
}

type NetworkVerdict =
	{ kind: 'regtest' } | { kind: 'devnet' } | { kind: 'refused'; sentence: string };

/**
 * Decides for all daemons together: they must all be of one kind, or nothing is done. A chain's own name
 * decides nothing, because asset chains of the main network can have any name.
 */
export function judgeNetwork(facts: readonly NetworkFacts[]): NetworkVerdict {
	const refused = (sentence: string): NetworkVerdict => ({ kind: 'refused', sentence });
	if (facts.length === 0) return refused('No daemon was asked.');
	if (facts.every(({ isDevnet }) => isDevnet)) return { kind: 'devnet' };
	const other = facts.find(
		({ isDevnet, network, isTestnet }) => isDevnet || network !== 'regtest' || isTestnet
	);
	if (other === undefined) return { kind: 'regtest' };
	return refused(
		other.isDevnet
			? `${other.name} is a chain of devnet and another daemon is not: nothing was sent. Name three daemons of one network.`
			: `${other.name} belongs to the network "${other.network ?? 'unknown'}", where coins may be worth something: nothing was sent. Start all daemons with -regtest.`
	);
}
