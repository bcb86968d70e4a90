/**
 * Daily limits: how many sends of a kind, and how many coins, a member may send on a chain within 24 hours.
 * Decision and counting share one database transaction that locks the account's row, so that of two
 * concurrent sends the second sees the first. What is handed to a daemon counts, whatever becomes of it; what
 * never reached a daemon is given back.
 */
import { COIN, formatCoins, sumOf } from '#lib/chain/amount.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { createClockDoubt } from '../../../platform/audit-trail/clockDoubt.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../changes/change.ts';
import { createGate } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import { createLimitChanges, storedMost } from './changes.ts';
import type { LimitKind, Usage } from '../measuring/kinds.ts';
import type { FeeCap, Limit, LimitKey, Most } from './limit.ts';
import { ANY } from './tables.ts';

export type { FeeCap, Limit, Most };

/** 0.01 coin: a hundred times the fee of an ordinary transaction. */
export const DEFAULT_FEE_CAP = 1_000_000n;

/** What an account has used of a kind within the last 24 hours. */
export interface Used extends LimitKey {
	count: bigint;
	/** Satoshi. */
	amount: bigint;
}

/** A send that is about to be counted. */
export interface Spending {
	account: string;
	chain: string;
	/** Identity of the send: the same ref counts once. */
	ref: string;
	usages: readonly Usage[];
}

export interface Limits {
	list(): Promise<Limit[]>;
	/**
	 * Sets a limit, or removes it when both of its maxima are null; or proposes the change where it needs
	 * approval.
	 * @param seen {@link mostText} of the limit that the page showed; left out: do not compare
	 * @throws {AppError} `change.not-as-shown`
	 */
	set(by: LinkMaker, limit: Limit, seen?: string): Promise<ChangeOutcome>;
	/** What was used within the last 24 hours, by all accounts or by one. */
	used(account?: string): Promise<Used[]>;
	/** The limits that apply to an account: for each chain and kind the most specific one. */
	of(account: string): Promise<Limit[]>;
	/** The highest fee of one transaction on a chain, in satoshi, regardless of who sends it and how. */
	feeCap(chain: string): Promise<bigint>;
	/** The caps that admins have set; the chain may be `*`. */
	feeCaps(): Promise<FeeCap[]>;
	/**
	 * Sets the fee cap of a chain, or with `*` of every chain without one; null removes it. Or proposes the
	 * change where it needs approval.
	 * @param seen the coins that the page showed; left out: do not compare
	 * @throws {AppError} `change.not-as-shown`
	 */
	setFeeCap(
		by: LinkMaker,
		chain: string,
		most: bigint | null,
		seen?: string
	): Promise<ChangeOutcome>;
	/** The changes of limits that can wait for approval. */
	readonly changes: readonly ChangeKind[];
	/**
	 * Counts a send, or refuses it.
	 * @param within the database transaction that also records the send
	 * @throws {AppError} `limit`
	 */
	recordSpend(spending: Spending, within?: Executor<AccessTables>): Promise<void>;
	/** Reverts what one {@link recordSpend} counted, for a send that reached no daemon. */
	giveBack(spending: Spending, trx: Executor<AccessTables>): Promise<void>;
	/** Why a send that a form asks for would be refused now; null when it fits. Nothing is counted. */
	look(wanted: Omit<Spending, 'ref'>): Promise<OverLimit | null>;
}

/** An earlier use, with the fields that a decision needs. */
interface Past {
	amount: bigint;
	/** Unix milliseconds. */
	at: number;
}

/**
 * The most specific limit: the account's own before the one of all accounts, then the chain's own before the
 * one of all chains.
 */
export function nearest(
	limits: readonly Limit[],
	{ account, chain, kind }: LimitKey
): Limit | undefined {
	const distance = (limit: Limit): number =>
		(limit.account === account ? 0 : 2) + (limit.chain === chain ? 0 : 1);
	return limits
		.filter(
			(limit) =>
				limit.kind === kind &&
				[account, ANY].includes(limit.account) &&
				[chain, ANY].includes(limit.chain)
		)
		.toSorted((a, b) => distance(a) - distance(b))[0];
}

const total = (uses: readonly Past[]): bigint => sumOf(uses.map(({ amount }) => amount));

/**
 * When enough of the oldest uses have left the window for `fits` to hold for the rest, Unix milliseconds;
 * null: never.
 */
function freeAt(
	past: readonly Past[],
	fits: (left: { count: number; amount: bigint }) => boolean
): number | null {
	let amount = total(past);
	for (const [gone, use] of past.entries()) {
		amount -= use.amount;
		if (fits({ count: past.length - gone - 1, amount })) return use.at + DAY_MS;
	}
	return null;
}

/** Refusal of a send by a limit. */
export type OverLimit = AppError<CodesOf<'limit'>>;

/**
 * Decides whether one more use fits into a limit.
 * @param past the uses of the last 24 hours, oldest first
 * @returns null when it fits
 */
function decide(limit: Limit, use: Usage, past: readonly Past[], chain: string): OverLimit | null {
	const { count, amount } = limit.most;
	const { kind } = use;
	if (amount !== null && use.amount === null) {
		return new AppError('limit.amount-unknown', { kind, chain });
	}
	const coins = use.amount ?? 0n;
	const used = total(past);
	const fits = (left: { count: number; amount: bigint }): boolean =>
		(count === null || BigInt(left.count) < count) &&
		(amount === null || left.amount + coins <= amount);
	if (fits({ count: past.length, amount: used })) return null;
	const facts = { kind, chain, freeAt: freeAt(past, fits) };
	return count !== null && BigInt(past.length) >= count
		? new AppError('limit.count-reached', {
				...facts,
				most: String(count),
				used: String(past.length)
			})
		: new AppError('limit.amount-exceeded', {
				...facts,
				most: formatCoins(amount ?? 0n),
				used: formatCoins(used),
				takes: formatCoins(coins)
			});
}

/**
 * Creates the spending limits and fee caps. Amounts are satoshi.
 * @param clock Unix milliseconds
 * @param doubt by how many milliseconds the clock may be ahead: past uses are kept for that much longer
 */
export function createLimits(
	db: Database<AccessTables>,
	audit: Audit,
	clock: () => number = Date.now,
	doubt = createClockDoubt(clock)
): Limits {
	async function read(within: Executor<AccessTables>): Promise<Limit[]> {
		const rows = await within.selectFrom('spending_limits').selectAll().execute();
		return rows.map(({ account, chain, kind, most_count, most_amount }) => ({
			account,
			chain,
			kind,
			most: { count: most_count, amount: most_amount }
		}));
	}

	const feeCaps = (within: Executor<AccessTables> = db): Promise<FeeCap[]> =>
		within.selectFrom('fee_caps').selectAll().orderBy('chain').execute();

	/** Serializes the sends of one account, on both databases, by writing to the account's row. */
	async function lock(trx: Executor<AccessTables>, account: string): Promise<void> {
		await trx
			.insertInto('spending_counts')
			.values({ account, counted: 1n })
			.onConflict((conflict) =>
				conflict.column('account').doUpdateSet((set) => ({
					counted: set('spending_counts.counted', '+', 1n)
				}))
			)
			.execute();
	}

	/** Changes the number of sends that rely on uses that are already counted. */
	async function claim(
		trx: Executor<AccessTables>,
		{ account, chain, ref, usages }: Spending,
		sends: bigint
	): Promise<void> {
		await trx
			.updateTable('spending_limit_uses')
			.set((set) => ({ claims: set('claims', '+', sends) }))
			.where('account', '=', account)
			.where('chain', '=', chain)
			.where('ref', '=', ref)
			.where(
				'kind',
				'in',
				usages.map(({ kind }) => kind)
			)
			.execute();
	}

	async function spendWithin(trx: Executor<AccessTables>, spending: Spending): Promise<void> {
		const { account, chain, ref, usages } = spending;
		if (usages.length === 0) return;
		await lock(trx, account);
		const now = clock();
		const since = BigInt(now - DAY_MS);
		const forgotten = since - BigInt(Math.ceil(await doubt(trx)));
		await trx
			.deleteFrom('spending_limit_uses')
			.where('account', '=', account)
			.where(({ or, and, eb }) =>
				or([
					eb('at', '<=', forgotten),
					// The earlier use of this ref has left the window: count it anew.
					and([eb('chain', '=', chain), eb('ref', '=', ref), eb('at', '<=', since)])
				])
			)
			.execute();
		await claim(trx, spending, 1n);
		const limits = await read(trx);
		for (const use of usages) {
			const { kind } = use;
			const past = await trx
				.selectFrom('spending_limit_uses')
				.select(['ref', 'amount', 'at'])
				.where('account', '=', account)
				.where('chain', '=', chain)
				.where('kind', '=', kind)
				.where('at', '>', since)
				.orderBy('at')
				.execute();
			if (past.some((one) => one.ref === ref)) continue;
			const limit = nearest(limits, { account, chain, kind });
			const refusal =
				limit &&
				decide(
					limit,
					use,
					past.map(({ amount, at }) => ({ amount, at: Number(at) })),
					chain
				);
			if (refusal) throw refusal;
			await trx
				.insertInto('spending_limit_uses')
				.values({ account, chain, kind, ref, amount: use.amount ?? 0n, at: now, claims: 1 })
				.execute();
		}
	}

	const gate = createGate(db, audit);
	const { limitChange, feeCapChange } = createLimitChanges({ audit, read, feeCaps });

	return {
		list: () => read(db),

		changes: [limitChange, feeCapChange],

		set: (by, { account, chain, kind, most }, seen) =>
			gate.applyOrPropose(by, limitChange, {
				account,
				chain,
				kind,
				most: storedMost(most),
				...(seen === undefined ? {} : { seen })
			}),

		async used(account) {
			// The sum of satoshi can exceed a 64-bit column, since coins of a large chain may be sent
			// repeatedly: whole coins and the rest are summed separately.
			let query = db
				.selectFrom('spending_limit_uses')
				.select((select) => [
					'account',
					'chain',
					'kind',
					select.fn.countAll<bigint>().as('count'),
					select.fn.sum<bigint>(select('amount', '/', COIN)).as('whole'),
					select.fn.sum<bigint>(select('amount', '%', COIN)).as('rest')
				])
				.where('at', '>', BigInt(clock() - DAY_MS))
				.groupBy(['account', 'chain', 'kind']);
			if (account !== undefined) query = query.where('account', '=', account);
			const rows = await query.execute();
			return rows.map(({ whole, rest, ...used }) => ({ ...used, amount: whole * COIN + rest }));
		},

		async of(account) {
			const limits = await read(db);
			const mine = limits.filter((limit) => [account, ANY].includes(limit.account));
			return mine.filter((limit) => {
				const own = nearest(mine, { account, chain: limit.chain, kind: limit.kind });
				return own === limit;
			});
		},

		async look({ account, chain, usages }) {
			const limits = await read(db);
			const now = clock();
			const pasts = new Map<LimitKind, Past[]>();
			for (const use of usages) {
				const { kind } = use;
				const limit = nearest(limits, { account, chain, kind });
				if (!limit) continue;
				let past = pasts.get(kind);
				if (!past) {
					const rows = await db
						.selectFrom('spending_limit_uses')
						.select(['amount', 'at'])
						.where('account', '=', account)
						.where('chain', '=', chain)
						.where('kind', '=', kind)
						.where('at', '>', BigInt(now - DAY_MS))
						.orderBy('at')
						.execute();
					past = rows.map(({ amount, at }) => ({ amount, at: Number(at) }));
					pasts.set(kind, past);
				}
				const refusal = decide(limit, use, past, chain);
				if (refusal) return refusal;
				// Later usages of the same send must see the earlier ones.
				past.push({ amount: use.amount ?? 0n, at: now });
			}
			return null;
		},

		feeCaps,

		async feeCap(chain) {
			const caps = await feeCaps();
			const of = (name: string) => caps.find((cap) => cap.chain === name)?.most;
			return of(chain) ?? of(ANY) ?? DEFAULT_FEE_CAP;
		},

		setFeeCap: (by, chain, most, seen) =>
			gate.applyOrPropose(by, feeCapChange, {
				chain,
				most: most === null ? null : String(most),
				...(seen === undefined ? {} : { seen })
			}),

		async recordSpend(spending, within) {
			if (within) await spendWithin(within, spending);
			else await db.transaction().execute((trx) => spendWithin(trx, spending));
		},

		async giveBack(spending, trx) {
			const { account, usages } = spending;
			if (usages.length === 0) return;
			await lock(trx, account);
			await claim(trx, spending, -1n);
			await trx
				.deleteFrom('spending_limit_uses')
				.where('account', '=', account)
				.where('claims', '<=', 0n)
				.execute();
		}
	};
}
