import { stepsOf, type StepId } from '../steps.ts';
import type { MigrationRecord, StepRow } from '../migrationRecord.ts';

/** Returns the current step of a migration; null when its state does not tell. */
export function currentStep({ row, steps }: MigrationRecord): StepId | null {
	switch (row.state) {
		case 'draft':
		case 'preflight-failed':
		case 'burn-needs-approval':
		case 'discarded':
		case 'burn-unknown':
			return 'burn';
		case 'burn-pending':
			return 'burn-confirmed';
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			return row.path === 'backup' ? 'approvals' : 'back-notarization';
		case 'backup-collecting':
			return 'approvals';
		case 'import-built':
			return 'completion';
		case 'waiting-target-notarization':
			return steps.get('completion')?.doneAt ? 'target-notarization' : 'completion';
		case 'needs-approval':
		case 'ready-to-import':
		case 'import-unknown':
			return 'import-sent';
		case 'import-pending':
		case 'done':
			return 'import-confirmed';
		case 'stuck':
			return (
				stepsOf(row.path)
					.toReversed()
					.find(({ id }) => STOPS.includes(id) && hasBegun(steps.get(id)))?.id ?? 'burn'
			);
		default:
			// A final state, or one that only another release knows.
			return null;
	}
}

/** Whether a step has begun. The step `approvals` of a burn that will be published is stored earlier than it starts. */
const hasBegun = (step: StepRow | undefined): boolean =>
	step !== undefined && (step.step !== 'approvals' || step.startedAt !== null);

/** Steps in which a migration can stop. */
const STOPS: readonly StepId[] = [
	'burn',
	'burn-confirmed',
	'back-notarization',
	'approvals',
	'completion',
	'import-sent'
];
