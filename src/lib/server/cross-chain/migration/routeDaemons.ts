/** Which daemons a migration can use, by what each is asked to do. */
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';

type Daemons = Pick<Gateway, 'daemonFor'>;

/**
 * Returns a daemon that watches a chain and receives transactions that are signed already: the destination of each
 * migration, and the source of a burn that needs no wallet any more.
 */
export const daemonOfChain = (gateway: Daemons, chain: string): DaemonInfo | undefined =>
	gateway.daemonFor(chain, 'wallet') ?? gateway.daemonFor(chain, 'read');

/** Returns the daemon that completes proofs. */
export const mainDaemon = (gateway: Daemons): DaemonInfo | undefined =>
	gateway.daemonFor(MAIN_CHAIN, 'read') ?? gateway.daemonFor(MAIN_CHAIN, 'wallet');
