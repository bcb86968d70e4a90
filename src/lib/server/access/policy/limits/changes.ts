/** Changes of limits: what each would change, and how it is applied. */
import { formatCoins } from '#lib/chain/amount.ts';
import { recordedMostWords, type RecordedMost } from '#lib/messages/limitKinds.ts';
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeKind } from '../../changes/change.ts';
import type { AccessTables } from '../../tables.ts';
import type { LimitKind } from '../measuring/kinds.ts';
import type { FeeCap, Limit, Most } from './limit.ts';
import { ANY } from './tables.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

interface StoredLimit {
	account: string;
	chain: string;
	kind: LimitKind;
	most: RecordedMost;
	/** {@link mostText} of the limit that the page showed before the change; left out: do not compare. */
	seen?: string;
}

/** A change of the fee cap as it is stored in a proposal. */
interface StoredFeeCap {
	chain: string;
	most: string | null;
	/** The coins that the page showed before the change; left out: do not compare. */
	seen?: string;
}

const textOf = (number: bigint | null): string | null => (number === null ? null : String(number));
const numberOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Converts a limit to the form in which proposals and events store it: JSON has no bigint. */
export const storedMost = ({ count, amount }: Most): RecordedMost => ({
	count: textOf(count),
	amount: textOf(amount)
});

const coinsText = (amount: bigint | null): string | null =>
	amount === null ? null : formatCoins(amount);

/** Facts of a limit for a proposal; null where nothing is limited. */
const mostFacts = ({ count, amount }: Most) =>
	count === null && amount === null ? null : { count: textOf(count), amount: coinsText(amount) };

interface Parts {
	audit: Pick<Audit, 'append' | 'lock'>;
	read(trx: Executor<AccessTables>): Promise<Limit[]>;
	feeCaps(trx: Executor<AccessTables>): Promise<FeeCap[]>;
}

const NONE: Most = { count: null, amount: null };

/** A limit as one text, equal for equal limits. */
export const mostText = (most: Most): string => JSON.stringify(storedMost(most));

/** The same in proposals of early releases, and in pages that they served. */
const formerMostText = (most: Most): string => recordedMostWords(storedMost(most));

/**
 * Refuses a change when another admin changed the value since the page showed it.
 * @param now the texts that stand for the value
 * @throws {AppError} `change.not-as-shown`
 */
function refuseOther(now: readonly (string | null)[], seen: string | undefined): void {
	if (seen !== undefined && !now.includes(seen)) throw new AppError('change.not-as-shown');
}

export function createLimitChanges({ audit, read, feeCaps }: Parts) {
	/** Name of the account whose limit it is; {@link ANY} for every account. */
	async function whose(trx: Executor<AccessTables>, account: string): Promise<string> {
		const person = await trx
			.selectFrom('accounts')
			.select('name')
			.where('id', '=', account)
			.executeTakeFirst();
		return person?.name ?? account;
	}

	async function mostNow(
		trx: Executor<AccessTables>,
		{ account, chain, kind }: StoredLimit
	): Promise<Most> {
		const limit = (await read(trx)).find(
			(one) => one.account === account && one.chain === chain && one.kind === kind
		);
		return limit?.most ?? NONE;
	}

	const capNow = async (trx: Executor<AccessTables>, chain: string): Promise<bigint | null> =>
		(await feeCaps(trx)).find((cap) => cap.chain === chain)?.most ?? null;

	// A limit of one member or chain replaces a wider one, so even a lower number can allow more: every
	// change waits for approval.
	const limitChange: ChangeKind<'limit.set', StoredLimit, void> = {
		code: 'limit.set',
		async look(trx, stored) {
			const { account, chain, kind, most, seen } = stored;
			const before = await mostNow(trx, stored);
			const state = mostText(before);
			const formerState = formerMostText(before);
			refuseOther([state, formerState], seen);
			const after = { count: numberOf(most.count), amount: numberOf(most.amount) };
			return {
				waits: state !== mostText(after),
				state,
				formerState,
				facts: {
					member: account === ANY ? null : await whose(trx, account),
					chain: chain === ANY ? null : chain,
					kind,
					before: mostFacts(before),
					after: mostFacts(after)
				}
			};
		},
		async apply(trx, by, stored) {
			const { account, chain, kind, seen } = stored;
			await audit.lock(trx);
			const before = await mostNow(trx, stored);
			refuseOther([mostText(before), formerMostText(before)], seen);
			const most = { count: numberOf(stored.most.count), amount: numberOf(stored.most.amount) };
			await trx
				.deleteFrom('spending_limits')
				.where('account', '=', account)
				.where('chain', '=', chain)
				.where('kind', '=', kind)
				.execute();
			if (most.count !== null || most.amount !== null) {
				await trx
					.insertInto('spending_limits')
					.values({ account, chain, kind, most_count: most.count, most_amount: most.amount })
					.execute();
			}
			touch(trx, 'spending_limits', [account, chain, kind]);
			await audit.append(
				{
					actor: actorOf(by),
					action: 'limit.changed',
					target: await whose(trx, account),
					detail: {
						chain: chain === ANY ? { code: 'every-chain', params: {} } : chain,
						kind,
						from: { code: 'limit', params: storedMost(before) },
						to: { code: 'limit', params: storedMost(most) }
					},
					place: chain
				},
				trx
			);
		}
	};

	const feeCapChange: ChangeKind<'limit.fee', StoredFeeCap, void> = {
		code: 'limit.fee',
		async look(trx, { chain, most, seen }) {
			const before = await capNow(trx, chain);
			refuseOther([coinsText(before)], seen);
			const after = numberOf(most);
			return {
				waits: before !== after,
				state: String(before),
				facts: {
					chain: chain === ANY ? null : chain,
					before: coinsText(before),
					after: coinsText(after)
				}
			};
		},
		async apply(trx, by, { chain, most, seen }) {
			await audit.lock(trx);
			const before = await capNow(trx, chain);
			refuseOther([coinsText(before)], seen);
			const after = numberOf(most);
			if (before === after) return;
			await trx.deleteFrom('fee_caps').where('chain', '=', chain).execute();
			if (after !== null) await trx.insertInto('fee_caps').values({ chain, most: after }).execute();
			touch(trx, 'fee_caps', [chain]);
			await audit.append(
				{
					actor: actorOf(by),
					action: 'limit.fee-changed',
					target: chain,
					detail: {
						from: { code: 'fee-cap', params: { most: textOf(before) } },
						to: { code: 'fee-cap', params: { most: textOf(after) } }
					}
				},
				trx
			);
		}
	};

	return { limitChange, feeCapChange };
}
