import { DAY_MS } from '#lib/text/units.ts';
import type { Refusal } from '../refusals.ts';
import type { Evidence } from '../evidence.ts';
import { rest, step, stop, withoutApprovals, type Context, type Decision } from './decision.ts';
import { afterSend, refusedSend } from './sent.ts';

/** Chooses and stores the bytes of the import before anything is sent. */
export function chooseImport(at: Context): Decision {
	const backup = at.row.path === 'backup';
	const { hex, txid } = step(at, backup ? 'import-built' : 'completion') ?? {};
	if (!hex || !txid) {
		const state = backup ? 'backup-collecting' : 'import-built';
		return { patch: { state }, next: 'again' };
	}
	return {
		patch: {
			state: 'import-unknown',
			reason: null,
			steps: [
				{
					step: 'import-sent',
					hex: { from: step(at, 'import-sent')?.hex ?? null, to: hex },
					txid,
					evidence: { refused: null, claims: 0, tries: 0 },
					started: true
				}
			],
			event: {
				step: 'import-sent',
				message: { code: 'import.chosen', params: { chain: at.row.destination } }
			}
		},
		next: 'again'
	};
}

/** Most blocks of the destination between two attempts with the same approvals. */
const MOST_BLOCKS_BETWEEN = 60;

/** Records which import was refused, and the height until which it is not sent again. */
function refusedAgain(at: Context): Evidence<'import-sent'> {
	const sent = step(at, 'import-sent');
	const { refusedTxid, refusedTimes } = sent?.evidence ?? {};
	const before = sent && refusedTxid === sent.txid ? (refusedTimes ?? 0) : 0;
	const height = step(at, 'approvals')?.evidence.height ?? 0;
	return {
		refusedTxid: sent?.txid ?? null,
		refusedTimes: before + 1,
		refusedUntil: height + Math.min(MOST_BLOCKS_BETWEEN, 2 ** before)
	};
}

/** Milliseconds, and number of refusals, after which the migration stops for a person. */
const MOST_REFUSED = { ms: DAY_MS, times: 18 };

/** Evidence that no proof is being refused. */
export const noneRefused: Evidence<'import-sent'> = { refusedSince: null, proofsRefused: 0 };

/**
 * The destination refused a proof. The next block or notarization, or another proof, may help; but it refuses a
 * hopeless import in the same words, so the number of attempts is limited.
 */
function proofRefused(at: Context): Decision {
	const { row, now } = at;
	const { refusedSince, proofsRefused } = step(at, 'import-sent')?.evidence ?? {};
	const since = refusedSince ?? now;
	const times = (proofsRefused ?? 0) + 1;
	const refusedRoot = step(at, 'completion')?.evidence.root ?? '';
	const evidence = { refusedRoot, refusedSince: since, proofsRefused: times };
	const steps = [{ step: 'import-sent' as const, evidence }];
	const params = { chain: row.destination };
	if (now - since > MOST_REFUSED.ms && times > MOST_REFUSED.times) {
		const reason = {
			code: 'import.not-accepted',
			params: { ...params, ...withoutApprovals(at) }
		} as const;
		return stop(at, 'import-sent', reason, { steps });
	}
	const state = 'waiting-target-notarization';
	return rest(at, 'target-notarization', { code: 'import.early', params }, { state, steps });
}

/** The import was sent or refused. */
export function importSent(at: Context, refusal: Refusal | null): Decision {
	const sent = { chain: at.row.destination, detail: { txid: step(at, 'import-sent')?.txid } };
	return afterSend(at, 'import-sent', sent, refusal, (refused) => refusedImport(at, refused));
}

function refusedImport(at: Context, refusal: Refusal): Decision {
	const { row } = at;
	if (refusal.verdict !== 'wait') return refusedSend('import-sent', refusal);
	if (row.path === 'backup') {
		return rest(
			at,
			'approvals',
			{ code: 'approvals.doubted', params: { chain: row.destination } },
			{
				state: 'backup-collecting',
				steps: [{ step: 'import-sent', evidence: refusedAgain(at) }]
			}
		);
	}
	return proofRefused(at);
}
