/**
 * What an API token may take from a wallet, on top of its member's limits: with one transaction, within 24
 * hours, and to whom. It is counted under a lock of the token, in the database transaction that counts the
 * member's limits, so that of two concurrent sends the second sees the first.
 */
import { formatCoins, sumOf } from '#lib/chain/amount.ts';
import type { Access } from '#lib/rpc/method.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { createClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Member, TokenAmounts, TokenLimits } from '../identity/identity.ts';
import type { MeasuredSpend } from '../rights/spend.ts';
import type { AccessTables } from '../tables.ts';

/** Every chain without amounts of its own. */
export const ANY_CHAIN = '*';

export interface TokenSpending {
	/**
	 * Counts a send for the token and, by `count`, for its member, or refuses both.
	 * @param count counts it for the member, inside the database transaction if one is passed
	 * @returns the result of `count`
	 * @throws {AppError} `token-limit`, and what `count` throws
	 */
	recordSpend<T>(
		identity: Member,
		spend: MeasuredSpend,
		count: (within?: Executor<AccessTables>) => Promise<T>
	): Promise<T>;
	/**
	 * Reverts one counting, for a send that reached no daemon.
	 * @param giveBack does the same for the member, inside the database transaction if one is passed
	 */
	giveBack(
		identity: Member,
		spend: MeasuredSpend,
		giveBack: (within?: Executor<AccessTables>) => Promise<void>
	): Promise<void>;
	/**
	 * Checks a call that cannot be measured.
	 * @throws {AppError} `token-limit` where it may send something and the token's amounts or recipients are
	 * limited
	 */
	refuseUnmeasured(identity: Member, access: Access): void;
}

const tokenOf = (identity: Member): TokenLimits | null =>
	identity.via === 'token' ? identity.token : null;

/** The amounts for a chain; null for a chain of which the token may take nothing. */
const amountsOn = (amounts: readonly TokenAmounts[], chain: string): TokenAmounts | null =>
	amounts.find((one) => one.chain === chain) ??
	amounts.find((one) => one.chain === ANY_CHAIN) ??
	null;

/** All that leaves the wallet, in satoshi; null where a part cannot be determined. */
const takenBy = ({ usages }: MeasuredSpend): bigint | null =>
	sumOf(usages.map(({ amount }) => amount));

/** The token whose amounts a send counts for; null where they are not limited, or the send takes nothing. */
function countedToken(
	identity: Member,
	{ usages }: MeasuredSpend
): (TokenLimits & { amounts: readonly TokenAmounts[] }) | null {
	const token = tokenOf(identity);
	if (token === null || token.amounts === null) return null;
	// The signature of a message takes nothing, by whatever key.
	if (usages.every(({ kind }) => kind === 'sign')) return null;
	return { ...token, amounts: token.amounts };
}

function refuseRecipients({ recipients: allowed }: TokenLimits, spend: MeasuredSpend): void {
	if (allowed === null) return;
	if (spend.recipients === null) throw new AppError('token-limit.recipients-unknown');
	const stranger = spend.recipients.find((address) => !allowed.includes(address));
	if (stranger !== undefined) throw new AppError('token-limit.recipient', { address: stranger });
}

/** What a send takes, after checking the amount for one transaction. */
function amountWithin({ chain, each }: TokenAmounts, spend: MeasuredSpend): bigint {
	const takes = takenBy(spend);
	if (takes === null) throw new AppError('token-limit.unmeasured');
	if (each !== null && takes > each) {
		throw new AppError('token-limit.each', {
			chain: chain === ANY_CHAIN ? spend.chain : chain,
			takes: formatCoins(takes),
			most: formatCoins(each)
		});
	}
	return takes;
}

/** What a send takes, and what its token may take within 24 hours (null: not limited). */
interface DayAmount {
	takes: bigint;
	most: bigint | null;
}

function amountOf(amounts: readonly TokenAmounts[], spend: MeasuredSpend): DayAmount {
	const { chain } = spend;
	const limits = amountsOn(amounts, chain);
	if (limits === null) throw new AppError('token-limit.chain', { chain });
	return { takes: amountWithin(limits, spend), most: limits.day };
}

export function createTokenSpending(
	db: Database<AccessTables>,
	clock: () => number = Date.now,
	doubt = createClockDoubt(clock)
): TokenSpending {
	/** What was given back by a transaction that may have been committed: it is given back once. */
	const givenBack = new WeakSet<MeasuredSpend>();

	async function lock(trx: Executor<AccessTables>, token: string): Promise<void> {
		await trx
			.insertInto('api_token_counts')
			.values({ token, counted: 1n })
			.onConflict((conflict) =>
				conflict.column('token').doUpdateSet((set) => ({
					counted: set('api_token_counts.counted', '+', 1n)
				}))
			)
			.execute();
	}

	/**
	 * Refuses a token that was revoked while the call was being measured.
	 * @throws {AppError} `token-limit.revoked`
	 */
	async function refuseRevoked(trx: Executor<AccessTables>, { id }: TokenLimits): Promise<void> {
		const row = await trx
			.selectFrom('api_tokens')
			.select('id')
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (!row) throw new AppError('token-limit.revoked');
	}

	/** Changes the number of sends that rely on a use that is already counted. True where there is one. */
	async function claim(
		trx: Executor<AccessTables>,
		token: string,
		{ chain, ref }: MeasuredSpend,
		sends: bigint
	): Promise<boolean> {
		const { numUpdatedRows } = await trx
			.updateTable('api_token_uses')
			.set((set) => ({ claims: set('claims', '+', sends) }))
			.where('token', '=', token)
			.where('chain', '=', chain)
			.where('ref', '=', ref)
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	async function countDay(
		trx: Executor<AccessTables>,
		token: string,
		spend: MeasuredSpend,
		{ takes, most }: DayAmount
	): Promise<void> {
		const { chain, ref } = spend;
		await lock(trx, token);
		const now = clock();
		const since = BigInt(now - DAY_MS);
		const forgotten = since - BigInt(Math.ceil(await doubt(trx)));
		await trx
			.deleteFrom('api_token_uses')
			.where('token', '=', token)
			.where(({ or, and, eb }) =>
				or([
					eb('at', '<=', forgotten),
					// The earlier use of this ref has left the window: count it anew.
					and([eb('chain', '=', chain), eb('ref', '=', ref), eb('at', '<=', since)])
				])
			)
			.execute();
		if (await claim(trx, token, spend, 1n)) return;
		const past = await trx
			.selectFrom('api_token_uses')
			.select('amount')
			.where('token', '=', token)
			.where('chain', '=', chain)
			.where('at', '>', since)
			.execute();
		const used = sumOf(past.map(({ amount }) => amount));
		if (most !== null && used + takes > most) {
			throw new AppError('token-limit.day', {
				chain,
				takes: formatCoins(takes),
				used: formatCoins(used),
				most: formatCoins(most)
			});
		}
		await trx
			.insertInto('api_token_uses')
			.values({ token, chain, ref, amount: takes, at: BigInt(now), claims: 1n })
			.execute();
	}

	return {
		async recordSpend(identity, spend, count) {
			const limits = tokenOf(identity);
			if (limits === null) return count();
			refuseRecipients(limits, spend);
			const token = countedToken(identity, spend);
			const amount = token && amountOf(token.amounts, spend);
			return db.transaction().execute(async (trx) => {
				await refuseRevoked(trx, limits);
				if (amount) await countDay(trx, limits.countedAs, spend, amount);
				return count(trx);
			});
		},

		async giveBack(identity, spend, giveBack) {
			const token = countedToken(identity, spend);
			if (token === null) return giveBack();
			if (givenBack.has(spend)) return;
			await db.transaction().execute(async (trx) => {
				await lock(trx, token.countedAs);
				await claim(trx, token.countedAs, spend, -1n);
				await trx
					.deleteFrom('api_token_uses')
					.where('token', '=', token.countedAs)
					.where('claims', '<=', 0n)
					.execute();
				await giveBack(trx);
				givenBack.add(spend);
			});
		},

		refuseUnmeasured(identity, access) {
			const token = tokenOf(identity);
			if (token === null || access !== 'broadcast') return;
			if (token.amounts === null && token.recipients === null) return;
			throw new AppError('token-limit.unmeasured');
		}
	};
}
