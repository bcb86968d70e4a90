import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { termOf } from '../policy/rules/quorum.ts';
import type { AccessTables } from '../tables.ts';
import type { Verdict } from '../policy/rules/decide.ts';
import { mayAccess } from '../policy/permissions.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { Counted, MeasuredSpend } from './spend.ts';
import { needsApproval, type RuleDenied } from './refused.ts';
import { restsOnDoubt } from './restsOnDoubt.ts';

/**
 * Whether the member who confirmed it may still send: work that runs unattended passes no route that checks
 * the role.
 */
async function maySendNow(
	{ account, role, bytes }: MeasuredSpend & { account: string },
	trx: Executor<AccessTables>
): Promise<boolean> {
	const now = await trx
		.selectFrom('accounts')
		.select(['role', 'disabled_at'])
		.where('id', '=', account)
		.executeTakeFirst();
	// The rules were judged with the measured role: a role that changed since needs a new judgement.
	if (now === undefined || now.disabled_at !== null || now.role !== role) return false;
	return bytes === null || mayAccess(role, 'broadcast', false);
}

/** The error for a verdict of the rules; null where they allow the send. Approvals are not looked up. */
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

/**
 * Refuses what the rules do not allow. Where they demand approvals, uses these up and returns them; null
 * where none were needed.
 */
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
	const { account, bytes } = spend;
	let refusal: RuleDenied | null = refusalOf(verdict);
	if (verdict.code === 'approve' && bytes === null) {
		refusal = new AppError('policy.not-approvable', { rule: verdict.rule.place });
	} else if (verdict.code === 'approve' && bytes !== null) {
		const terms = verdict.rules.map(termOf);
		if (await approvals.use(trx, { account, hex: bytes.hex, terms })) refusal = null;
	}
	if (refusal !== null) {
		const judge = (movements: MeasuredSpend['movements']): Promise<Verdict | null> =>
			policies.judge({ ...spend, movements }, trx);
		throw (await restsOnDoubt(verdict, spend, judge)) ?? refusal;
	}
	await policies.record(spend, trx);
}

/**
 * Judges a spend by the policies, and counts it for the limits.
 * @param within the database transaction that also records the send
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
