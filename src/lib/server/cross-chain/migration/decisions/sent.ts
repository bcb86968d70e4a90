import type { Refusal } from '../refusals.ts';
import { rest, step, type Context, type Decision } from './decision.ts';

type Sent = 'burn' | 'import-sent';

const TAKEN = {
	burn: { code: 'burn.sent', action: 'migration.burn-sent' },
	'import-sent': { code: 'import.sent', action: 'migration.import-sent' }
} as const;

/**
 * Handles the result of sending a burn or an import.
 * @param detail of the event in the audit log, besides the chain
 * @param otherwise decides when the daemon answered and refused
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

/** Checks again when it is unknown whether the transaction arrived; null when the daemon answered. */
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
	if (verdict === 'claimed') return claimed(at, id, chain, response);
	return null;
}

/** How often the newest blocks are searched for an import that a daemon claims to have, before all blocks are. */
const CLAIMS = 2;

/**
 * The daemon says that it has the transaction already, or another import of the burn. That import is usually in a
 * new block. It can also be in one that was searched before a deep reorganization, so in the end all blocks are
 * searched once more; null when they were.
 */
function claimed(at: Context, id: Sent, chain: string, response: string): Decision | null {
	const reason = { code: 'send.claimed', params: { chain, response } } as const;
	if (id === 'burn') return rest(at, id, reason);
	const claims = (step(at, id)?.evidence.claims ?? 0) + 1;
	if (claims > CLAIMS) return null;
	const steps = [{ step: id, evidence: { claims } }];
	return rest(at, id, reason, claims < CLAIMS ? { steps } : { scanFrom: 1n, steps });
}

/** Records the refusal; the next check decides whether it is final. */
export function refusedSend(id: Sent, { verdict, response }: Refusal): Decision {
	const evidence = { refused: response, passing: verdict === 'passing' };
	return { patch: { steps: [{ step: id, evidence }] }, next: 'again' };
}
