/** Which daemons a migration can use, by what each is asked to do. */
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import type { MigrationRow } from './migrationRecord.ts';

type Daemons = Pick<Gateway, 'daemonFor'>;

/** The wallet that built a burn. */
export type BuiltBy = Pick<MigrationRow, 'source' | 'source_daemon' | 'pubkey'>;

/** Returns the daemon that built a burn, if it is configured and still one of the chain. */
function configuredFor(
	gateway: Pick<Gateway, 'daemon'>,
	{ source, source_daemon: id }: BuiltBy
): DaemonInfo | undefined {
	const info = gateway.daemon(id);
	return info?.chain === source ? info : undefined;
}

/**
 * Returns a daemon that watches a chain and receives transactions that are signed already: the destination of each
 * migration, and the source of a burn that needs no wallet any more.
 */
export const daemonOfChain = (gateway: Daemons, chain: string): DaemonInfo | undefined =>
	gateway.daemonFor(chain, 'wallet') ?? gateway.daemonFor(chain, 'read');

/** Returns the daemon that completes proofs. */
export const mainDaemon = (gateway: Daemons): DaemonInfo | undefined =>
	gateway.daemonFor(MAIN_CHAIN, 'read') ?? gateway.daemonFor(MAIN_CHAIN, 'wallet');

/** Returns the daemons whose wallet is the one that built a burn, as after a daemon was renamed. */
export const daemonsOfWallet = (gateway: Gateway, { source, pubkey }: BuiltBy): DaemonInfo[] =>
	gateway
		.daemons()
		.filter(
			(info) =>
				info.chain === source &&
				info.purposes.includes('wallet') &&
				pubkey !== null &&
				info.pubkey?.toLowerCase() === pubkey.toLowerCase()
		);

/** Returns the daemon that builds a draft again: the one that built it, or the one that has its wallet now. */
export function walletOfDraft(gateway: Gateway, row: BuiltBy): DaemonInfo | undefined {
	const info = configuredFor(gateway, row);
	return info?.purposes.includes('wallet') ? info : daemonsOfWallet(gateway, row)[0];
}

/**
 * Returns a daemon that may have the wallet of a draft under another name, and has not been asked for its key yet or
 * has not answered; undefined when the wallet is known, or every daemon has answered.
 */
export function unknownWallet(gateway: Gateway, row: BuiltBy): DaemonInfo | undefined {
	if (row.pubkey === null || configuredFor(gateway, row) || walletOfDraft(gateway, row))
		return undefined;
	return gateway
		.daemons()
		.find(
			(info) =>
				info.chain === row.source &&
				info.purposes.includes('wallet') &&
				info.pubkey === null &&
				info.version === null
		);
}

/**
 * Returns the daemon that can tell whether the burn of a draft is on its chain: the one that built it; if that is no
 * longer configured, one with the same wallet, which finds the burn without an index, or else any of the chain.
 */
export const daemonOfDraft = (gateway: Gateway, row: BuiltBy): DaemonInfo | undefined =>
	configuredFor(gateway, row) ??
	daemonsOfWallet(gateway, row)[0] ??
	daemonOfChain(gateway, row.source);
