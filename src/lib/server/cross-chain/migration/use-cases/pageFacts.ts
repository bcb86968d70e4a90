/** What the page of a migration says, decided from the migration, the paces of its chains and the time alone. */
import { parsePayouts } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { USUAL_FINALITY } from '../../../platform/config/finality.ts';
import { arrivalEstimate, type Paces, type TimeRange } from '../decisions/arrivalEstimate.ts';
import { currentStep } from '../decisions/currentStep.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { hasArrived, isMoving } from '../states.ts';

interface Recipient {
	address: string;
	value: bigint;
}

/** Confirmation of an import that is in a block. */
interface Arrival {
	final: boolean;
	height: number;
	confirmations: number;
	needed: number;
	awaitsNotarization: boolean;
	/** Unix milliseconds. */
	at: number | null;
}

/** How long a migration in progress will take: `range` from now, or the usual total duration when it is late. */
interface Estimate {
	late: boolean;
	range: TimeRange;
}

export interface PageFacts {
	/** Recipients of the import. */
	recipients: Recipient[];
	/** Id of the token on the destination, once it has arrived. */
	arrivedToken: string | null;
	/** When the burn was confirmed, from which durations are counted. Unix milliseconds. */
	confirmedAt: number;
	/** Null while the import is in no block. */
	arrival: Arrival | null;
	/** Whether it may change without a user's action. */
	moving: boolean;
	/** Usual total duration; `none` when that is no longer relevant, null when it is not known. */
	usual: TimeRange | null | 'none';
	/** Null when it is not in progress, or when there is no estimate. */
	estimate: Estimate | null;
}

/** Returns the recipients, from the payouts of the burn; a token has one recipient, a public key. */
function recipientsOf({ row }: MigrationRecord): Recipient[] {
	if (row.tokenid !== null || row.payouts === null) {
		return [{ address: row.address, value: row.amount }];
	}
	return parsePayouts(row.payouts).map(({ value, script }) => ({
		value,
		address: classify(script).address ?? row.address
	}));
}

function arrivalOf({ row, steps }: MigrationRecord): Arrival | null {
	const step = steps.get('import-confirmed');
	if (!hasArrived(row.state) || !step) return null;
	const { height, confirmations, needed, awaitsNotarization } = step.evidence;
	return {
		final: row.state === 'final',
		height: Number(height),
		confirmations: Number(confirmations ?? 1),
		needed: Number(needed ?? USUAL_FINALITY.confirmations),
		awaitsNotarization: awaitsNotarization === true,
		at: step.doneAt
	};
}

function estimateOf(
	view: MigrationRecord,
	paces: Paces,
	usual: TimeRange | null,
	sinceMs: number
): Estimate | null {
	if (usual !== null && sinceMs > usual.high * 1_000) return { late: true, range: usual };
	const range = arrivalEstimate(view.row.path, paces, currentStep(view));
	return range && { late: false, range };
}

/** @param now Unix milliseconds */
export function pageFacts(view: MigrationRecord, paces: Paces, now: number): PageFacts {
	const { row, steps } = view;
	const confirmedAt = steps.get('burn')?.startedAt ?? Number(row.created_at);
	const usual = arrivalEstimate(row.path, paces);
	const isArrived = hasArrived(row.state);
	return {
		recipients: recipientsOf(view),
		arrivedToken:
			row.tokenid !== null && isArrived ? (steps.get('import-confirmed')?.txid ?? null) : null,
		confirmedAt,
		arrival: arrivalOf(view),
		// While a member decides, the page must not refresh.
		moving: isMoving(row.state) || (row.due_at !== null && row.state !== 'needs-approval'),
		usual: isArrived || row.state === 'discarded' ? 'none' : usual,
		estimate: isMoving(row.state) ? estimateOf(view, paces, usual, now - confirmedAt) : null
	};
}
