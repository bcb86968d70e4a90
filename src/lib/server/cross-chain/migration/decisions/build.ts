import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { ImportReview } from '../importReview.ts';
import type { Refusal } from '../refusals.ts';
import type { StepPatch } from '../patch.ts';
import { burnGone } from './burn.ts';
import { isClosed, isLate, sourceWindow } from './proofWindow.ts';
import {
	refusedForNow,
	rest,
	step,
	stop,
	withoutApprovals,
	type Context,
	type Decision
} from './decision.ts';

/** Consecutive builds that ended without an answer, after which the migration stops. */
const MOST_BROKEN = 3;

/**
 * Records that a build begins, before the daemon is asked: if the daemon crashes on it, it is not asked forever.
 * @param tip height of the source before the build
 */
export function burnStands(at: Context, tip?: number): Decision {
	const { row } = at;
	const asked = step(at, 'import-built')?.evidence.asked ?? 0;
	const where = row.path === 'backup' ? 'approvals' : 'back-notarization';
	if (asked >= MOST_BROKEN) {
		return stop(at, where, { code: 'build.broken', params: { chain: row.source } });
	}
	return {
		patch: {
			steps: [
				{ step: 'import-built', evidence: { asked: asked + 1 } },
				...(tip === undefined ? [] : [{ step: 'back-notarization' as const, evidence: { tip } }])
			]
		},
		next: 'build'
	};
}

/** Records that a build ended with an answer. */
export const answered: StepPatch = { step: 'import-built', evidence: { asked: 0 } };

/** The source daemon did not build the import. */
export function buildRefused(at: Context, { verdict, response, broke }: Refusal): Decision {
	const { row } = at;
	const chain = row.source;
	const backup = row.path === 'backup';
	const waiting = backup ? 'approvals' : 'back-notarization';
	if (verdict === 'unreachable') {
		const steps = broke ? [] : [answered];
		const reason = { code: 'daemon.no-answer', params: { chain, detail: response } } as const;
		return rest(at, waiting, reason, { steps });
	}
	if (verdict === 'back-to-burn') return burnGone(at, { steps: [answered] });
	if (verdict === 'final') {
		const reason: MigrationReason = backup
			? { code: 'approvals.not-built', params: { chain, response } }
			: { code: 'proof.dead', params: { response, ...withoutApprovals(at) } };
		return stop(at, waiting, reason, { steps: [answered] });
	}
	if (verdict !== 'wait' || backup) {
		return refusedForNow(at, 'import-built', { chain, response }, { evidence: { asked: 0 } });
	}
	const window = sourceWindow(at.migration.steps);
	const params = { chain, blocks: NOTARIZATION_WINDOW, ...withoutApprovals(at) };
	if (window && isClosed(window)) {
		const reason = { code: 'back-notarization.missed', params } as const;
		return stop(at, 'back-notarization', reason, { steps: [answered] });
	}
	return rest(
		at,
		'back-notarization',
		window && isLate(window)
			? { code: 'back-notarization.late', params }
			: { code: 'back-notarization.awaited', params: { chain } },
		{
			...(row.state === 'waiting-back-notarization' ? {} : { state: 'waiting-back-notarization' }),
			steps: [{ step: 'back-notarization', started: true }, answered]
		}
	);
}

/** The import was built with a proof of its source; KMD has to complete it. */
export function built(at: Context, hex: string, review: ImportReview): Decision {
	const { row } = at;
	const before = step(at, 'import-built')?.hex ?? null;
	const { root, notarization } = review;
	return {
		patch: {
			state: 'import-built',
			reason: null,
			steps: [
				{
					step: 'back-notarization',
					// The notarization has arrived, so its window no longer matters.
					evidence: { notarization, tip: null, tries: 0 },
					started: true,
					done: true
				},
				{
					step: 'import-built',
					hex: { from: before, to: hex },
					evidence: { root, notarization, asked: 0, tries: 0 },
					started: true,
					done: true
				}
			],
			event: {
				step: 'import-built',
				message: {
					code: before === null ? 'import.built' : 'import.rebuilt',
					params: { chain: row.source }
				},
				detail: { root, notarization }
			}
		},
		next: 'again'
	};
}
