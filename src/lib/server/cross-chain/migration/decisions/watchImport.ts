import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { ImportSearch } from '../../../chains/daemon/findImport.ts';
import type { Whereabouts } from '../../../chains/daemon/findTransaction.ts';
import { confirmationsOf, isFinal, isNotarizedChain } from '../../../platform/config/finality.ts';
import { pauseAfter } from '../steps.ts';
import type { Evidence } from '../evidence.ts';
import type { StepPatch } from '../patch.ts';
import {
	refusedForNow,
	rest,
	step,
	stop,
	stopped,
	waitedIn,
	type Context,
	type Decision
} from './decision.ts';
import { importReady, mayLeave } from './policy.ts';
import { noneRefused } from './sendImport.ts';
import type { Watched } from './stepEvent.ts';

/** Evidence of an import that the destination lists. */
const seenAs = (txid: string): Evidence<'import-sent'> => ({
	refused: null,
	claims: 0,
	seen: txid
});

/** Records that an import is listed, where that is not recorded yet. */
const listed = (at: Context, txid: string): StepPatch[] =>
	step(at, 'import-sent')?.evidence.seen === txid
		? []
		: [{ step: 'import-sent', evidence: { seen: txid } }];

function arrived(at: Context, txid: string, height: number): Decision {
	const { row } = at;
	return {
		patch: {
			state: 'done',
			reason: { code: 'import.not-final', params: { chain: row.destination } },
			due: at.now + pauseAfter('import-confirmed', 0),
			steps: [
				{ step: 'import-sent', txid, evidence: seenAs(txid), started: true, done: true },
				{ step: 'import-confirmed', txid, evidence: { height }, started: true, done: true }
			],
			event: {
				step: 'import-confirmed',
				message: { code: 'import.mined', params: { chain: row.destination, height } },
				detail: { txid }
			},
			audit: {
				actor: 'engine',
				action: 'migration.done',
				target: row.id,
				detail: { txid, height, chain: row.destination }
			}
		},
		next: 'rest'
	};
}

/** Watches the block of a confirmed import until it is final. */
function watched(at: Context, txid: string, height: number, chain: Watched): Decision {
	const { row } = at;
	const { rule } = chain;
	const block = { height, tip: chain.tip, notarized: chain.notarized };
	const evidence: Evidence<'import-confirmed'> = {
		height,
		confirmations: confirmationsOf(block),
		needed: rule.confirmations,
		notarized: block.notarized >= height,
		awaitsNotarization: rule.notarization === 'and' && isNotarizedChain(block)
	};
	const steps = [{ step: 'import-confirmed' as const, txid, evidence }, ...listed(at, txid)];
	const id = 'import-confirmed';
	const place = { chain: row.destination, height };
	if (isFinal(rule, block)) {
		const event = { step: id, message: { code: 'import.final', params: place } } as const;
		return { patch: { state: 'final', reason: null, due: null, steps, event }, next: 'rest' };
	}
	const moved = step(at, id)?.evidence.height !== height;
	return rest(
		at,
		id,
		{ code: 'import.not-final', params: { chain: row.destination } },
		{
			steps,
			...(moved
				? { event: { step: id, message: { code: 'import.moved' as const, params: place } } }
				: {})
		}
	);
}

function importWaits(at: Context, txid: string): Decision {
	const { row } = at;
	const chain = row.destination;
	const seen = { code: 'import.pending', params: { chain } } as const;
	if (row.state === 'import-pending')
		return rest(at, 'import-confirmed', seen, { steps: listed(at, txid) });
	return rest(at, 'import-confirmed', seen, {
		state: 'import-pending',
		...(row.state === 'done'
			? {
					event: {
						step: 'import-confirmed',
						message: { code: 'import.reorganized' as const, params: { chain } }
					}
				}
			: {}),
		steps: [
			{
				step: 'import-sent',
				txid,
				evidence: { ...seenAs(txid), tries: 0, ...noneRefused },
				done: true
			},
			{ step: 'import-confirmed', started: true }
		]
	});
}

/** Decides by where the import was found. */
export function importFound(
	at: Context,
	found: Whereabouts,
	search: ImportSearch | null,
	chain: Watched | undefined
): Decision {
	const { row } = at;
	const own = step(at, 'import-sent')?.txid ?? '';
	const other = search?.found;
	const there =
		found.where === 'mined'
			? { txid: own, height: found.height }
			: found.where === 'absent' && other?.where === 'mined'
				? other
				: null;
	if (there && row.state === 'done' && chain) return watched(at, there.txid, there.height, chain);
	if (there) return arrived(at, there.txid, there.height);
	if (found.where === 'mempool') return importWaits(at, own);
	if (other) return importWaits(at, other.txid);
	const scanned = search && search.from !== row.import_scan_from ? { scanFrom: search.from } : {};
	if (search && !search.complete) {
		// A daemon that is still reading its chain gets time, and nothing is concluded from it before.
		const { missing } = search;
		const pause = missing ? pauseAfter('import-sent', waitedIn(at, 'import-sent', true)) : 0;
		const patch = { ...scanned, due: at.now + pause };
		// The reason why the migration is stopped is more important than the search.
		if (row.state === 'stuck') return { patch, next: 'rest' };
		const chain = row.destination;
		const reason: MigrationReason = missing
			? { code: 'import.blocks-missing', params: { chain, ...missing } }
			: { code: 'import.searched', params: { chain } };
		return { patch: { ...patch, reason }, next: 'rest' };
	}
	if (row.state === 'import-pending' || row.state === 'done') {
		const code = row.state === 'done' ? 'import.reorganized' : 'import.lost';
		return {
			patch: {
				...scanned,
				state: 'import-unknown',
				reason: null,
				event: { step: 'import-sent', message: { code, params: { chain: row.destination } } }
			},
			next: 'again'
		};
	}
	if (row.state === 'stuck') return stopped(at, 'import-sent', scanned);
	const { refused = null, passing } = step(at, 'import-sent')?.evidence ?? {};
	if (refused !== null) {
		const of = { chain: row.destination, response: refused };
		if (passing !== true) {
			return stop(at, 'import-sent', { code: 'import.refused', params: of }, scanned);
		}
		const again = refusedForNow(at, 'import-sent', of, { evidence: { refused: null } });
		return { ...again, patch: { ...scanned, ...again.patch } };
	}
	if (!step(at, 'import-sent')?.hex) {
		// There is no import, or that of someone else disappeared: our own is built.
		const message = { code: 'import.gone', params: { chain: row.destination } } as const;
		const event = own === '' ? {} : { event: { step: 'import-sent' as const, message } };
		return { patch: { ...scanned, state: 'burn-unknown', reason: null, ...event }, next: 'again' };
	}
	if (!mayLeave(at.migration)) {
		const asked = importReady(at);
		return { ...asked, patch: { ...scanned, ...asked.patch } };
	}
	return { patch: scanned, next: 'send-import' };
}
