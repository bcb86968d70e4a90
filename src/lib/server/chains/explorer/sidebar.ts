import { daemonStates } from '#lib/messages/overview.ts';
import type { DaemonState, Gateway } from '#lib/server/chains/daemon/types.ts';

/** A state in a word. */
export interface StateWord {
	state: 'good' | 'wait' | 'bad' | 'unknown';
	word: string;
}

/** One entry of the list of chains that every page shows. */
interface SidebarChain extends StateWord {
	name: string;
}

const MARKS: Readonly<Record<DaemonState, StateWord['state']>> = {
	unknown: 'unknown',
	up: 'good',
	'warming-up': 'wait',
	busy: 'wait',
	unauthorized: 'bad',
	down: 'bad',
	'wrong-chain': 'bad'
};

/** What the state of a daemon is called on a page. */
export function stateWord(state: DaemonState): StateWord {
	return { state: MARKS[state], word: daemonStates[state] };
}

/** All chains with the state of the daemon that is read for them. Asks nobody: it never waits. */
export function sidebarChains(gateway: Gateway): SidebarChain[] {
	return gateway.chains().map((name) => {
		const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
		return { name, ...stateWord(daemon?.health.state ?? 'unknown') };
	});
}

/** Whether a daemon in this state cannot be used. */
export const offlineState = (state: DaemonState): boolean => MARKS[state] === 'bad';

/** How many daemons cannot be used now. Asks nobody: it never waits. */
export function offlineDaemons(gateway: Gateway): number {
	return gateway.daemons().filter(({ health }) => offlineState(health.state)).length;
}
