/**
 * What to do next with a migration: a pure function of what is stored and of what was just seen. It
 * stores the intent before the act, and whatever may have happened is looked up before it is repeated.
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

/** True when the state asks for nothing to be looked at: it goes on by itself. */
export function needsNoLook(row: Pick<MigrationRow, 'state'>): boolean {
	return row.state === 'ready-to-import';
}

export type { Decision, StepEvent };

/** @param event what was just looked at; null where nothing has to be */
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

/** A step whose evidence does not fit: nothing is decided by what is left, a person is asked. */
export function evidenceDamaged(migration: MigrationRecord, step: StepId, now: number): Decision {
	const at: Context = { migration, row: migration.row, now };
	return stop(at, step, { code: 'evidence.unreadable', params: { step } });
}

/** Who decides about what was seen. */
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
