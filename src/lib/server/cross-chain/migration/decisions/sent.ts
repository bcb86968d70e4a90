import type { Refusal } from '../refusals.ts';
import type { StepId } from '../steps.ts';
import { words } from '../words.ts';
import { rest, type Context, type Decision } from './decision.ts';

/** Looks again where nobody knows whether a send arrived; null where the daemon answered. */
export function outcomeOpen(
	at: Context,
	id: StepId,
	chain: string,
	{ verdict, words: said }: Refusal
): Decision | null {
	if (verdict === 'unreachable') return rest(at, id, words.noAnswer(chain, said));
	if (verdict === 'unknown') return rest(at, id, words.outcomeUnknown(chain));
	if (verdict === 'claimed') return rest(at, id, words.claimed(chain, said));
	return null;
}

/** Notes that a send was refused: another look decides whether this is the end. */
export function refusedSend(id: StepId, { verdict, words: said }: Refusal): Decision {
	const refused = said === '' ? 'it was refused' : said;
	const evidence = { refused, passing: verdict === 'passing' };
	return { change: { steps: [{ step: id, evidence }] }, next: 'again' };
}
