/**
 * What an API token may take of a wallet, beside what its member may: with one transaction, within 24 hours, and to
 * whom. It is counted under a lock of the token, in the database transaction that counts the member's limits: of two
 * sends at the same moment the second one sees the first.
 */
import { formatCoins } from '#lib/chain/amount.ts';
import type { Access } from '#lib/rpc/method.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Member, TokenAmounts, TokenLimits } from '../policy/identity.ts';
import type { MeasuredSpend } from '../policy/limits/rights.ts';
import type { AccessTables } from '../tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Every chain without amounts of its own. */
export const ANY_CHAIN = '*';

export interface TokenSpending {
	/**
	 * Counts what goes out with a token, and what goes with it for its member, or refuses both.
	 * @param count counts it for the member, within the database transaction if there is one
	 * @throws {AppError} `token-limit`, and what `count` throws
	 */
	recordSpend(
		identity: Member,
		spend: MeasuredSpend,
		count: (within?: Executor<AccessTables>) => Promise<void>
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
	usages.reduce<bigint | null>(
		(sum, { amount }) => (sum === null || amount === null ? null : sum + amount),
		0n
	);

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

export function createTokenSpending(
	db: Database<AccessTables>,
	clock: () => number = Date.now
): TokenSpending {
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

	async function countDay(
		trx: Executor<AccessTables>,
		token: string,
		{ chain, ref }: MeasuredSpend,
		takes: bigint,
		most: bigint | null
	): Promise<void> {
		await lock(trx, token);
		const now = clock();
		await trx
			.deleteFrom('api_token_uses')
			.where('token', '=', token)
			.where('at', '<=', BigInt(now - DAY_MS))
			.execute();
		const past = await trx
			.selectFrom('api_token_uses')
			.select(['ref', 'amount'])
			.where('token', '=', token)
			.where('chain', '=', chain)
			.execute();
		if (past.some((one) => one.ref === ref)) return;
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
			.values({ token, chain, ref, amount: takes, at: BigInt(now) })
			.execute();
	}

	return {
		async recordSpend(identity, spend, count) {
			const token = tokenOf(identity);
			if (token === null) return count();
			refuseRecipients(token, spend);
			// A signature of a message takes nothing, whatever key it is of.
			const takesNothing = spend.usages.every(({ kind }) => kind === 'sign');
			if (token.amounts === null || takesNothing) return count();
			const amounts = amountsOn(token.amounts, spend.chain);
			if (amounts === null) throw new AppError('token-limit.chain', { chain: spend.chain });
			const takes = amountWithin(amounts, spend);
			await db.transaction().execute(async (trx) => {
				await countDay(trx, token.countedAs, spend, takes, amounts.day);
				await count(trx);
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
