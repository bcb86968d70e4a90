import type { DaemonState, Gateway } from '#lib/server/chains/daemon/types.ts';

/** One entry of the list of chains that every page shows. */
interface SidebarChain {
	name: string;
	state: 'good' | 'wait' | 'bad' | 'unknown';
	word: string;
}

const WORDS: Record<DaemonState, Omit<SidebarChain, 'name'>> = {
	unknown: { state: 'unknown', word: 'Not checked yet' },
	up: { state: 'good', word: 'Online' },
	'warming-up': { state: 'wait', word: 'Starting' },
	busy: { state: 'wait', word: 'Degraded' },
	unauthorized: { state: 'bad', word: 'Authentication failed' },
	down: { state: 'bad', word: 'Offline' },
	'wrong-chain': { state: 'bad', word: 'Wrong chain' }
};

/** What the state of a daemon is called on a page. */
export function stateWord(state: DaemonState): Omit<SidebarChain, 'name'> {
	return WORDS[state];
}

/** All chains with the state of the daemon that is read for them. Asks nobody: it never waits. */
export function sidebarChains(gateway: Gateway): SidebarChain[] {
	return gateway.chains().map((name) => {
		const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
		return { name, ...stateWord(daemon?.health.state ?? 'unknown') };
	});
}

/** How many daemons cannot be used now. Asks nobody: it never waits. */
export function offlineDaemons(gateway: Gateway): number {
	return gateway.daemons().filter(({ health }) => WORDS[health.state].state === 'bad').length;
}
