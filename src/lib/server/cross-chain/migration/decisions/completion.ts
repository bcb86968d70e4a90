import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import { DAY_MS } from '#lib/text/units.ts';
import type { Refusal } from '../refusals.ts';
import {
	refusedForNow,
	rest,
	step,
	stop,
	withoutApprovals,
	type Context,
	type Decision
} from './decision.ts';
import type { Candidate, Try } from './stepEvent.ts';
import { importReady } from './policy.ts';
import { noneRefused } from './sendImport.ts';
import { isClosed, isLate, type ProofWindow } from './proofWindow.ts';

/** Milliseconds that a notarization may be missing on KMD before the migration stops for a person. */
const MOST_LOST_MS = DAY_MS;

/** KMD no longer has the notarization, or does not have it yet: the proof is built again. */
function notarizationLost(at: Context): Decision {
	const { row, now } = at;
	const lostSince = step(at, 'completion')?.evidence.lostSince ?? now;
	const params = { chain: row.source, ...withoutApprovals(at) };
	const steps = [{ step: 'completion' as const, evidence: { lostSince } }];
	if (now - lostSince > MOST_LOST_MS) {
		return stop(at, 'completion', { code: 'notarization.lost', params }, { steps });
	}
	return rest(
		at,
		'back-notarization',
		{ code: 'notarization.unknown', params },
		{ state: 'waiting-back-notarization', steps }
	);
}

/** KMD did not complete the proof. */
export function completionRefused(
	at: Context,
	{ verdict, response }: Refusal,
	searched?: ProofWindow
): Decision {
	const { row } = at;
	const of = { chain: MAIN_CHAIN, response };
	if (verdict === 'unreachable') {
		const params = { chain: MAIN_CHAIN, detail: response };
		return rest(at, 'completion', { code: 'daemon.no-answer', params });
	}
	if (verdict === 'no-notarization') return notarizationLost(at);
	if (verdict === 'final')
		return stop(at, 'completion', {
			code: 'proof.dead',
			params: { response, ...withoutApprovals(at) }
		});
	if (verdict !== 'wait' && verdict !== 'next-offset') return refusedForNow(at, 'completion', of);
	const evidence = { refused: response, lostSince: null, searched: searched ?? null };
	const steps = [{ step: 'completion' as const, started: true as const, evidence }];
	const params = { chain: row.destination, blocks: NOTARIZATION_WINDOW, ...withoutApprovals(at) };
	if (searched && isClosed(searched)) {
		return stop(at, 'completion', { code: 'target.missed', params }, { steps });
	}
	const reason: MigrationReason =
		searched && isLate(searched)
			? { code: 'target.late', params }
			: { code: 'target.awaited', params: { chain: row.destination } };
	return rest(at, 'completion', reason, { ...waiting(at), steps });
}

const waiting = ({ row }: Context) =>
	row.state === 'waiting-target-notarization'
		? {}
		: ({ state: 'waiting-target-notarization' } as const);

const sameTries = (a: readonly Told[], b: readonly Told[]): boolean =>
	a.length === b.length &&
	a.every(({ offset, response }, i) => offset === b[i]?.offset && response === b[i].response);

/** Result of an offset as stored: the daemon's message, or `completed`. */
interface Told {
	offset: number;
	response: string;
}

const toldOf = ({ offset, refusal }: Try): Told => ({
	offset,
	response: refusal?.response ?? 'completed'
});

/**
 * Returns the proof to send next: the first, or the one after that whose root was refused. A destination may know
 * the root of a proof and still refuse it, for example one whose notarization it did not record, so the others get
 * a turn.
 */
const after = (refused: string, candidates: readonly Candidate[]): Candidate | undefined =>
	candidates[
		(candidates.findLastIndex(({ review }) => review.root === refused) + 1) % candidates.length
	];

/** Chooses, among the proofs that KMD completed, one that the destination knows. */
export function completed(
	at: Context,
	candidates: readonly Candidate[],
	tries: readonly Try[]
): Decision {
	const { row } = at;
	const chain = row.destination;
	const tried = tries.map(toldOf);
	const refused = step(at, 'import-sent')?.evidence.refusedRoot ?? '';
	const ofKind = (known: Candidate['known']): Candidate | undefined =>
		after(
			refused,
			candidates.filter((candidate) => candidate.known === known)
		);
	// If the destination could not be asked, sending the import is the only way to find out.
	const chosen = ofKind(true) ?? ofKind(null);
	const [first] = candidates;
	if (!first) {
		return completionRefused(at, tries.at(-1)?.refusal ?? { verdict: 'wait', response: '' });
	}
	const { offset, review } = chosen ?? first;
	const { root, notarization } = review;
	const before = step(at, 'completion');
	const found = { offset, root, notarization, tried };
	const evidence = { ...found, tries: 0, lostSince: null, refused: null, searched: null };
	if (!chosen) {
		const isNewTry = !sameTries(before?.evidence.tried ?? [], tried);
		const message = { code: 'completion.tried', params: { tried } } as const;
		return rest(
			at,
			'target-notarization',
			{ code: 'momom.awaited', params: { chain } },
			{
				...waiting(at),
				steps: [
					{ step: 'completion', evidence, started: true, done: true },
					{ step: 'target-notarization', started: true },
					...(step(at, 'import-sent')
						? [{ step: 'import-sent' as const, evidence: noneRefused }]
						: [])
				],
				...(isNewTry ? { event: { step: 'completion', message } } : {})
			}
		);
	}
	const { patch, next } = importReady(at);
	return {
		patch: {
			...patch,
			steps: [
				{
					step: 'completion',
					hex: { from: before?.hex ?? null, to: chosen.hex },
					txid: review.txid,
					evidence,
					started: true,
					done: true
				},
				{ step: 'target-notarization', started: true, done: true }
			],
			event: {
				step: 'completion',
				message: { code: 'completion.done', params: { offset, chain } },
				detail: { offset, root, tried }
			}
		},
		next
	};
}
