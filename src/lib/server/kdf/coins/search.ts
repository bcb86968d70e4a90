import type { Coin } from './parse.ts';

/** State of a coin on a node. */
export type CoinState = 'active' | 'under-way' | 'failed' | 'inactive';

/** State of a coin whose balance was queried, too. `passive` platform coins are kept for their tokens only. */
export type ListedState = CoinState | 'passive';

/**
 * Returns the coins that match a text: those whose ticker or name begins with it, then those that contain all
 * its words. An empty text matches every coin.
 */
export function coinsLike(coins: readonly Coin[], text: string): Coin[] {
	const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [...coins];
	const whole = words.join(' ');
	const rank = ({ ticker, name }: Coin): number => {
		const [t, n] = [ticker.toLowerCase(), name.toLowerCase()];
		if (t === whole) return 0;
		if (t.startsWith(whole)) return 1;
		if (n.startsWith(whole)) return 2;
		return words.every((word) => t.includes(word) || n.includes(word)) ? 3 : 4;
	};
	return coins
		.map((coin) => ({ coin, rank: rank(coin) }))
		.filter(({ rank: found }) => found < 4)
		.toSorted((a, b) => a.rank - b.rank)
		.map(({ coin }) => coin);
}
