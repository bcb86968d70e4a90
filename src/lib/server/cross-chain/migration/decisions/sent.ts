import type { Refusal } from '../refusals.ts';
import { rest, type Context, type Decision } from './decision.ts';

type Sent = 'burn' | 'import-sent';

const TAKEN = {
	burn: { code: 'burn.sent', action: 'migration.burn-sent' },
	'import-sent': { code: 'import.sent', action: 'migration.import-sent' }
} as const;

/**
 * What a send gave, as far as it is the same for both.
 * @param detail of the event in the audit log, beside the chain
 * @param otherwise what follows where the daemon answered and did not take it
 */
export function afterSend(
	at: Context,
	id: Sent,
	{ chain, detail }: { chain: string; detail: Record<string, unknown> },
	refusal: Refusal | null,
	otherwise: (refusal: Refusal) => Decision
): Decision {
	if (refusal !== null && refusal.verdict !== 'already') {
		return outcomeOpen(at, id, chain, refusal) ?? otherwise(refusal);
	}
	const { code, action } = TAKEN[id];
	return {
		patch: {
			reason: null,
			event: { step: id, message: { code, params: { chain } } },
			audit: { actor: 'engine', action, target: at.row.id, detail: { ...detail, chain } }
		},
		next: 'again'
	};
}

/** Looks again where nobody knows whether a send arrived; null where the daemon answered. */
function outcomeOpen(
	at: Context,
	id: Sent,
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
export function refusedSend(id: Sent, { verdict, response }: Refusal): Decision {
	const refused = response === '' ? 'it was refused' : response;
	const evidence = { refused, passing: verdict === 'passing' };
	return { patch: { steps: [{ step: id, evidence }] }, next: 'again' };
}
