import type { Selectable } from 'kysely';
import type { RecordedValue } from '#lib/messages/audit/values.ts';
import type { ChangeCode, ChangeFacts } from '#lib/messages/changes.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import type { ChangeProposalsTable, ProposalState } from './tables.ts';

interface Ending {
	state: Exclude<ProposalState, 'open'>;
	/** Name of the account, or `engine`, that closes it. */
	by: string;
	/** Unix milliseconds. */
	at: number;
	reason?: string;
}

const ACTIONS = {
	done: 'change.carried-out',
	rejected: 'change.rejected',
	expired: 'change.expired',
	voided: 'change.voided',
	withdrawn: 'change.withdrawn'
} as const;

/** Returns the change of a proposal as events hold it. */
export const changeOf = ({
	code,
	facts
}: Pick<ChangeProposalsTable, 'code' | 'facts'>): RecordedValue => ({
	code: 'change',
	params: { change: code, facts: JSON.parse(facts) as ChangeFacts[ChangeCode] }
});

/** Closes an open proposal and logs it; false when it was no longer open. */
export async function closeProposal(
	trx: Executor<AccessTables>,
	audit: Pick<AuditTrail, 'append'>,
	{ id, code, facts, author }: Selectable<ChangeProposalsTable>,
	{ state, by, at, reason }: Ending
): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable('change_proposals')
		.set({ state, open_key: null, closed_at: at, closed_by: by, reason: reason ?? null })
		.where('id', '=', id)
		.where('state', '=', 'open')
		.executeTakeFirst();
	if (numUpdatedRows === 0n) return false;
	touch(trx, 'change_proposals', [id]);
	const change = changeOf({ code, facts });
	await audit.append(
		{
			actor: by,
			action: ACTIONS[state],
			target: id,
			detail: { change, author, ...(reason === undefined ? {} : { reason }) }
		},
		trx
	);
	return true;
}
