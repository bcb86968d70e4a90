import { hash160 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pkh } from '#lib/chain/script.ts';
import type { CoinEntry } from './coinsFile.ts';
import { decimalOf } from './coins.ts';
import type { ActiveCoin, Balance, HdAddress, HdWallet } from './coins.ts';
import { DaemonClient, DaemonConfigError } from './daemonClient.ts';
import { ElectrumClient, type ElectrumServerSpec } from './electrumClient.ts';
import { utxoAddress, type AddressFormat } from './keys.ts';
import type { Protocol } from './protocol.ts';
import type { UtxoClient } from './utxoClient.ts';

/** Why a coin cannot be created: the request is invalid, or the node reports an internal error. */
export class CoinProblem extends Error {
	override readonly name = 'CoinProblem';
	readonly kind: 'creation' | 'internal';
	/** Source locations for legacy error messages. */
	readonly trace: string;

	constructor(kind: 'creation' | 'internal', message: string, trace: string) {
		super(message);
		this.kind = kind;
		this.trace = trace;
	}
}

export type Mode =
	| {
			rpc: 'Electrum';
			servers: readonly ElectrumServerSpec[];
			least: number | undefined;
			most: number | undefined;
	  }
	/** `options`: names of lines that the daemon's configuration must contain. */
	| { rpc: 'Native'; options?: readonly string[] };

/** Location of a key below a coin's path. */
export interface PathToAddress {
	account_id: number;
	chain: 'External' | 'Internal';
	address_id: number;
}

/** Parameters for activating a UTXO coin, from either protocol version. */
export interface UtxoRequest {
	mode: Mode;
	/** BCH only. */
	bch?: { urls: readonly string[]; allowUnsafe: boolean };
	requiredConfirmations: number | undefined;
	requiresNotarization: boolean | undefined;
	history: boolean;
	format: AddressFormat | undefined;
	path: PathToAddress | undefined;
	scan: 'do_not_scan' | 'scan_if_new_wallet' | 'scan';
	leastAddresses: number | undefined;
	gap: number;
}

export const DEFAULT_GAP = 20;

/** Source of the keys of an activation. */
export interface KeySource {
	readonly isHd: boolean;
	key(path?: string): Uint8Array;
	/** Whether the keys are held by another device or application, so that nothing is signed here. */
	readonly isForeign: boolean;
}

const BUILDER = 'utxo_standard:75] utxo_coin_builder:572] ';
const MATURITY = 100;
const DECIMALS = 8;

function clientOf(entry: CoinEntry, mode: Mode): UtxoClient {
	if (mode.rpc === 'Native') {
		try {
			return new DaemonClient(entry, mode.options);
		} catch (cause) {
			if (!(cause instanceof DaemonConfigError)) throw cause;
			throw new CoinProblem('creation', cause.message, `${BUILDER}utxo_coin_builder:936] `);
		}
	}
	const least = mode.least ?? 1;
	const most = mode.most ?? mode.servers.length;
	if (least === 0) {
		throw new CoinProblem(
			'internal',
			'manager:129] min_connected should be greater than 0',
			BUILDER
		);
	}
	if (least > most) {
		throw new CoinProblem(
			'internal',
			`manager:132] min_connected (${least}) must be <= max_connected (${most})`,
			BUILDER
		);
	}
	return new ElectrumClient(entry.coin, mode.servers, most);
}

const sideNumber = (side: 'External' | 'Internal'): number => (side === 'External' ? 0 : 1);

/** A UTXO coin whose data comes from its servers or daemon. */
export class UtxoCoin implements ActiveCoin {
	readonly ticker: string;
	readonly entry: CoinEntry;
	readonly protocol: string;
	requiredConfirmations: number;
	requiresNotarization: boolean;
	readonly matureConfirmations: number;
	readonly keepsHistory: boolean;
	readonly hd?: HdWallet;
	readonly activatedPath?: string;
	readonly #keys: KeySource;
	readonly #format: AddressFormat | undefined;
	readonly #client: UtxoClient;
	readonly #request: UtxoRequest;

	/** @throws {CoinProblem} */
	constructor(entry: CoinEntry, protocol: Protocol, request: UtxoRequest, keys: KeySource) {
		this.ticker = entry.coin;
		this.entry = entry;
		this.protocol = protocol.type;
		this.#keys = keys;
		this.#request = request;
		this.#format = request.format;
		this.requiredConfirmations = request.requiredConfirmations ?? entry.required_confirmations ?? 1;
		this.requiresNotarization =
			request.requiresNotarization ?? entry.requires_notarization ?? false;
		this.matureConfirmations = entry.mature_confirmations ?? MATURITY;
		this.keepsHistory = request.history;
		if (request.bch && request.bch.urls.length === 0 && !request.bch.allowUnsafe) {
			throw new CoinProblem(
				'creation',
				'Using empty bchd_urls is unsafe for SLP users!',
				'init_bch_activation:72] '
			);
		}
		const { format } = request;
		const known = ['standard', 'segwit', 'cashaddress'];
		if (format && !known.includes(format.format)) {
			throw new CoinProblem('creation', `Unknown address format: ${format.format}`, BUILDER);
		}
		if (format && (format.format === 'segwit') !== (entry.address_format?.format === 'segwit')) {
			throw new CoinProblem(
				'creation',
				'Cannot switch between segwit and non-segwit address formats',
				BUILDER
			);
		}
		if (keys.isHd) {
			const coinPath = entry.derivation_path;
			if (coinPath === undefined) {
				throw new CoinProblem('creation', 'Derivation path is not found in config', BUILDER);
			}
			const { account_id, chain, address_id } = request.path ?? {
				account_id: 0,
				chain: 'External' as const,
				address_id: 0
			};
			this.activatedPath = `${coinPath}/${account_id}'/${sideNumber(chain)}/${address_id}`;
			this.hd = {
				coinPath,
				known: new Map([[account_id, Math.max(request.leastAddresses ?? 1, address_id + 1)]]),
				knownChange: new Map(),
				scan: (account, gap) => this.#scan(coinPath, account, gap ?? request.gap),
				addressAt: (account, side, index) => this.#addressAt(coinPath, account, side, index)
			};
		}
		this.#client = clientOf(entry, request.mode);
	}

	/** Whether its data comes from the coin's own daemon. */
	get isNative(): boolean {
		return this.#request.mode.rpc === 'Native';
	}

	get address(): string | null {
		return this.#keys.isHd ? null : this.addressOf(this.#keys.key());
	}

	key(path?: string): Uint8Array | null {
		return this.#keys.isForeign ? null : this.#keys.key(path ?? this.activatedPath);
	}

	addressOf(key: Uint8Array): string {
		return utxoAddress(this.entry, key, this.#format);
	}

	async balanceOf(key: Uint8Array): Promise<Balance> {
		const satoshi = await this.#client.balance(p2pkh(hash160(publicKeyOf(key))));
		return { spendable: decimalOf(satoshi, DECIMALS), unspendable: '0' };
	}

	async #addressAt(
		coinPath: string,
		account: number,
		chain: 'External' | 'Internal',
		index: number
	): Promise<HdAddress> {
		const path = `${coinPath}/${account}'/${sideNumber(chain)}/${index}`;
		const key = this.#keys.key(path);
		return {
			address: this.addressOf(key),
			derivation_path: path,
			chain,
			balance: { [this.ticker]: await this.balanceOf(key) }
		};
	}

	async #scan(coinPath: string, account: number, gap: number): Promise<number[]> {
		const { known } = this.hd!;
		const from = known.get(account) ?? 0;
		let unused = 0;
		for (let index = 0; unused < gap; index++) {
			const key = this.#keys.key(`${coinPath}/${account}'/0/${index}`);
			const history = await this.#client.history(p2pkh(hash160(publicKeyOf(key))));
			unused = history.length > 0 ? 0 : unused + 1;
			if (history.length === 0 || index < from) continue;
			known.set(account, index + 1);
		}
		const now = known.get(account) ?? 0;
		return Array.from({ length: Math.max(0, now - from) }, (_, n) => from + n);
	}

	/** Searches the activated account for used addresses, unless the request says otherwise. */
	async scan(): Promise<void> {
		const { hd } = this;
		if (!hd || this.#request.scan === 'do_not_scan') return;
		for (const account of hd.known.keys()) await hd.scan(account);
	}

	get client(): UtxoClient {
		return this.#client;
	}

	height(): Promise<number> {
		return this.#client.height();
	}

	close(): void {
		this.#client.close();
	}
}
