import type { JsonValue } from '#lib/rpc/json.ts';
import type { CoinEntry } from './coinsFile.ts';

/** Balance of a coin, as decimal text without trailing zeros. */
export interface Balance {
	spendable: string;
	unspendable: string;
}

/** Formats smallest units as decimal text: 762000000 with 8 decimals is `7.62`. */
export function decimalOf(units: bigint, decimals: number): string {
	const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
	const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
	const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
	return `${units < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** An activated coin or token. */
export interface ActiveCoin {
	readonly ticker: string;
	readonly entry: CoinEntry;
	/** Protocol of the coin's entry in the coins file. */
	readonly protocol: string;
	/** Ticker of the platform coin of a token. */
	readonly platform?: string;
	requiredConfirmations: number;
	requiresNotarization: boolean;
	/** Undefined for coins without maturing coinbase outputs. */
	readonly matureConfirmations?: number;
	/** Null in an HD wallet. */
	readonly address: string | null;
	/** Returns the private key at a path, by default the activated one; null when another device holds it. */
	key(path?: string): Uint8Array | null;
	/** Path of the key that the coin was activated with; undefined without HD. */
	readonly activatedPath?: string;
	/** Returns the address of a private key. */
	addressOf(key: Uint8Array): string;
	/** Returns the balance of a private key's address. */
	balanceOf(key: Uint8Array): Promise<Balance>;
	height(): Promise<number>;
	close(): void;
	/** Whether its transaction history is available. */
	readonly keepsHistory: boolean;
	/** Present in HD wallets only. */
	readonly hd?: HdWallet;
}

/** Accounts of a coin in an HD wallet. */
export interface HdWallet {
	/** `m/44'/141'`. */
	readonly coinPath: string;
	/** Number of known external addresses by account. */
	readonly known: Map<number, number>;
	/** Number of known change addresses by account. */
	readonly knownChange: Map<number, number>;
	/** Searches an account for used addresses beyond the known ones; returns the indexes of the new ones. */
	scan(account: number, gap?: number): Promise<number[]>;
	/** Returns address and balances at an index of one side of an account. */
	addressAt(account: number, side: 'External' | 'Internal', index: number): Promise<HdAddress>;
}

export interface HdAddress {
	address: string;
	derivation_path: string;
	chain: 'External' | 'Internal';
	balance: { [ticker: string]: Balance };
}

/** The activated coins of a node, by ticker. */
export class ActiveCoins {
	readonly #coins = new Map<string, ActiveCoin>();
	readonly #passive = new Set<string>();

	/** True for active and passive coins. */
	has(ticker: string): boolean {
		return this.#coins.has(ticker);
	}

	/** Returns an active coin; passive coins are hidden. */
	get(ticker: string): ActiveCoin | undefined {
		return this.#passive.has(ticker) ? undefined : this.#coins.get(ticker);
	}

	isPassive(ticker: string): boolean {
		return this.#passive.has(ticker);
	}

	all(): ActiveCoin[] {
		return [...this.#coins.values()];
	}

	tokensOf(platform: string): ActiveCoin[] {
		return this.all().filter((coin) => coin.platform === platform);
	}

	/** Registers a coin; replaces a passive one of the same ticker. */
	add(coin: ActiveCoin): void {
		this.#passive.delete(coin.ticker);
		this.#coins.set(coin.ticker, coin);
	}

	remove(ticker: string): void {
		this.#passive.delete(ticker);
		this.#coins.get(ticker)?.close();
		this.#coins.delete(ticker);
	}

	makePassive(ticker: string): void {
		this.#passive.add(ticker);
	}

	clear(): void {
		for (const ticker of [...this.#coins.keys()]) this.remove(ticker);
	}
}

/** Formats a balance as JSON. */
export const balanceJson = ({ spendable, unspendable }: Balance): JsonValue => ({
	spendable,
	unspendable
});

export const balancesJson = (balances: { [ticker: string]: Balance }): JsonValue =>
	Object.fromEntries(
		Object.entries(balances).map(([ticker, balance]) => [ticker, balanceJson(balance)])
	);
