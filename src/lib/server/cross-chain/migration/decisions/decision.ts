import { LONGEST_PAUSE_MS, pauseAfter, type StepId } from '../steps.ts';
import type { Change, Evidence, Loaded, MigrationRow, StepRow } from '../store.ts';
import { words } from '../words.ts';

/** What is stored, and what is done next. */
export interface Decision {
	change: Change;
	/** `again`: look at once. `rest`: the migration is left until it is due. */
	next: 'again' | 'rest' | 'send-burn' | 'build' | 'send-import';
}

/** What a decision is about, and when. */
export interface Context {
	loaded: Loaded;
	row: MigrationRow;
	now: number;
}

/** A fact that is text; empty where it is none. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A step that was begun. */
export const step = ({ loaded }: Context, id: StepId): StepRow | undefined => loaded.steps.get(id);

/** Milliseconds between two tries after one that may pass: twice as long each time. */
const FIRST_PAUSE_MS = 2_000;

const LONGEST_RETRY_MS = 5 * 60_000;

/** Tries after which a person is asked: with these pauses about an hour. */
const MOST_TRIES = 18;

/** Between two looks for what a stopped migration waits for. */
const STOPPED_PAUSE_MS = { least: 10_000, most: LONGEST_PAUSE_MS };

/**
 * How long has been waited in a step, all in all: one that is entered again and again waits longer each time.
 */
export function waitedIn(at: Context, id: StepId, sameState: boolean): number {
	const since = step(at, id)?.startedAt ?? (sameState ? Number(at.row.state_since) : at.now);
	return at.now - Math.min(since, sameState ? Number(at.row.state_since) : at.now);
}

/** The event of a reason; none where it was told before. */
const told = (at: Context, id: StepId, reason: string): Change =>
	at.row.reason === reason ? {} : { event: { step: id, words: reason } };

/** Leaves the migration until it is looked at again. An event is written only for a new reason. */
export function rest(at: Context, id: StepId, reason: string, change: Change = {}): Decision {
	const due = at.now + pauseAfter(id, waitedIn(at, id, change.state === undefined));
	return { change: { ...told(at, id, reason), ...change, reason, due }, next: 'rest' };
}

/** Leaves it to a person. It goes on looking: what it waits for may happen without one. */
export function stop(at: Context, id: StepId, reason: string, change: Change = {}): Decision {
	const again = at.row.state === 'stuck';
	const waited = again ? at.now - Number(at.row.state_since) : 0;
	const { least, most } = STOPPED_PAUSE_MS;
	return {
		change: {
			...(again ? told(at, id, reason) : { event: { step: id, words: reason } }),
			due: at.now + Math.min(most, Math.max(least, Math.floor(waited / 10))),
			...change,
			...(again ? {} : { state: 'stuck' as const }),
			reason
		},
		next: 'rest'
	};
}

const triesOf = (at: Context, id: StepId): number => Number(step(at, id)?.evidence['tries'] ?? 0);

/** Tries the same again after a pause that doubles, and leaves it to a person when that went on too long. */
export function tryAgain(
	at: Context,
	id: StepId,
	reason: string,
	{ tooOften, evidence = {} }: { tooOften: string; evidence?: Evidence }
): Decision {
	const tries = triesOf(at, id) + 1;
	const steps = [{ step: id, evidence: { ...evidence, tries } }];
	if (tries > MOST_TRIES) return stop(at, id, tooOften, { steps });
	return {
		change: {
			...told(at, id, reason),
			reason,
			due: at.now + Math.min(LONGEST_RETRY_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
			steps
		},
		next: 'rest'
	};
}

export const refusedForNow = (at: Context, id: StepId, chain: string, said: string): Decision =>
	tryAgain(at, id, words.refusedForNow(chain, said), {
		tooOften: words.refusedTooOften(chain, said)
	});
