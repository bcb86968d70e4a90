/** Whether each index of a daemon is on, and what is missing without it. Pure. */
import type { IndexFact, IndexName } from '#lib/messages/daemonIndexes.ts';
import type { Told } from './read.ts';

/** Without these, release 0.9.0 refuses to build a token transaction or a burn, whatever the chain. */
export const BUILDING: readonly IndexName[] = ['addressindex', 'spentindex'];

/**
 * Says of one index whether it is on.
 * @param builds whether tokens or burns are built on this chain, so that what they need is named
 */
export function indexFact(name: IndexName, told: Told<boolean>, builds: boolean): IndexFact {
	if (told.kind !== 'told') return { name, state: 'unknown', why: told.why };
	if (told.value) return { name, state: 'on' };
	return { name, state: 'off', builds: builds && BUILDING.includes(name) };
}
