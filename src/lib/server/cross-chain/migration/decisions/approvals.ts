import type { Patch } from '../patch.ts';
import type { MigrationRow } from '../migrationRecord.ts';
import { answered } from './build.ts';
import { rest, step, type Context, type Decision } from './decision.ts';
import type { ApprovalCount, Approvals } from './stepEvent.ts';
import { importReady } from './policy.ts';

const collecting = ({ state }: MigrationRow): Patch =>
	state === 'backup-collecting' ? {} : { state: 'backup-collecting' };

/** Waits for more approvals. */
export function approvalsAwaited(at: Context, count: ApprovalCount): Decision {
	return rest(
		at,
		'approvals',
		{ code: 'approvals.awaited', params: count },
		{
			...collecting(at.row),
			steps: [{ step: 'approvals', evidence: { ...count }, started: true }]
		}
	);
}

/** The import was built with the approvals of notaries. */
export function approvedBuilt(
	at: Context,
	hex: string,
	txid: string,
	approvals: Approvals
): Decision {
	const { row } = at;
	const { txids, notaries, height } = approvals;
	const { refusedTxid, refusedUntil } = step(at, 'import-sent')?.evidence ?? {};
	// The destination would refuse the same approvals again before it has more blocks.
	if (refusedTxid === txid && typeof refusedUntil === 'number' && height < refusedUntil) {
		return rest(
			at,
			'approvals',
			{ code: 'approvals.refused', params: { chain: row.destination } },
			{
				...collecting(row),
				steps: [answered]
			}
		);
	}
	const evidence = {
		counted: notaries.length,
		pending: 0,
		unknown: 0,
		txids,
		notaries,
		height,
		tries: 0
	};
	const before = step(at, 'import-built')?.hex ?? null;
	const { patch, next } = importReady(at);
	return {
		patch: {
			...patch,
			steps: [
				{ step: 'approvals', evidence, started: true, done: true },
				{
					step: 'import-built',
					hex: { from: before, to: hex },
					txid,
					// The evidence of an earlier proof does not apply to this import.
					evidence: { root: null, notarization: null, asked: 0, tries: 0 },
					started: true,
					done: true
				}
			],
			...(before === hex
				? {}
				: {
						event: {
							step: 'import-built' as const,
							message: {
								code: 'import.built-approved',
								params: { chain: row.source, notaries: notaries.length }
							} as const,
							detail: { txids, notaries }
						}
					})
		},
		next
	};
}
