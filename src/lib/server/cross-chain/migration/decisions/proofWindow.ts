/**
 * The blocks in which a proof has to find its next notarization. The daemons search no further, however long one waits:
 * what is not there when the last of them is mined never comes. (Komodo daemon 0.9.0: 1440 blocks in
 * `NotarisationDB.cpp`; seen on running daemons: a distance of 1439 works, 1440 does not, and the tip is left out.)
 */
import { WINDOW } from '../../../chains/daemon/lookup.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { MAIN_CHAIN } from '../request.ts';

export interface ProofWindow {
	/** Height of the first block that is searched. */
	from: number;
	/** Height of the tip when it was searched. */
	tip: number;
}

/** From here on it is worth saying. */
const LATE = (WINDOW * 3) / 4;

/** Blocks of the window that were searched. */
export const searchedIn = ({ from, tip }: ProofWindow): number =>
	Math.min(WINDOW, Math.max(0, tip - from));

/** Whether every block of the window was searched. */
export const isClosed = (window: ProofWindow): boolean => searchedIn(window) === WINDOW;

export const isLate = (window: ProofWindow): boolean => searchedIn(window) >= LATE;

type Steps = MigrationRecord['steps'];

/** Where the source was searched for the notarization of a burn; null while nobody looked. */
export function sourceWindow(steps: Steps): ProofWindow | null {
	const from = steps.get('burn-confirmed')?.evidence.height;
	const { tip = null } = steps.get('back-notarization')?.evidence ?? {};
	return from === undefined || tip === null ? null : { from, tip };
}

/** The window in which a migration waits for a notarization, with the chain whose blocks count; null in no such state. */
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
