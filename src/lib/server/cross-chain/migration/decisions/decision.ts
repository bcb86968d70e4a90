import { sameMessage } from '#lib/messages/catalogue.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import { isFungibleToken } from '../approvable.ts';
import { LONGEST_PAUSE_MS, pauseAfter, type StepId } from '../steps.ts';
import type { Patch, StepPatch } from '../patch.ts';
import type { Evidence } from '../evidence.ts';
import type { MigrationRecord, MigrationRow, StepRow } from '../migrationRecord.ts';

/** What is stored, and what is done next. */
export interface Decision {
	patch: Patch;
	/** `again`: look at once. `rest`: the migration is left until it is due. */
	next: 'again' | 'rest' | 'send-burn' | 'build' | 'send-import';
}

/** What a decision is about, and when. */
export interface Context {
	migration: MigrationRecord;
	row: MigrationRow;
	now: number;
}

/** A step that was begun. */
export const step = <Id extends StepId>({ migration }: Context, id: Id): StepRow<Id> | undefined =>
	migration.steps.get(id);

/** What a reason says beside its own: that notaries cannot help, where they cannot. */
export const withoutApprovals = ({ migration }: Context): { approvable?: false } =>
	isFungibleToken(migration) ? { approvable: false } : {};

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
const told = (at: Context, id: StepId, reason: MigrationReason): Patch =>
	sameMessage(at.row.reason, reason) ? {} : { event: { step: id, message: reason } };

/** Leaves the migration until it is looked at again. An event is written only for a new reason. */
export function rest(
	at: Context,
	id: StepId,
	reason: MigrationReason,
	patch: Patch = {}
): Decision {
	const due = at.now + pauseAfter(id, waitedIn(at, id, patch.state === undefined));
	return { patch: { ...told(at, id, reason), ...patch, reason, due }, next: 'rest' };
}

/** Leaves it to a person. It goes on looking: what it waits for may happen without one. */
export function stop(
	at: Context,
	id: StepId,
	reason: MigrationReason,
	patch: Patch = {}
): Decision {
	const again = at.row.state === 'stuck';
	return {
		patch: {
			...(again ? told(at, id, reason) : { event: { step: id, message: reason } }),
			due: at.now + stoppedPause(at),
			...patch,
			...(again ? {} : { state: 'stuck' as const }),
			reason
		},
		next: 'rest'
	};
}

/** Leaves a stopped migration as it is, with the reason that it has, and looks again later. */
export function stopped(at: Context, id: StepId, patch: Patch = {}): Decision {
	if (at.row.reason !== null) return stop(at, id, at.row.reason, patch);
	return { patch: { due: at.now + stoppedPause(at), ...patch }, next: 'rest' };
}

/** Milliseconds until a migration that is stopped, or stops now, is looked at again. */
function stoppedPause({ row, now }: Context): number {
	const waited = row.state === 'stuck' ? now - Number(row.state_since) : 0;
	const { least, most } = STOPPED_PAUSE_MS;
	return Math.min(most, Math.max(least, Math.floor(waited / 10)));
}

const triesOf = (at: Context, id: StepId): number => step(at, id)?.evidence.tries ?? 0;

/** Tries the same again after a pause that doubles, and leaves it to a person when that went on too long. */
export function tryAgain<Id extends StepId>(
	at: Context,
	id: Id,
	reason: MigrationReason,
	{ tooOften, evidence }: { tooOften: MigrationReason; evidence?: Evidence<Id> }
): Decision {
	const tries = triesOf(at, id) + 1;
	const steps = [{ step: id, evidence: { ...evidence, tries } } as StepPatch];
	if (tries > MOST_TRIES) return stop(at, id, tooOften, { steps });
	return {
		patch: {
			...told(at, id, reason),
			reason,
			due: at.now + Math.min(LONGEST_RETRY_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
			steps
		},
		next: 'rest'
	};
}

/** A refusal that may pass: the same is tried again, and a person is asked in the end. */
export function refusedForNow<Id extends StepId>(
	at: Context,
	id: Id,
	params: { chain: string; response: string },
	more: { tooOften?: MigrationReason; evidence?: Evidence<Id> } = {}
): Decision {
	const tooOften: MigrationReason = more.tooOften ?? { code: 'refusal.lasting', params };
	return tryAgain(at, id, { code: 'refusal.passing', params }, { ...more, tooOften });
}
