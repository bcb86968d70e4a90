/** Describes whether each index of a daemon is on, and what does not work without it. Pure. */
import type { IndexFact, IndexName } from '#lib/messages/daemonIndexes.ts';
import type { Told } from './read.ts';

/** Without these indexes, release 0.9.0 refuses to build a token transaction or a burn on any chain. */
export const BUILDING: readonly IndexName[] = ['addressindex', 'spentindex'];

/**
 * Returns the state of one index.
 * @param builds whether tokens or burns are built on this chain, so that the indexes needed for that are marked
 */
export function indexFact(name: IndexName, told: Told<boolean>, builds: boolean): IndexFact {
	if (told.kind !== 'told') return { name, state: 'unknown', why: told.why };
	if (told.value) return { name, state: 'on' };
	return { name, state: 'off', builds: builds && BUILDING.includes(name) };
}
