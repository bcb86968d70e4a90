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
import type { Observation } from './decisions/observation.ts';
import { approvalAwaited } from './decisions/policy.ts';
import { chooseImport, importSent } from './decisions/sendImport.ts';
import { importFound } from './decisions/watchImport.ts';
import type { Loaded, MigrationRow } from './loaded.ts';
import type { StepId } from './steps.ts';

/** True when the state asks for nothing to be looked at: it goes on by itself. */
export function needsNoLook(row: Pick<MigrationRow, 'state'>): boolean {
	return row.state === 'ready-to-import';
}

export type { Decision, Observation };

/** @param seen what was just looked at; null where nothing has to be */
export function decide(loaded: Loaded, seen: Observation | null, now: number): Decision {
	const at: Context = { loaded, row: loaded.row, now };
	if (seen === null) return chooseImport(at);
	const decision = judge(at, seen);
	return seen.burnAt ? withBurnPlace(at, seen.burnAt, decision) : decision;
}

/** A step whose evidence does not fit: nothing is decided by what is left, a person is asked. */
export function evidenceDamaged(loaded: Loaded, step: StepId, now: number): Decision {
	const at: Context = { loaded, row: loaded.row, now };
	return stop(at, step, { code: 'evidence.unreadable', params: { step } });
}

/** Who decides about what was seen. */
function judge(at: Context, seen: Observation): Decision {
	switch (seen.about) {
		case 'burn':
			return burnFound(at, seen.found, seen.outlook);
		case 'burn-sent':
			return burnSent(at, seen.refusal);
		case 'burn-gone':
			return burnGone(at);
		case 'burn-stands':
			return burnStands(at);
		case 'approval-awaited':
			return approvalAwaited(at);
		case 'build':
			return built(at, seen.hex, seen.review);
		case 'build-refused':
			return buildRefused(at, seen.refusal);
		case 'completion':
			return completed(at, seen.candidates, seen.tried);
		case 'completion-refused':
			return completionRefused(at, seen.refusal);
		case 'approvals':
			return approvalsAwaited(at, seen.count);
		case 'approved-build':
			return approvedBuilt(at, seen.hex, seen.txid, seen.approvals);
		case 'import':
			return importFound(at, seen.found, seen.search, seen.chain);
		case 'import-sent':
			return importSent(at, seen.refusal);
		case 'review':
			return reviewFailed(at, seen.error);
		case 'no-answer':
			return noAnswer(at, seen.reason);
	}
}
