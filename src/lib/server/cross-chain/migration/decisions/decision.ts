import { sameMessage } from '#lib/messages/catalogue.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import { isFungibleToken } from '../approvable.ts';
import { LONGEST_PAUSE_MS, pauseAfter, type StepId } from '../steps.ts';
import type { Patch, StepPatch } from '../patch.ts';
import type { Evidence } from '../evidence.ts';
import type { MigrationRecord, MigrationRow, StepRow } from '../migrationRecord.ts';

/** A change to store, and the action to execute next. */
export interface Decision {
	patch: Patch;
	/** `again`: check the chains at once. `rest`: leave the migration until it is due. */
	next: 'again' | 'rest' | 'send-burn' | 'build' | 'send-import';
}

/** The migration and time that a decision is made for. */
export interface Context {
	migration: MigrationRecord;
	row: MigrationRow;
	now: number;
}

/** Returns a step; undefined when it has not begun. */
export const step = <Id extends StepId>({ migration }: Context, id: Id): StepRow<Id> | undefined =>
	migration.steps.get(id);

/** Additional parameters of a reason, for a burn that notaries cannot approve. */
export const withoutApprovals = ({ migration }: Context): { approvable?: false } =>
	isFungibleToken(migration) ? { approvable: false } : {};

/** Milliseconds before the first retry after a passing failure; doubles each time. */
const FIRST_PAUSE_MS = 2_000;

const LONGEST_RETRY_MS = 5 * MINUTE_MS;

/** Retries after which the migration stops for a person: with these pauses about an hour. */
const MOST_TRIES = 18;

/** Milliseconds between two checks of a stopped migration. */
const STOPPED_PAUSE_MS = { least: 10_000, most: LONGEST_PAUSE_MS };

/**
 * Returns for how long a step has been waiting in total, so that a step that is entered repeatedly waits longer
 * each time.
 */
export function waitedIn(at: Context, id: StepId, sameState: boolean): number {
	const since = step(at, id)?.startedAt ?? (sameState ? Number(at.row.state_since) : at.now);
	return at.now - Math.min(since, sameState ? Number(at.row.state_since) : at.now);
}

/** Adds the event of a reason, unless it is the current reason already. */
const told = (at: Context, id: StepId, reason: MigrationReason): Patch =>
	sameMessage(at.row.reason, reason) ? {} : { event: { step: id, message: reason } };

/** Leaves the migration until it is due again. An event is only written for a new reason. */
export function rest(
	at: Context,
	id: StepId,
	reason: MigrationReason,
	patch: Patch = {}
): Decision {
	const due = at.now + pauseAfter(id, waitedIn(at, id, patch.state === undefined));
	return { patch: { ...told(at, id, reason), ...patch, reason, due }, next: 'rest' };
}

/** Stops the migration for a person. The engine keeps checking, because the obstacle may disappear without one. */
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

/** Keeps a stopped migration stopped, with its reason, and checks again later. */
export function stopped(at: Context, id: StepId, patch: Patch = {}): Decision {
	if (at.row.reason !== null) return stop(at, id, at.row.reason, patch);
	return { patch: { due: at.now + stoppedPause(at), ...patch }, next: 'rest' };
}

/** Returns the milliseconds until a stopped migration is checked again. */
function stoppedPause({ row, now }: Context): number {
	const waited = row.state === 'stuck' ? now - Number(row.state_since) : 0;
	const { least, most } = STOPPED_PAUSE_MS;
	return Math.min(most, Math.max(least, Math.floor(waited / 10)));
}

const triesOf = (at: Context, id: StepId): number => step(at, id)?.evidence.tries ?? 0;

/** Tries the same again after a pause that doubles, and stops after too many tries. */
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

/** Retries after a refusal that may pass, and stops after too many tries. */
export function refusedForNow<Id extends StepId>(
	at: Context,
	id: Id,
	params: { chain: string; response: string },
	more: { tooOften?: MigrationReason; evidence?: Evidence<Id> } = {}
): Decision {
	const tooOften: MigrationReason = more.tooOften ?? { code: 'refusal.lasting', params };
	return tryAgain(at, id, { code: 'refusal.passing', params }, { ...more, tooOften });
}
