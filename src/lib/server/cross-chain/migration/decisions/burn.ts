import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { RefusedOutlook } from '../../../wallet/transactions/refusedOutlook.ts';
import type { Refusal } from '../refusals.ts';
import type { Patch } from '../patch.ts';
import type { Evidence } from '../evidence.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import {
	refusedForNow,
	rest,
	step,
	stop,
	stopped,
	type Context,
	type Decision
} from './decision.ts';
import type { BurnPlace, StepEvent } from './stepEvent.ts';
import { afterSend, refusedSend } from './sent.ts';

/** Returns why the daemon refused the burn; null: it did not. Earlier releases stored this only in the reason. */
export function refusalOfBurn({ row, steps }: MigrationRecord): string | null {
	const refused = steps.get('burn')?.evidence.refused ?? null;
	if (refused !== null) return refused;
	return row.reason?.code === 'burn.refused' ? row.reason.params.response : null;
}

/** Decides by where the burn was found. */
export function burnFound(
	at: Context,
	{ found, outlook, kept }: Extract<StepEvent, { about: 'burn' }>
): Decision {
	const { row } = at;
	const chain = row.source;
	if (found.where === 'mined') {
		const { height, blockhash } = found;
		return {
			patch: {
				state: 'burn-confirmed',
				reason: null,
				due: at.now,
				steps: [
					{ step: 'burn', evidence: { refused: null, tries: 0 }, done: true },
					{ step: 'burn-confirmed', evidence: { height, blockhash }, started: true, done: true }
				],
				event: {
					step: 'burn-confirmed',
					message: { code: 'burn.mined', params: { chain, height } }
				}
			},
			next: 'again'
		};
	}
	if (found.where === 'mempool') {
		const seen = { code: 'burn.pending', params: { chain } } as const;
		if (row.state === 'burn-pending') return rest(at, 'burn-confirmed', seen);
		return rest(at, 'burn-confirmed', seen, {
			state: 'burn-pending',
			steps: [
				{ step: 'burn', evidence: { refused: null, tries: 0 }, done: true },
				{ step: 'burn-confirmed', started: true }
			]
		});
	}
	if (row.state === 'burn-pending') {
		return {
			patch: {
				state: 'burn-unknown',
				reason: null,
				event: { step: 'burn', message: { code: 'burn.lost', params: { chain } } }
			},
			next: 'again'
		};
	}
	const refused = refusalOfBurn(at.migration);
	if (refused !== null) return refusedBurn(at, refused, outlook);
	if (row.state === 'stuck')
		return outlook === null ? stopped(at, 'burn') : stayStopped(at, outlook);
	if (kept !== undefined)
		return stop(at, 'burn', { code: 'burn.kept', params: { actor: kept, chain } });
	return { patch: {}, next: 'send-burn' };
}

/** Evidence of a check whether a refused burn can still be confirmed. */
const outlookNoted = (outlook: RefusedOutlook | null): Evidence<'burn'> => ({
	spentSince: outlook?.spentSince ?? null
});

/**
 * A burn that its confirmer may no longer send stays stopped until another member retries it; once it can never be
 * confirmed, there is nothing left to retry.
 */
function stayStopped(at: Context, outlook: RefusedOutlook): Decision {
	const steps = [{ step: 'burn', evidence: outlookNoted(outlook) } as const];
	if (outlook.dead === null) return stopped(at, 'burn', { steps });
	const over: MigrationReason = { code: 'burn.outlived', params: { chain: at.row.source } };
	return stop(at, 'burn', over, { due: null, steps });
}

/** Whether a daemon has ever had the burn. */
const wasOut = (at: Context): boolean => (step(at, 'burn')?.doneAt ?? null) !== null;

/**
 * The daemon refused the burn, and it was not found afterwards either. A refusal that may pass is retried for about
 * an hour. After that, a burn that had been on the network is still sent at each check while no block spends its
 * inputs, whatever the refusal: it is the same transaction, was valid once, and was authorized and counted when it
 * was first sent.
 */
function refusedBurn(at: Context, refused: string, outlook: RefusedOutlook | null): Decision {
	const { row } = at;
	const { passing } = step(at, 'burn')?.evidence ?? {};
	const of = { chain: row.source, response: refused };
	const noted = outlookNoted(outlook);
	if (outlook?.dead) {
		return stop(
			at,
			'burn',
			{ code: 'burn.dead', params: of },
			{
				due: null,
				steps: [{ step: 'burn', evidence: noted }]
			}
		);
	}
	const left: MigrationReason = { code: 'burn.refused', params: of };
	if (passing === true && row.state !== 'stuck') {
		const again = refusedForNow(at, 'burn', of, { evidence: { ...noted, refused: null } });
		if (again.patch.state !== 'stuck') return again;
	} else if (row.state === 'stuck' && wasOut(at) && noted.spentSince === null) {
		return { patch: { steps: [{ step: 'burn', evidence: noted }] }, next: 'send-burn' };
	}
	return stop(at, 'burn', left, { steps: [{ step: 'burn', evidence: { ...noted, refused } }] });
}

/** The burn was sent or refused. */
export function burnSent(at: Context, refusal: Refusal | null): Decision {
	const { source: chain, burn_txid: txid, amount } = at.row;
	const decided = afterSend(at, 'burn', { chain, detail: { txid, amount } }, refusal, (refused) =>
		// A transaction that replaced a burn on the network may drop out of the mempool again.
		refusedSend(
			'burn',
			wasOut(at) && refused.verdict === 'conflict' ? { ...refused, verdict: 'passing' } : refused
		)
	);
	return at.row.state === 'stuck' ? whileStopped(at, decided) : decided;
}

/** The burn of a stopped migration was sent again: the migration only resumes when the daemon accepted it. */
function whileStopped(at: Context, { patch, next }: Decision): Decision {
	if (next === 'rest') return stopped(at, 'burn');
	if (patch.event === undefined) return stopped(at, 'burn', patch);
	const steps = [{ step: 'burn' as const, evidence: { refused: null, tries: 0 } }];
	return { patch: { ...patch, state: 'burn-unknown', steps }, next };
}

/** A reorganization removed the burn: it must be sent again before anything is built on it. */
export function burnGone(at: Context, patch: Patch = {}): Decision {
	const reason = { code: 'burn.reorganized', params: { chain: at.row.source } } as const;
	return rest(at, 'burn-confirmed', reason, { ...patch, state: 'burn-unknown' });
}

/** Records when the burn is in another block than before. */
export function withBurnPlace(at: Context, burnAt: BurnPlace, { patch, next }: Decision): Decision {
	const { height, blockhash } = step(at, 'burn-confirmed')?.evidence ?? {};
	if (height === burnAt.height && blockhash === burnAt.blockhash) return { patch, next };
	const event = {
		step: 'burn-confirmed',
		message: { code: 'burn.moved', params: { chain: at.row.source, height: burnAt.height } }
	} as const;
	const steps = [
		...(patch.steps ?? []),
		{ step: 'burn-confirmed' as const, evidence: { ...burnAt } }
	];
	return { patch: { event, ...patch, steps }, next };
}
