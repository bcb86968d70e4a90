import type { Refusal } from '../refusals.ts';
import type { StepId } from '../steps.ts';
import { rest, type Context, type Decision } from './decision.ts';

/** Looks again where nobody knows whether a send arrived; null where the daemon answered. */
export function outcomeOpen(
	at: Context,
	id: StepId,
	chain: string,
	{ verdict, response }: Refusal
): Decision | null {
	if (verdict === 'unreachable') {
		return rest(at, id, { code: 'daemon.no-answer', params: { chain, detail: response } });
	}
	if (verdict === 'unknown') return rest(at, id, { code: 'send.unknown', params: { chain } });
	if (verdict === 'claimed') {
		return rest(at, id, { code: 'send.claimed', params: { chain, response } });
	}
	return null;
}

/** Notes that a send was refused: another look decides whether this is the end. */
export function refusedSend(id: 'burn' | 'import-sent', { verdict, response }: Refusal): Decision {
	const refused = response === '' ? 'it was refused' : response;
	const evidence = { refused, passing: verdict === 'passing' };
	return { patch: { steps: [{ step: id, evidence }] }, next: 'again' };
}
