/**
 * Decides what to do next with a migration: a pure function of the stored record and the last event. The intent is
 * stored before each action, and an action that may have happened is looked up before it is repeated.
 */
import { approvalsAwaited, approvedBuilt } from './decisions/approvals.ts';
import { buildRefused, built, burnStands } from './decisions/build.ts';
import { burnFound, burnGone, burnSent, withBurnPlace } from './decisions/burn.ts';
import { completed, completionRefused } from './decisions/completion.ts';
import { stop, type Context, type Decision } from './decisions/decision.ts';
import { noAnswer, reviewFailed } from './decisions/failures.ts';
import type { StepEvent } from './decisions/stepEvent.ts';
import { approvalAwaited } from './decisions/policy.ts';
import { chooseImport, importSent } from './decisions/sendImport.ts';
import { importFound } from './decisions/watchImport.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import type { StepId } from './steps.ts';

/** Returns whether the state needs no check of the chains before the next decision. */
export function needsNoLook(row: Pick<MigrationRow, 'state'>): boolean {
	return row.state === 'ready-to-import';
}

export type { Decision, StepEvent };

/**
 * Returns the decision for an event.
 * @param event result of the last check; null when none is needed
 */
export function transition(
	migration: MigrationRecord,
	event: StepEvent | null,
	now: number
): Decision {
	const at: Context = { migration, row: migration.row, now };
	if (event === null) return chooseImport(at);
	const decision = judge(at, event);
	return event.burnAt ? withBurnPlace(at, event.burnAt, decision) : decision;
}

/** Stops a migration with invalid evidence: no decision can be based on the rest. */
export function evidenceDamaged(migration: MigrationRecord, step: StepId, now: number): Decision {
	const at: Context = { migration, row: migration.row, now };
	return stop(at, step, { code: 'evidence.unreadable', params: { step } });
}

/** Delegates the decision by kind of event. */
function judge(at: Context, event: StepEvent): Decision {
	switch (event.about) {
		case 'burn':
			return burnFound(at, event);
		case 'burn-sent':
			return burnSent(at, event.refusal);
		case 'burn-gone':
			return burnGone(at);
		case 'burn-stands':
			return burnStands(at, event.tip);
		case 'approval-awaited':
			return approvalAwaited(at);
		case 'build':
			return built(at, event.hex, event.review);
		case 'build-refused':
			return buildRefused(at, event.refusal);
		case 'completion':
			return completed(at, event.candidates, event.tried);
		case 'completion-refused':
			return completionRefused(at, event.refusal, event.searched);
		case 'approvals':
			return approvalsAwaited(at, event.count);
		case 'approved-build':
			return approvedBuilt(at, event.hex, event.txid, event.approvals);
		case 'import':
			return importFound(at, event.found, event.search, event.chain);
		case 'import-sent':
			return importSent(at, event.refusal);
		case 'review':
			return reviewFailed(at, event.error);
		case 'no-answer':
			return noAnswer(at, event.reason);
	}
}
