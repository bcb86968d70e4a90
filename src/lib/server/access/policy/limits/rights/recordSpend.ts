import type { Executor } from '../../../../platform/database/database.ts';
import { AppError } from '../../../../platform/errors/appError.ts';
import { termOf } from '../../../approvals/quorum.ts';
import type { AccessTables } from '../../../tables.ts';
import type { Verdict } from '../../rules/decide.ts';
import { mayAccess } from '../../permissions.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { Counted, MeasuredSpend } from './spend.ts';
import { needsApproval, type RuleDenied } from './refused.ts';

/** Whether who confirmed it may still send: what goes by itself asks no route for the role of its author. */
async function maySendNow(
	{ account, role, bytes }: MeasuredSpend & { account: string },
	trx: Executor<AccessTables>
): Promise<boolean> {
	const now = await trx
		.selectFrom('accounts')
		.select(['role', 'disabled_at'])
		.where('id', '=', account)
		.executeTakeFirst();
	// A role that changed since it was measured is not the one that the rules are asked with.
	if (now === undefined || now.disabled_at !== null || now.role !== role) return false;
	return bytes === null || mayAccess(role, 'broadcast', false);
}

/** What a verdict of the rules is to who sends; null where they let it out. Approvals are not looked for. */
export function refusalOf(verdict: Verdict): RuleDenied | null {
	switch (verdict.code) {
		case 'deny':
			return new AppError('policy.denied', { rule: verdict.rule.place });
		case 'unknown':
			return new AppError('policy.unknown', { rule: verdict.rule.place });
		case 'approve':
			return needsApproval(verdict.rule.place, verdict.rules.map(termOf));
		default:
			return null;
	}
}

/** Refuses what the rules do not let out, and uses up the approvals of what they do: those, where there were any. */
async function refuseByRules(
	{ policies, approvals }: RightsDependencies,
	spend: MeasuredSpend & { account: string },
	trx: Executor<AccessTables>
): Promise<void> {
	const verdict = await policies.judge(spend, trx);
	if (verdict === null) return;
	if (!(await maySendNow(spend, trx))) {
		throw new AppError('limit.role-gone', { person: spend.person });
	}
	const refusal = refusalOf(verdict);
	let isApproved = false;
	if (verdict.code === 'approve') {
		const { account, bytes } = spend;
		if (bytes === null) throw new AppError('policy.not-approvable', { rule: verdict.rule.place });
		const terms = verdict.rules.map(termOf);
		isApproved = await approvals.use(trx, { account, hex: bytes.hex, terms });
	}
	if (refusal !== null && !isApproved) throw refusal;
	await policies.record(spend, trx);
}

/**
 * Judges what goes out by the policies, and counts it for the limits.
 * @param within the transaction in which it is written down that it does
 * @throws {AppError} `limit` or `policy`
 */
export async function recordSpend(
	deps: RightsDependencies,
	measured: MeasuredSpend,
	within?: Executor<AccessTables>
): Promise<Counted> {
	const { account } = measured;
	if (account === null) throw new AppError('limit.account-gone');
	const spend = { ...measured, account };
	const run = async (trx: Executor<AccessTables>): Promise<Counted> => {
		await refuseByRules(deps, spend, trx);
		await deps.limits.recordSpend(spend, trx);
		return spend;
	};
	return within ? run(within) : deps.policies.transaction(run);
}
