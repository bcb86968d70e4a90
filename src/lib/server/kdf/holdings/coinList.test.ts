import { expect, test } from 'vitest';
import { pageOfCoins, type CoinQuery, type CoinsAtNode, type Held } from './coinList.ts';
import { readCoins } from '../coins/parse.ts';

const named = (tickers: readonly string[]) =>
	readCoins(tickers.map((coin) => ({ coin, protocol: { type: 'UTXO' } }))).coins;
const numbered = (count: number): string[] =>
	Array.from({ length: count }, (_, at) => `C${String(at).padStart(3, '0')}`);
const EVERY: CoinQuery = { text: '', state: '', balance: '', page: 1 };
const atNode = (
	tickers: readonly string[] | null,
	status: Record<string, { id: string; state: 'running' | 'failed' | 'active' }> = {}
): CoinsAtNode => ({
	tickers: tickers === null ? null : new Set(tickers),
	status: new Map(Object.entries(status))
});
const held = (spendable: string, more: Partial<NonNullable<Held['total']>> = {}): Held => ({
	total: { spendable, unspendable: '0', isPart: false, ...more },
	account: null,
	isAsked: false,
	isPassive: false
});
/** Reads balances from a table, and notes which were asked for. */
function balances(table: Record<string, Held>) {
	const asked: string[] = [];
	return {
		asked,
		read: (active: readonly { ticker: string }[]) => {
			asked.push(...active.map(({ ticker }) => ticker));
			const found = active.flatMap(({ ticker }) => {
				const one = table[ticker];
				return one === undefined ? [] : [[ticker, one] as const];
			});
			return Promise.resolve(new Map(found));
		}
	};
}
const tickersOf = ({ coins }: { coins: readonly { ticker: string }[] }): string[] =>
	coins.map(({ ticker }) => ticker);

test('coins in use come first, and only the active ones are asked for their balance', async () => {
	const { asked, read } = balances({ BBB: held('1.5') });
	const status = { CCC: { id: 'c', state: 'failed' }, DDD: { id: 'd', state: 'running' } } as const;
	const page = await pageOfCoins(
		named(['AAA', 'BBB', 'CCC', 'DDD']),
		atNode(['BBB'], status),
		EVERY,
		read
	);
	expect(page.coins.map(({ ticker, state, activation }) => [ticker, state, activation])).toEqual([
		['DDD', 'under-way', 'd'],
		['BBB', 'active', null],
		['CCC', 'failed', 'c'],
		['AAA', 'inactive', null]
	]);
	expect(asked).toEqual(['BBB']);
	expect(page.coins[1]?.held?.total?.spendable).toBe('1.5');
	expect(page).toMatchObject({ left: null, more: false, page: 1 });
});

test('a search keeps the order of its matches, and a filter leaves the other states out', async () => {
	const coins = named(['KMDX', 'KMD', 'BTC']);
	const { read } = balances({});
	const found = await pageOfCoins(coins, atNode(['KMDX']), { ...EVERY, text: 'kmd' }, read);
	expect(tickersOf(found)).toEqual(['KMD', 'KMDX']);
	const active = await pageOfCoins(coins, atNode(['KMDX']), { ...EVERY, state: 'active' }, read);
	expect(tickersOf(active)).toEqual(['KMDX']);
});

test('a node that does not list its coins leaves the activations from here to decide', async () => {
	const { asked, read } = balances({});
	const status = { KMD: { id: 'k', state: 'active' } } as const;
	const page = await pageOfCoins(named(['KMD']), atNode(null, status), EVERY, read);
	expect(page.coins[0]).toMatchObject({ state: 'active', active: false, held: null });
	expect(asked).toEqual([]);
});

test('a page beyond the end is the last one, and one below the first is the first', async () => {
	const coins = named(numbered(120));
	const { read } = balances({});
	const at = (page: number) => pageOfCoins(coins, atNode([]), { ...EVERY, page }, read);
	expect(tickersOf(await at(-1))).toEqual(numbered(50));
	expect(await at(2)).toMatchObject({ page: 2, more: true });
	const last = await at(Infinity);
	expect(tickersOf(last)).toEqual(numbered(120).slice(100));
	expect(last).toMatchObject({ page: 3, more: false });
});

test('the balance filter judges the first 200 active coins, and counts those that it could not', async () => {
	const all = numbered(203);
	const unsure = held('0', { unspendable: null });
	const { asked, read } = balances({
		C000: held('1'),
		C001: held('0'),
		C002: held('0', { unspendable: '2' }),
		C003: unsure,
		C004: { total: null, account: null, isAsked: true, isPassive: false },
		C005: held('0', { isPart: true }),
		C006: { ...held('0'), account: 0 },
		C007: { total: null, account: null, isAsked: false, isPassive: true },
		C201: held('5')
	});
	const filtered = (balance: 'some' | 'none') =>
		pageOfCoins(named(all), atNode(all), { ...EVERY, balance }, read);
	const some = await filtered('some');
	expect(tickersOf(some)).toEqual(['C000', 'C002']);
	expect(some.left).toEqual({ reading: 1, unsure: 3, beyond: 3 });
	expect(asked).toEqual(all.slice(0, 200));
	expect(tickersOf(await filtered('none'))).toEqual(['C001']);
});

test('a platform that the node lists for its tokens alone is passive, without a balance', async () => {
	const { read } = balances({
		ETH: { total: null, account: null, isAsked: false, isPassive: true }
	});
	const page = await pageOfCoins(named(['ETH']), atNode(['ETH']), EVERY, read);
	expect(page.coins[0]).toMatchObject({ state: 'passive', held: null });
});
