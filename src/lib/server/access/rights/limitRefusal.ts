/** Refusals by limits and rules, for forms and for the log of refusals. */
import { formatCoins } from '#lib/chain/amount.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { transactionFacts } from '../audit/callFacts.ts';
import type { Usage } from '../policy/measuring/kinds.ts';
import type { OverLimit } from '../policy/limits/limits.ts';
import { readHex } from '../policy/measuring/measure.ts';
import { ANY } from '../policy/limits/tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { denialOf, isUnmeasured, type Refused } from './refused.ts';

/** Most usages of a refused action that its event names. */
const MOST_TOLD = 10;

const accountOf = async ({ wallets }: RightsDependencies, member: string): Promise<string | null> =>
	(await wallets.userOf(member))?.id ?? null;

/**
 * Returns why what a member asks for in a form would be refused when it is sent; null when it fits. Nothing
 * is counted: that happens when it is sent.
 * @param act what they are about to do; when given, a refusal is logged
 */
export async function limitRefusal(
	deps: RightsDependencies,
	member: string,
	chain: string,
	usages: readonly Usage[],
	act?: string
): Promise<OverLimit | null> {
	const account = await accountOf(deps, member);
	if (account === null) return new AppError('limit.account-gone');
	const no = await deps.limits.look({ account, chain, usages });
	if (no !== null && act !== undefined) {
		const facts = {
			takes: usages.slice(0, MOST_TOLD).map(({ kind, amount }) => ({
				kind,
				amount: amount === null ? null : formatCoins(amount)
			}))
		};
		const what = { where: 'call', why: 'limit', what: act, place: chain } as const;
		await deps.refusals.refused(member, {
			...what,
			reason: { code: 'limit', why: no.coded },
			facts
		});
	}
	return no;
}

/**
 * Logs that reviewed bytes were not sent, because a limit or rule refused them or because they can never be
 * measured. Bytes that could not be measured now were refused by nothing, and are not logged.
 */
export async function spendRefused(
	{ refusals }: RightsDependencies,
	member: string,
	daemon: string,
	hex: string,
	act: string,
	no: Refused
): Promise<void> {
	if (isUnmeasured(no)) return;
	const tx = readHex(hex);
	const facts = tx === null ? { unreadable: true } : transactionFacts(tx);
	const reason = denialOf(no);
	await refusals.refused(member, {
		...({ where: 'call', what: act, place: daemon } as const),
		why: reason.code,
		reason,
		facts
	});
}

/**
 * Whether a limit or a policy rule applies to what this member sends on a chain. If so, bytes that were not
 * sent are not shown.
 */
export async function isLimited(
	deps: RightsDependencies,
	member: string,
	chain: string
): Promise<boolean> {
	const account = await accountOf(deps, member);
	if (account === null || (await deps.policies.holdsBack())) return true;
	return (await deps.limits.of(account)).some(
		(limit) => limit.kind !== 'sign' && [chain, ANY].includes(limit.chain)
	);
}
