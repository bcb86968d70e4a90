/** What limits and rules refuse, as forms ask and as it goes on record. */
import { formatCoins } from '#lib/chain/amount.ts';
import { AppError } from '../../../../platform/errors/appError.ts';
import { transactionFacts } from '../../../audit/callFacts.ts';
import type { Usage } from '../kinds.ts';
import { readHex } from '../measure.ts';
import { ANY } from '../tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { denialOf, type OverLimit, type Refused } from './refused.ts';

/** Parts of a refused act that its event names. */
const MOST_TOLD = 10;

const accountOf = async ({ wallets }: RightsDependencies, person: string): Promise<string | null> =>
	(await wallets.userOf(person))?.id ?? null;

/**
 * Why what a person asks for in a form would be refused when it goes out; null when it fits.
 * It only looks: what goes out is counted when it does.
 * @param act what they are about to do: a refusal then goes on record
 */
export async function limitRefusal(
	deps: RightsDependencies,
	person: string,
	chain: string,
	usages: readonly Usage[],
	act?: string
): Promise<OverLimit | null> {
	const account = await accountOf(deps, person);
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
		await deps.refusals.refused(person, {
			...what,
			reason: { code: 'limit', why: no.coded },
			facts
		});
	}
	return no;
}

/** Puts on record that reviewed bytes did not go out, because of a limit or because they cannot be measured. */
export async function spendRefused(
	{ refusals }: RightsDependencies,
	person: string,
	daemon: string,
	hex: string,
	act: string,
	no: Refused
): Promise<void> {
	const tx = readHex(hex);
	const facts = tx === null ? { unreadable: true } : transactionFacts(tx);
	const reason = denialOf(no);
	await refusals.refused(person, {
		...({ where: 'call', what: act, place: daemon } as const),
		why: reason.code,
		reason,
		facts
	});
}

/** Whether a limit or a rule of the policies holds for what this person sends on a chain: then no bytes are shown that did not go out. */
export async function isLimited(
	deps: RightsDependencies,
	person: string,
	chain: string
): Promise<boolean> {
	const account = await accountOf(deps, person);
	if (account === null || (await deps.policies.holdsBack())) return true;
	return (await deps.limits.of(account)).some(
		(limit) => limit.kind !== 'sign' && [chain, ANY].includes(limit.chain)
	);
}
