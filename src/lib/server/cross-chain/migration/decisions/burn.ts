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

/** What a burn was refused for; of a stopped one earlier releases kept it in the reason alone. Null: it was not. */
export function refusalOfBurn({ row, steps }: MigrationRecord): string | null {
	const { refused } = steps.get('burn')?.evidence ?? {};
	if (refused) return refused;
	return row.reason?.code === 'burn.refused' ? row.reason.params.response : null;
}

/** What became of a burn that was looked up. */
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
	if (row.state === 'stuck') return outlook === null ? stopped(at, 'burn') : keptBurn(at, outlook);
	if (kept !== undefined)
		return stop(at, 'burn', { code: 'burn.kept', params: { actor: kept, chain } });
	return { patch: {}, next: 'send-burn' };
}

/** What is remembered of a look at a burn that may never get into a block. */
const outlookNoted = (outlook: RefusedOutlook | null): Evidence<'burn'> => ({
	spentSince: outlook?.spentSince ?? null
});

/** Nobody took over a burn that was kept: once no block can take it, nobody has to. */
function keptBurn(at: Context, outlook: RefusedOutlook): Decision {
	const steps = [{ step: 'burn', evidence: outlookNoted(outlook) } as const];
	if (outlook.dead === null) return stopped(at, 'burn', { steps });
	const over: MigrationReason = { code: 'burn.outlived', params: { chain: at.row.source } };
	return stop(at, 'burn', over, { due: null, steps });
}

/** Whether a daemon has shown the burn. */
const wasOut = (at: Context): boolean => (step(at, 'burn')?.doneAt ?? null) !== null;

/**
 * The daemon refused the burn, and another look did not find it either. What may pass is tried for about an hour. After
 * that a burn that was out goes out by itself all the same, whatever it was refused for, at each look while no block
 * spends its inputs: it is the same transaction, was good once, and was judged and counted when it went out first.
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

/** What a send of the burn gave. */
export function burnSent(at: Context, refusal: Refusal | null): Decision {
	const { source: chain, burn_txid: txid, amount } = at.row;
	const decided = afterSend(at, 'burn', { chain, detail: { txid, amount } }, refusal, (refused) =>
		// What took the place of a burn that was on the network may drop out of the mempool again.
		refusedSend(
			'burn',
			wasOut(at) && refused.verdict === 'conflict' ? { ...refused, verdict: 'passing' } : refused
		)
	);
	return at.row.state === 'stuck' ? whileStopped(at, decided) : decided;
}

/** A burn that went out again of a migration that is stopped: it moves once the daemon took it, and not before. */
function whileStopped(at: Context, { patch, next }: Decision): Decision {
	if (next === 'rest') return stopped(at, 'burn');
	if (patch.event === undefined) return stopped(at, 'burn', patch);
	const steps = [{ step: 'burn' as const, evidence: { refused: null, tries: 0 } }];
	return { patch: { ...patch, state: 'burn-unknown', steps }, next };
}

/** The burn has to be sent again before anything is built on it. */
export function burnGone(at: Context, patch: Patch = {}): Decision {
	const reason = { code: 'burn.reorganized', params: { chain: at.row.source } } as const;
	return rest(at, 'burn-confirmed', reason, { ...patch, state: 'burn-unknown' });
}

/** Writes down that another block than before holds the burn. */
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
