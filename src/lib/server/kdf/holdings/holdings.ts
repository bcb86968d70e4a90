/**
 * Current balances of active coins, as the node reports them. A page waits a short time and shows what is known
 * by then: the call continues, and the next page has its answer. Requests within a few seconds share one call.
 */
import { LRUCache } from 'lru-cache';
import type { KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { waitAtMost } from '../../chains/upstream/wait.ts';
import { plain } from '../client/plain.ts';
import { linesOfAddress, sumOf, type BalanceLine } from './balances.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { hasManyAddresses, hasOneAddress } from '../calls/coinFailure.ts';

/** Balances of a coin. */
export interface Holding {
	/** Balances by address; in an HD wallet, the tokens of a platform have their own lines. */
	lines: BalanceLine[];
	/** Account of an HD wallet; null for a wallet with one address. */
	account: number | null;
	/** Number of addresses of the account that are not in `lines`; null when it is not known. */
	further: number | null;
	/** Whether some of them are on later pages. */
	hasNext: boolean;
	/** When the node reported it, Unix milliseconds. */
	at: number;
}

/**
 * `holding`: the latest known balances; `failure`: why there are no newer ones. Both are null while the first
 * request is running.
 */
export interface HoldingStatus {
	holding: Holding | null;
	failure: Failure | null;
}

/** The requested part of an HD wallet. */
export interface HoldingPart {
	account: number;
	/** Counted from 1. */
	page: number;
}

const FIRST: HoldingPart = { account: 0, page: 1 };
/** Number of addresses per request, of each chain (external and internal). */
const ADDRESSES = 50;
/** The same for an export. */
const IN_FILE = 1_000;
/** Maximum number of such pages; no wallet has as many addresses. */
const MOST_PAGES = 100;
/** How long an answer is used again, milliseconds. */
const FRESH_MS = 5_000;
/** Maximum number of cached answers. */
const MOST_KEPT = 1_000;
const SIDES: readonly KdfParams<'account_balance'>['chain'][] = ['External', 'Internal'];

interface Kept extends HoldingStatus {
	/** Identifies the wallet that the node had at the last request; null when the node cannot tell. */
	wallet: string | null;
	running: Promise<void> | null;
	askedAt: number;
}

/** Amounts as the node writes them. */
export interface Total {
	spendable: string;
	/** Null when the node does not report it for each address. */
	unspendable: string | null;
	/** Whether addresses that are not in `lines`, or whose amount is not known, may hold more. */
	isPart: boolean;
}

/** Returns the sum of a coin's own lines; null when none has an amount. */
export function totalOf(ticker: string, { lines, further }: Holding): Total | null {
	const own = lines.filter((line) => line.ticker === ticker);
	const known = own.filter(({ spendable }) => spendable !== '');
	if (known.length === 0) return null;
	const isTold = own.every(({ unspendable }) => unspendable !== '');
	return {
		spendable: sumOf(known.map(({ spendable }) => spendable)),
		unspendable: isTold ? sumOf(own.map(({ unspendable }) => unspendable)) : null,
		isPart: further !== 0 || known.length < own.length
	};
}

/** Returns the number of addresses that are not on a page of an account; null when the node does not report it. */
function beyond(page: KdfResult<'account_balance'>): number | null {
	const total = reported(page, 'total');
	return total === null ? null : total - page.addresses.length;
}

/** Whether a later page has more addresses; when the node does not report it, a full page may have. */
function hasMore(page: KdfResult<'account_balance'>, limit: number): boolean {
	const [skipped, total] = [reported(page, 'skipped'), reported(page, 'total')];
	const { length } = page.addresses;
	return skipped === null || total === null ? length >= limit : skipped + length < total;
}

/**
 * Creates the cache of balances.
 * @param clock Unix milliseconds
 * @param pages for queries that the node answers at once
 */
export function createHoldings(
	port: KdfPort,
	clock: () => number = Date.now,
	pages: KdfPort = port
) {
	const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

	/**
	 * Returns what identifies the wallet of a node: null for a node that does not know the method, undefined
	 * when it does not answer now.
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
	 * Keeps known balances only if the node still has the same wallet, and shows none until that is certain.
	 * A node that was restarted with another wallet has other addresses: coins sent to the previous ones
	 * would be in none of its wallets.
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
		limit: number
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
		const others = sides.map(beyond);
		return {
			lines: sides.flatMap(({ addresses }) =>
				addresses.flatMap((one) => linesOfAddress(coin, plain(one)))
			),
			account: part.account,
			further: others.reduce<number | null>(
				(sum, one) => (sum === null || one === null ? null : sum + one),
				0
			),
			hasNext: sides.some((page) => hasMore(page, limit)),
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
				address: reported(said, 'address') ?? '',
				path: null,
				ticker: coin,
				spendable: reported(said, 'balance') ?? '',
				unspendable: reported(said, 'unspendable_balance') ?? ''
			};
			return { lines: [line], account: null, further: 0, hasNext: false, at: clock() };
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			if (!hasManyAddresses(error.params.failure)) throw error;
			return ofAccount(node, coin, part, limit).catch((other: unknown) => {
				// The coin has one address after all: the first error says why it is not reported now.
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
		return fresh;
	}

	async function look(
		node: string,
		coin: string,
		part: HoldingPart,
		waitMs: number
	): Promise<HoldingStatus> {
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
			// A waiting caller gets the error; without one, the rejection must not end the process.
			running.catch(() => undefined);
			entry.running = running;
		}
		if (entry.running !== null) {
			await waitAtMost(entry.running, waitMs);
		}
		return { holding: entry.holding, failure: entry.failure };
	}

	return {
		/** Returns the balances of several coins, waiting for all of them together. */
		async of(
			node: string,
			coins: readonly string[],
			waitMs: number
		): Promise<Map<string, HoldingStatus>> {
			const seen = await Promise.all(
				coins.map(async (coin) => [coin, await look(node, coin, FIRST, waitMs)] as const)
			);
			return new Map(seen);
		},
		/** Returns the balances of a part of a coin's HD wallet. */
		part: look,
		/** Reads all addresses of an account, for an export. @throws {AppError} `activation.call-failed` */
		async file(node: string, coin: string, account: number): Promise<Pick<Holding, 'lines'>> {
			const first = await ask(node, coin, { account, page: 1 }, IN_FILE);
			const lines = [...first.lines];
			for (let page = 2; first.further !== 0 && page <= MOST_PAGES; page++) {
				const more = await ofAccount(node, coin, { account, page }, IN_FILE);
				if (more.lines.length === 0) break;
				lines.push(...more.lines);
			}
			return { lines };
		},
		/** Invalidates what is cached of a coin. */
		forget(node: string, coin: string): void {
			const begin = JSON.stringify([node, coin]).slice(0, -1);
			for (const key of [...kept.keys()]) if (key.startsWith(`${begin},`)) kept.delete(key);
		}
	};
}

export type Holdings = ReturnType<typeof createHoldings>;
