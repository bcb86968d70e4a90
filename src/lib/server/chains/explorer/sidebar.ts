import type { DaemonState, Gateway } from '#lib/server/chains/daemon/types.ts';

/** One entry of the list of chains that every page shows. */
interface SidebarChain {
	name: string;
	state: 'good' | 'wait' | 'bad' | 'unknown';
	word: string;
}

const WORDS: Record<DaemonState, Omit<SidebarChain, 'name'>> = {
	unknown: { state: 'unknown', word: 'not asked yet' },
	up: { state: 'good', word: 'answers' },
	'warming-up': { state: 'wait', word: 'is starting' },
	busy: { state: 'wait', word: 'is busy' },
	unauthorized: { state: 'bad', word: 'refuses the password' },
	down: { state: 'bad', word: 'does not answer' },
	'wrong-chain': { state: 'bad', word: 'is another chain' }
};

/** What the state of a daemon is called on a page. */
export function stateWord(state: DaemonState): Omit<SidebarChain, 'name'> {
	return WORDS[state];
}

/** All chains with the state of the daemon that is read for them. Asks nobody: it never waits. */
export function railOf(gateway: Gateway): SidebarChain[] {
	return gateway.chains().map((name) => {
		const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
		return { name, ...stateWord(daemon?.health.state ?? 'unknown') };
	});
}
