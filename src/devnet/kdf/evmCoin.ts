import { evmAddressOf } from '#lib/chain/evmAddress.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import type { CoinEntry } from './coinsFile.ts';
import { decimalOf } from './coins.ts';
import type { ActiveCoin, Balance, HdAddress, HdWallet } from './coins.ts';
import type { EvmClient } from './evmClient.ts';
import { DEFAULT_GAP, type KeySource, type PathToAddress } from './utxo.ts';

const ETHER_DECIMALS = 18;

/** Options for creating an EVM coin. */
export interface EvmCoinOptions {
	entry: CoinEntry;
	protocol: string;
	client: EvmClient;
	keys: KeySource;
	requiredConfirmations: number;
	requiresNotarization?: boolean;
	history: boolean;
	/** Tokens only. */
	token?: { contract: string; decimals: number; platform: string | undefined };
	/** HD wallets only. */
	path?: PathToAddress | undefined;
	leastAddresses?: number | undefined;
	/** Tokens whose balances are listed with the platform's. */
	tokens?: () => readonly EvmCoin[];
}

/** A coin of an EVM chain, or a token on it. */
export class EvmCoin implements ActiveCoin {
	readonly ticker: string;
	readonly entry: CoinEntry;
	readonly protocol: string;
	readonly platform?: string;
	requiredConfirmations: number;
	requiresNotarization: boolean;
	readonly keepsHistory: boolean;
	readonly hd?: HdWallet;
	readonly activatedPath?: string;
	readonly client: EvmClient;
	readonly keys: KeySource;
	readonly token: { contract: string; decimals: number } | undefined;

	constructor(options: EvmCoinOptions) {
		const { entry, keys, token, path } = options;
		this.ticker = entry.coin;
		this.entry = entry;
		this.protocol = options.protocol;
		this.client = options.client;
		this.keys = keys;
		this.token = token;
		if (token?.platform !== undefined) this.platform = token.platform;
		this.requiredConfirmations = options.requiredConfirmations;
		this.requiresNotarization = options.requiresNotarization ?? false;
		this.keepsHistory = options.history;
		if (keys.isHd && entry.derivation_path !== undefined) {
			const coinPath = entry.derivation_path;
			const { account_id, chain, address_id } = path ?? {
				account_id: 0,
				chain: 'External' as const,
				address_id: 0
			};
			this.activatedPath = `${coinPath}/${account_id}'/${chain === 'External' ? 0 : 1}/${address_id}`;
			const tokens = options.tokens ?? (() => []);
			this.hd = {
				coinPath,
				known: new Map([[account_id, Math.max(options.leastAddresses ?? 1, address_id + 1)]]),
				knownChange: new Map(),
				// An address counts as used when it has a balance: nothing is ever spent on this chain.
				scan: (account, gap) => this.#scan(account, gap ?? DEFAULT_GAP),
				addressAt: (account, side, index) => this.#addressAt(account, side, index, tokens())
			};
		}
	}

	get address(): string | null {
		return this.keys.isHd ? null : this.addressOf(this.keys.key());
	}

	key(path?: string): Uint8Array | null {
		return this.keys.isForeign ? null : this.keys.key(path ?? this.activatedPath);
	}

	addressOf(key: Uint8Array): string {
		return evmAddressOf(publicKeyOf(key));
	}

	async balanceOf(key: Uint8Array): Promise<Balance> {
		const address = this.addressOf(key);
		const { token } = this;
		const units = token
			? await this.client.tokenBalance(token.contract, address)
			: await this.client.balance(address);
		return { spendable: decimalOf(units, token?.decimals ?? ETHER_DECIMALS), unspendable: '0' };
	}

	async #scan(account: number, gap: number): Promise<number[]> {
		const { known, coinPath } = this.hd!;
		const from = known.get(account) ?? 0;
		for (let index = from, unused = 0; unused < gap; index++) {
			const key = this.keys.key(`${coinPath}/${account}'/0/${index}`);
			const used = (await this.balanceOf(key)).spendable !== '0';
			unused = used ? 0 : unused + 1;
			if (used) known.set(account, index + 1);
		}
		const now = known.get(account) ?? 0;
		return Array.from({ length: now - from }, (_, n) => from + n);
	}

	async #addressAt(
		account: number,
		chain: 'External' | 'Internal',
		index: number,
		tokens: readonly EvmCoin[]
	): Promise<HdAddress> {
		const path = `${this.entry.derivation_path}/${account}'/${chain === 'External' ? 0 : 1}/${index}`;
		const key = this.keys.key(path);
		const balance: { [ticker: string]: Balance } = { [this.ticker]: await this.balanceOf(key) };
		for (const token of tokens) balance[token.ticker] = await token.balanceOf(key);
		return { address: this.addressOf(key), derivation_path: path, chain, balance };
	}

	height(): Promise<number> {
		return this.client.height();
	}

	close(): void {
		// Nothing to close: each call uses a connection of its own.
	}
}
