import type { Refusal } from '../refusals.ts';
import { MAIN_CHAIN } from '../request.ts';
import { words } from '../words.ts';
import { refusedForNow, rest, step, stop, text, type Context, type Decision } from './decision.ts';
import type { Candidate, Try } from './observation.ts';
import { importReady } from './policy.ts';

/** KMD did not complete the proof. */
export function completionRefused(at: Context, { verdict, words: said }: Refusal): Decision {
	const { row } = at;
	if (verdict === 'unreachable') return rest(at, 'completion', words.noAnswer(MAIN_CHAIN, said));
	if (said.startsWith('Notarisation not found')) {
		// KMD lost the notarization, or does not have it yet: the proof is made anew from what is there.
		return rest(at, 'back-notarization', words.notarizationGone(row.source), {
			state: 'waiting-back-notarization'
		});
	}
	if (verdict === 'final') return stop(at, 'completion', words.dead(said));
	if (verdict !== 'wait' && verdict !== 'next-offset') {
		return refusedForNow(at, 'completion', MAIN_CHAIN, said);
	}
	return rest(at, 'completion', words.targetOnKmd(row.destination), {
		...(row.state === 'waiting-target-notarization'
			? {}
			: { state: 'waiting-target-notarization' }),
		steps: [{ step: 'completion', started: true, evidence: { said } }]
	});
}

/** Chooses among the proofs that KMD completed the one that the destination knows. */
export function completed(
	at: Context,
	candidates: readonly Candidate[],
	tried: readonly Try[]
): Decision {
	const { row } = at;
	const ladder = tried.map(({ offset, outcome }) => words.ladder(offset, outcome)).join(' ');
	const refused = text(step(at, 'import-sent')?.evidence['refusedRoot']);
	// Where the destination cannot be asked, sending is how to find out; another root goes first then.
	const open = candidates.filter(({ known }) => known === null);
	const chosen =
		candidates.find(({ known }) => known === true) ??
		open.find(({ review }) => review.root !== refused) ??
		open[0];
	const [first] = candidates;
	if (!first) {
		return completionRefused(at, { verdict: 'wait', words: tried.at(-1)?.outcome ?? '' });
	}
	const { offset, review } = chosen ?? first;
	const evidence = {
		offset,
		root: review.root,
		notarization: review.notarization,
		ladder,
		tries: 0
	};
	const isNewTry = step(at, 'completion')?.evidence['ladder'] !== ladder;
	if (!chosen) {
		const reason = words.momomAwaited(row.destination);
		return rest(at, 'target-notarization', reason, {
			...(row.state === 'waiting-target-notarization'
				? {}
				: { state: 'waiting-target-notarization' }),
			steps: [
				{ step: 'completion', evidence, started: true, done: true },
				{ step: 'target-notarization', started: true }
			],
			...(isNewTry ? { event: { step: 'completion', words: ladder } } : {})
		});
	}
	const before = step(at, 'completion')?.hex ?? null;
	const { change, next } = importReady(at);
	return {
		change: {
			...change,
			steps: [
				{
					step: 'completion',
					hex: { from: before, to: chosen.hex },
					txid: review.txid,
					evidence,
					started: true,
					done: true
				},
				{ step: 'target-notarization', started: true, done: true }
			],
			event: {
				step: 'completion',
				words: `${words.completed(offset)} ${words.momomFound(row.destination)}`,
				detail: { offset, root: review.root, ladder }
			}
		},
		next
	};
}
