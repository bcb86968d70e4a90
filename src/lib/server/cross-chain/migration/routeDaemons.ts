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

/** Returns the daemon that builds a draft again: the one that built it, if it still has a wallet. */
export function walletOfDraft(gateway: Gateway, row: BuiltBy): DaemonInfo | undefined {
	const info = configuredFor(gateway, row);
	return info?.purposes.includes('wallet') ? info : undefined;
}
