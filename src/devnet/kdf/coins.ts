import type { JsonValue } from '#lib/rpc/json.ts';
import type { CoinEntry } from './coinsFile.ts';

/** What a coin has, as decimal text without needless zeros. */
export interface Balance {
	spendable: string;
	unspendable: string;
}

/** Decimal text of a whole number of smallest units: 762000000 with 8 decimals is `7.62`. */
export function decimalOf(units: bigint, decimals: number): string {
	const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
	const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
	const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
	return `${units < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** A coin or token that was activated. */
export interface ActiveCoin {
	readonly ticker: string;
	readonly entry: CoinEntry;
	/** The protocol of its entry. */
	readonly protocol: string;
	/** The coin that a token lives on. */
	readonly platform?: string;
	requiredConfirmations: number;
	requiresNotarization: boolean;
	/** Undefined for coins whose outputs do not mature. */
	readonly matureConfirmations?: number;
	/** Null in a wallet of many addresses. */
	readonly address: string | null;
	/** Private key at a path of the coin, or the one it was activated with; null when another device has it. */
	key(path?: string): Uint8Array | null;
	/** The path of the key it was activated with; undefined in a wallet of one address. */
	readonly activatedPath?: string;
	/** The address of a key. */
	addressOf(key: Uint8Array): string;
	/** Of an address by its key. */
	balanceOf(key: Uint8Array): Promise<Balance>;
	height(): Promise<number>;
	close(): void;
	/** Whether its history is kept. */
	readonly keepsHistory: boolean;
	/** Further parts of wallets of many addresses. */
	readonly hd?: HdWallet;
}

/** Accounts of a coin in a wallet of many addresses. */
export interface HdWallet {
	/** `m/44'/141'`. */
	readonly coinPath: string;
	/** How many external addresses of each account are known. */
	readonly known: Map<number, number>;
	/** The same of its addresses for change. */
	readonly knownChange: Map<number, number>;
	/** Finds used addresses of an account behind the known ones; the numbers of the new ones. */
	scan(account: number, gap?: number): Promise<number[]>;
	/** Address and balances of a number on a side of an account. */
	addressAt(account: number, side: 'External' | 'Internal', index: number): Promise<HdAddress>;
}

export interface HdAddress {
	address: string;
	derivation_path: string;
	chain: 'External' | 'Internal';
	balance: { [ticker: string]: Balance };
}

/** The coins of a node, by ticker. */
export class ActiveCoins {
	readonly #coins = new Map<string, ActiveCoin>();
	readonly #passive = new Set<string>();

	/** Active or passive. */
	has(ticker: string): boolean {
		return this.#coins.has(ticker);
	}

	/** An active coin; a passive one is found by nobody. */
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

	/** Registers a coin; a passive one of the same ticker is replaced. */
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

/** A balance as JSON. */
export const balanceJson = ({ spendable, unspendable }: Balance): JsonValue => ({
	spendable,
	unspendable
});

export const balancesJson = (balances: { [ticker: string]: Balance }): JsonValue =>
	Object.fromEntries(
		Object.entries(balances).map(([ticker, balance]) => [ticker, balanceJson(balance)])
	);
