/**
 * What active coins hold now, as the node says. A page waits a moment for it and shows what is known by then: the
 * call goes on, and the next page has its answer. Whoever asks within a few seconds shares one call.
 */
import type { KdfParams } from '#lib/rpc/kdf/index.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { waitAtMost } from '../../chains/daemon/wait.ts';
import { plain } from '../client/plain.ts';
import { linesOfAddresses, sumOf, type BalanceLine } from './balances.ts';
import type { KdfPort } from './engine.ts';
import { hasManyAddresses, hasOneAddress } from './failure.ts';

/** What a coin holds. */
export interface Holding {
	/** Addresses with what they hold; a platform's tokens have lines of their own in a wallet of many. */
	lines: BalanceLine[];
	/** The account of a wallet of many addresses; null for a wallet with one. */
	account: number | null;
	/** Addresses of the account that are not among the lines. */
	further: number;
	/** Some of them are on later pages. */
	hasNext: boolean;
	/** When the node said it; Unix milliseconds. */
	at: number;
}

/** `holding`: the latest that is known; `failure`: why there is nothing newer. Both null: it is still being asked for. */
export interface HoldingSeen {
	holding: Holding | null;
	failure: Failure | null;
}

/** Which part of a wallet of many addresses is asked for. */
export interface HoldingPart {
	account: number;
	/** From 1 on. */
	page: number;
}

const FIRST: HoldingPart = { account: 0, page: 1 };
/** Addresses of each side that are asked for at once. */
const ADDRESSES = 50;
/** Addresses of each side that are asked for at once, for a file. */
const IN_FILE = 1_000;
/** Pages of so many; no wallet has as many addresses. */
const MOST_PAGES = 100;
/** An answer younger than this serves again. Milliseconds. */
const FRESH_MS = 5_000;
/** Answers that are kept; the oldest go first. */
const MOST_KEPT = 1_000;
const SIDES: readonly KdfParams<'account_balance'>['chain'][] = ['External', 'Internal'];

interface Kept extends HoldingSeen {
	/** The wallet that the node had when it was asked. */
	wallet: string | null;
	running: Promise<void> | null;
	askedAt: number;
}

/** Amounts as the node writes them. */
export interface Total {
	spendable: string;
	unspendable: string;
	/** More may be at addresses that are not among the lines. */
	isPart: boolean;
}

/** The sum of a coin's own lines; null where none has an amount. */
export function totalOf(ticker: string, { lines, further }: Holding): Total | null {
	const own = lines.filter((line) => line.ticker === ticker && line.spendable !== '');
	if (own.length === 0) return null;
	return {
		spendable: sumOf(own.map(({ spendable }) => spendable)),
		unspendable: sumOf(own.map(({ unspendable }) => unspendable)),
		isPart: further > 0
	};
}

/**
 * @param clock Unix milliseconds
 * @param pages asks what the node says at once
 */
export function createHoldings(
	port: KdfPort,
	clock: () => number = Date.now,
	pages: KdfPort = port
) {
	const kept = new Map<string, Kept>();

	/**
	 * What tells the wallet of a node from another one: null for a node that does not know the question, undefined where
	 * it does not answer now.
	 */
	async function walletOf(node: string): Promise<string | null | undefined> {
		try {
			return (await pages.call(node, 'get_public_key_hash', {})).public_key_hash;
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			return error.params.failure.kind === 'refused' ? null : undefined;
		}
	}

	/**
	 * Keeps what was known where the node still has the wallet that it is of, and shows nothing of it before. A node that
	 * was started with another wallet has other addresses: coins sent to those of before would be in no wallet of it.
	 */
	async function keepOfWallet(node: string, entry: Kept): Promise<void> {
		const { holding } = entry;
		entry.holding = null;
		const wallet = await walletOf(node);
		if (wallet === entry.wallet) entry.holding = holding;
		if (wallet !== undefined) entry.wallet = wallet;
	}

	async function ofAccount(
		node: string,
		coin: string,
		part: HoldingPart,
		limit = ADDRESSES
	): Promise<Holding> {
		const sides = await Promise.all(
			SIDES.map((chain) =>
				port.call(node, 'account_balance', {
					coin,
					account_index: part.account,
					chain,
					limit,
					paging_options: { PageNumber: part.page }
				})
			)
		);
		const further = sides.reduce((sum, { total, addresses }) => sum + total - addresses.length, 0);
		return {
			lines: sides.flatMap(({ addresses }) =>
				linesOfAddresses(
					coin,
					addresses.map((one) => ({ ...one, balance: plain(one.balance) }))
				)
			),
			account: part.account,
			further,
			hasNext: sides.some(({ skipped, addresses, total }) => skipped + addresses.length < total),
			at: clock()
		};
	}

	async function ask(
		node: string,
		coin: string,
		part: HoldingPart,
		limit = ADDRESSES
	): Promise<Holding> {
		if (part.account > 0 || part.page > 1) return ofAccount(node, coin, part, limit);
		try {
			const said = await port.call(node, 'my_balance', { coin });
			const line = {
				address: said.address,
				path: null,
				ticker: coin,
				spendable: said.balance,
				unspendable: said.unspendable_balance
			};
			return { lines: [line], account: null, further: 0, hasNext: false, at: clock() };
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			if (!hasManyAddresses(error.params.failure)) throw error;
			return ofAccount(node, coin, part, limit).catch((other: unknown) => {
				// It has one address after all: why that says nothing now stands in the first answer.
				throw isAppError(other, 'activation.call-failed') && hasOneAddress(other.params.failure)
					? error
					: other;
			});
		}
	}

	function entryOf(key: string): Kept {
		const found = kept.get(key);
		if (found) return found;
		const fresh: Kept = {
			holding: null,
			failure: null,
			wallet: null,
			running: null,
			askedAt: -Infinity
		};
		kept.set(key, fresh);
		if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
		return fresh;
	}

	async function look(
		node: string,
		coin: string,
		part: HoldingPart,
		waitMs: number
	): Promise<HoldingSeen> {
		const entry = entryOf(JSON.stringify([node, coin, part.account, part.page]));
		// The wall clock may be set back.
		if (entry.running === null && Math.abs(clock() - entry.askedAt) >= FRESH_MS) {
			entry.askedAt = clock();
			const running = keepOfWallet(node, entry)
				.then(() => ask(node, coin, part))
				.then(
					(holding) => Object.assign(entry, { holding, failure: null }),
					(error: unknown) => {
						if (!isAppError(error, 'activation.call-failed')) throw error;
						entry.failure = error.params.failure;
					}
				)
				.then(() => undefined)
				.finally(() => {
					entry.running = null;
				});
			// Who waits hears of a fault; when nobody does any more, it must not end the process.
			running.catch(() => undefined);
			entry.running = running;
		}
		if (entry.running !== null) {
			await waitAtMost(entry.running, waitMs);
		}
		return { holding: entry.holding, failure: entry.failure };
	}

	return {
		/** Each of some coins, in one wait. */
		async of(
			node: string,
			coins: readonly string[],
			waitMs: number
		): Promise<Map<string, HoldingSeen>> {
			const seen = await Promise.all(
				coins.map(async (coin) => [coin, await look(node, coin, FIRST, waitMs)] as const)
			);
			return new Map(seen);
		},
		/** A part of a coin's wallet of many addresses. */
		part: look,
		/** All addresses of an account, for a file. @throws {AppError} `activation.call-failed` */
		async file(node: string, coin: string, account: number): Promise<Pick<Holding, 'lines'>> {
			const first = await ask(node, coin, { account, page: 1 }, IN_FILE);
			const lines = [...first.lines];
			for (let page = 2; first.further > 0 && page <= MOST_PAGES; page++) {
				const more = await ofAccount(node, coin, { account, page }, IN_FILE);
				if (more.lines.length === 0) break;
				lines.push(...more.lines);
			}
			return { lines };
		},
		/** What was known of a coin counts no more. */
		forget(node: string, coin: string): void {
			const begin = JSON.stringify([node, coin]).slice(0, -1);
			for (const key of kept.keys()) if (key.startsWith(`${begin},`)) kept.delete(key);
		}
	};
}

export type Holdings = ReturnType<typeof createHoldings>;
