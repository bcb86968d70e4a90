import { daemonStates } from '#lib/messages/overview.ts';
import type { Badge, Tone } from '#lib/text/badge.ts';
import type { DaemonState, Gateway } from '#lib/server/chains/daemon/types.ts';

/** One entry of the list of chains on every page. */
interface SidebarChain extends Badge {
	name: string;
}

const MARKS: Readonly<Record<DaemonState, Tone>> = {
	unknown: 'unknown',
	up: 'good',
	'warming-up': 'wait',
	busy: 'wait',
	unauthorized: 'bad',
	down: 'bad',
	'wrong-chain': 'bad'
};

/** Returns the word that pages use for the state of a daemon. */
export function stateWord(state: DaemonState): Badge {
	return { state: MARKS[state], word: daemonStates[state] };
}

/** Returns all chains with the state of the daemon that is read for them. Makes no calls. */
export function sidebarChains(gateway: Gateway): SidebarChain[] {
	return gateway.chains().map((name) => {
		const daemon = gateway.daemonFor(name, 'read') ?? gateway.daemonFor(name, 'wallet');
		return { name, ...stateWord(daemon?.health.state ?? 'unknown') };
	});
}

/** Whether a daemon in this state cannot be used: it is offline, refuses the password, or serves another chain. */
export const isUnusable = (state: DaemonState): state is 'unauthorized' | 'down' | 'wrong-chain' =>
	MARKS[state] === 'bad';

/** Returns how many daemons cannot be used now. Makes no calls. */
export function unusableDaemons(gateway: Gateway): number {
	return gateway.daemons().filter(({ health }) => isUnusable(health.state)).length;
}
