/**
 * The blocks in which a proof has to find its next notarization. The daemons search no further: a notarization that
 * is missing when the last of these blocks is mined can never be used. (Komodo daemon 0.9.0: 1440 blocks in
 * `NotarisationDB.cpp`; seen on running daemons: a distance of 1439 works, 1440 does not, and the tip is left out.)
 */
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { MigrationRecord } from '../migrationRecord.ts';

export interface ProofWindow {
	/** Height of the first block that is searched. */
	from: number;
	/** Height of the tip at the search. */
	tip: number;
}

/** Searched blocks from which the delay is reported. */
const LATE = (NOTARIZATION_WINDOW * 3) / 4;

/** Returns the number of blocks of the window that were searched. */
export const searchedIn = ({ from, tip }: ProofWindow): number =>
	Math.min(NOTARIZATION_WINDOW, Math.max(0, tip - from));

/** Whether every block of the window was searched. */
export const isClosed = (window: ProofWindow): boolean =>
	searchedIn(window) === NOTARIZATION_WINDOW;

/** Whether three quarters of the window were searched, from which on the delay is reported. */
export const isLate = (window: ProofWindow): boolean => searchedIn(window) >= LATE;

type Steps = MigrationRecord['steps'];

/** Returns the window in which the source was searched for the notarization of a burn; null before the first search. */
export function sourceWindow(steps: Steps): ProofWindow | null {
	const from = steps.get('burn-confirmed')?.evidence.height;
	const { tip = null } = steps.get('back-notarization')?.evidence ?? {};
	return from === undefined || tip === null ? null : { from, tip };
}

/** Returns the window of the awaited notarization, with the chain whose blocks count; null in other states. */
export function windowOf({
	row,
	steps
}: Pick<MigrationRecord, 'row' | 'steps'>): (ProofWindow & { chain: string }) | null {
	if (row.path === 'backup') return null;
	const isAtSource = row.state === 'waiting-back-notarization';
	if (!isAtSource && row.state !== 'waiting-target-notarization') return null;
	const window = isAtSource ? sourceWindow(steps) : steps.get('completion')?.evidence.searched;
	return window ? { ...window, chain: isAtSource ? row.source : MAIN_CHAIN } : null;
}
