/**
 * What an API token may take of a wallet, beside what its member may: with one transaction, within 24 hours, and to
 * whom. It is counted under a lock of the token, in the database transaction that counts the member's limits: of two
 * sends at the same moment the second one sees the first.
 */
import { formatCoins, sumOf } from '#lib/chain/amount.ts';
import type { Access } from '#lib/rpc/method.ts';
import { createClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Member, TokenAmounts, TokenLimits } from '../policy/identity.ts';
import type { MeasuredSpend } from '../policy/limits/rights/spend.ts';
import type { AccessTables } from '../tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Every chain without amounts of its own. */
export const ANY_CHAIN = '*';

export interface TokenSpending {
	/**
	 * Counts what goes out with a token, and what goes with it for its member, or refuses both.
	 * @param count counts it for the member, within the database transaction if there is one
	 * @returns what `count` gives
	 * @throws {AppError} `token-limit`, and what `count` throws
	 */
	recordSpend<T>(
		identity: Member,
		spend: MeasuredSpend,
		count: (within?: Executor<AccessTables>) => Promise<T>
	): Promise<T>;
	/**
	 * Takes back what was counted, once, of what reached nobody.
	 * @param giveBack does the same for the member, within the database transaction if there is one
	 */
	giveBack(
		identity: Member,
		spend: MeasuredSpend,
		giveBack: (within?: Executor<AccessTables>) => Promise<void>
	): Promise<void>;
	/**
	 * The same for a call of which nothing is measured.
	 * @throws {AppError} `token-limit` where it may send something
	 */
	refuseUnmeasured(identity: Member, access: Access): void;
}

const tokenOf = (identity: Member): TokenLimits | null =>
	identity.via === 'token' ? identity.token : null;

/** The amounts that hold on a chain; null for a chain of which it takes nothing. */
const amountsOn = (amounts: readonly TokenAmounts[], chain: string): TokenAmounts | null =>
	amounts.find((one) => one.chain === chain) ??
	amounts.find((one) => one.chain === ANY_CHAIN) ??
	null;

/** All that leaves the wallet, in satoshi; null where a part of it cannot be told. */
const takenBy = ({ usages }: MeasuredSpend): bigint | null =>
	sumOf(usages.map(({ amount }) => amount));

/** The token whose amounts it is counted for; null where they are not limited, or nothing is taken. */
function countedToken(
	identity: Member,
	{ usages }: MeasuredSpend
): (TokenLimits & { amounts: readonly TokenAmounts[] }) | null {
	const token = tokenOf(identity);
	if (token === null || token.amounts === null) return null;
	// A signature of a message takes nothing, whatever key it is of.
	if (usages.every(({ kind }) => kind === 'sign')) return null;
	return { ...token, amounts: token.amounts };
}

function refuseRecipients({ recipients: allowed }: TokenLimits, spend: MeasuredSpend): void {
	if (allowed === null) return;
	if (spend.recipients === null) throw new AppError('token-limit.recipients-unknown');
	const stranger = spend.recipients.find((address) => !allowed.includes(address));
	if (stranger !== undefined) throw new AppError('token-limit.recipient', { address: stranger });
}

/** What it takes where that may go out with one transaction. */
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

/** What a send takes, and what its token may take within 24 hours; null for any. */
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
	clock: () => number = Date.now
): TokenSpending {
	const doubt = createClockDoubt(clock);

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

	/** A token may be revoked while a daemon is asked what its call takes. @throws {AppError} `token-limit.revoked` */
	async function refuseRevoked(trx: Executor<AccessTables>, { id }: TokenLimits): Promise<void> {
		const row = await trx
			.selectFrom('api_tokens')
			.select('id')
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (!row) throw new AppError('token-limit.revoked');
	}

	/** Notes that one send more, or one less, relies on what is counted already. True where there is something. */
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
					// What it counted for is over: it counts anew.
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
		const used = past.reduce((sum, { amount }) => sum + amount, 0n);
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
			await db.transaction().execute(async (trx) => {
				await lock(trx, token.countedAs);
				await claim(trx, token.countedAs, spend, -1n);
				await trx
					.deleteFrom('api_token_uses')
					.where('token', '=', token.countedAs)
					.where('claims', '<=', 0n)
					.execute();
				await giveBack(trx);
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
