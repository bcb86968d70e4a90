/**
 * Converts the form that activates a coin, token or NFTs of an EVM chain to native parameters. As for other
 * coins every parameter is sent, because versions differ in their defaults. Pure.
 */
import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { confirmationsOf, type TokenField } from '#lib/text/tokenFields.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { readUrl, type UrlScheme } from '../egress/target.ts';
import type { Coin, EvmNode } from './coins/parse.ts';
import { contractFault } from './form/contract.ts';
import type { ActivationMethod } from './methods.ts';
import type { Plain } from '../client/plain.ts';

const EVM_FIELDS = [
	'free_nodes',
	'swap_contract_address',
	'fallback_swap_contract',
	'maker_swap_v2_contract',
	'taker_swap_v2_contract',
	'nft_maker_swap_v2_contract',
	'token_confirmations',
	'gas_station_url',
	'gas_station_decimals',
	'gas_station_policy',
	'get_balances',
	'mm2',
	'nft_url',
	'key',
	'session',
	'account_id',
	'chain',
	'address_id',
	'required_confirmations',
	'requires_notarization',
	'rpc_mode',
	'tx_history'
] as const;
export type EvmField = (typeof EVM_FIELDS)[number];
/** Fields with several values: addresses of nodes, and tickers of tokens. */
export type EvmChoice = 'node' | 'token';
export type EvmTyped = Record<EvmField, string> &
	Record<EvmChoice, string[]> & { [name: TokenField]: string | undefined };
export type EvmErrors = Partial<Record<EvmField | EvmChoice | TokenField, string>>;

/** What a form offers, and what the member who fills it in may do. */
export interface EvmOffer {
	coin: Coin;
	method: ActivationMethod;
	/** Tokens of this platform in the coins file. */
	tokens: readonly Coin[];
	/** Topics of the sessions with remote signers; null when the node does not report them now. */
	sessions: readonly string[] | null;
	/** Whether the member may enter addresses that are in no list, and use remote signers. */
	mayName: boolean;
}

type EvmRead = { ok: true; params: { [name: string]: Plain } } | { ok: false; errors: EvmErrors };

/**
 * Defaults of the interface document: confirmations when the coins file has none, and decimals of a gas station.
 */
const CONFIRMATIONS = 3;
const GAS_STATION_DECIMALS = '8';
const MOST_NODES = 32;
const MOST_TOKENS = 200;

/** Whether a coin is activated with the form of EVM chains: a platform, a token or NFTs. */
export const takesEvmForm = ({ protocol }: Coin): boolean =>
	protocol === 'ETH' || protocol === 'ERC20' || protocol === 'NFT';

/** Returns the platform of a token or of NFTs; null for other coins. */
export function platformOf({ protocolData }: Coin): string | null {
	if (typeof protocolData !== 'object' || protocolData === null) return null;
	const { platform } = protocolData as { platform?: unknown };
	return typeof platform === 'string' ? platform : null;
}

/** Whether a method activates a platform together with its tokens. */
export const isPlatformMethod = (method: ActivationMethod): boolean =>
	method === 'enable_eth_with_tokens' || method === 'task::enable_eth';

/** Returns the initial fields of a form. A token has the confirmations of the coins file. */
export function initialEvm({
	coin,
	method,
	tokens
}: Pick<EvmOffer, 'coin' | 'method' | 'tokens'>): EvmTyped {
	const own = tokens.map(({ ticker, requiredConfirmations: confirmations }) => [
		confirmationsOf(ticker),
		confirmations === null ? '' : String(confirmations)
	]);
	return {
		...(Object.fromEntries(own) as Record<TokenField, string>),
		node: coin.nodes.map(({ url }) => url),
		token: [],
		free_nodes: '',
		swap_contract_address: coin.swapContract ?? '',
		fallback_swap_contract: coin.fallbackContract ?? coin.swapContract ?? '',
		maker_swap_v2_contract: '',
		taker_swap_v2_contract: '',
		nft_maker_swap_v2_contract: '',
		token_confirmations: String(CONFIRMATIONS),
		gas_station_url: '',
		gas_station_decimals: GAS_STATION_DECIMALS,
		gas_station_policy: 'MeanAverageFast',
		get_balances: 'yes',
		mm2: coin.mm2 === null ? (method === 'enable' ? '' : '1') : String(coin.mm2),
		nft_url: '',
		key: 'node',
		session: '',
		account_id: '',
		chain: '',
		address_id: '',
		required_confirmations: String(coin.requiredConfirmations ?? CONFIRMATIONS),
		requires_notarization: (coin.requiresNotarization ?? false) ? 'yes' : 'no',
		rpc_mode: 'Default',
		tx_history: ''
	};
}

/** Reads the fields of a submitted form; missing ones are empty. */
export function evmTypedOf(form: {
	get(name: string): unknown;
	getAll(name: string): unknown[];
	keys(): Iterable<string>;
}): EvmTyped {
	const one = (name: string): [string, string] => [name, String(form.get(name) ?? '')];
	const ofTokens = [...form.keys()].filter((name) => name.startsWith(confirmationsOf('')));
	return {
		...(Object.fromEntries(ofTokens.map(one)) as Record<TokenField, string>),
		...(Object.fromEntries(EVM_FIELDS.map(one)) as Record<EvmField, string>),
		node: form.getAll('node').map(String),
		token: form.getAll('token').map(String)
	};
}

/** Reads fields and collects all errors, so that they are shown together. */
class Reader {
	readonly #typed: EvmTyped;
	readonly #offer: EvmOffer;
	readonly errors: EvmErrors = {};

	constructor(typed: EvmTyped, offer: EvmOffer) {
		this.#typed = typed;
		this.#offer = offer;
	}

	#wrong(field: EvmField | EvmChoice | TokenField, words: string): void {
		this.errors[field] ??= words;
	}

	#text(field: EvmField | TokenField): string {
		return bareText(this.#typed[field] ?? '');
	}

	whole(
		field: EvmField | TokenField,
		empty: 'may be empty' | 'needed',
		most = 1_000_000
	): number | null {
		const text = this.#text(field);
		if (text === '' && empty === 'may be empty') return null;
		const value = Number(text);
		if (/^\d{1,9}$/.test(text) && value <= most) return value;
		this.#wrong(field, faults.wholeTo(most));
		return null;
	}

	/** Reads an address with one of these schemes that this server would connect to. */
	#address(field: EvmField, text: string, schemes: readonly UrlScheme[]): string | null {
		try {
			readUrl(text, schemes);
			return text;
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			this.#wrong(field, faults.line.address(text, error.message));
			return null;
		}
	}

	/** Returns the chosen and the entered nodes, each once. */
	nodes(): EvmNode[] {
		const { node: chosen } = this.#typed;
		const { coin, mayName } = this.#offer;
		const known = new Map(coin.nodes.map((one) => [one.url, one]));
		const nodes = [...new Set(chosen)].flatMap((url) => known.get(url) ?? []);
		if (nodes.length < new Set(chosen).size) {
			this.#wrong('node', faults.notOffered.node);
		}
		const lines = this.#typed.free_nodes.split('\n').map(bareText).filter(Boolean);
		if (lines.length > 0 && !mayName) {
			this.#wrong('free_nodes', faults.adminOnly.nodes);
			return nodes;
		}
		for (const line of lines) {
			const [url = '', socket, ...rest] = line.split(/\s+/);
			if (rest.length > 0) {
				this.#wrong('free_nodes', faults.line.node(line));
				continue;
			}
			if (this.#address('free_nodes', url, ['https', 'http']) === null) continue;
			if (socket !== undefined && this.#address('free_nodes', socket, ['wss', 'ws']) === null) {
				continue;
			}
			if (!nodes.some((one) => one.url === url)) {
				nodes.push({ url, ...(socket === undefined ? {} : { ws_url: socket }) });
			}
		}
		if (nodes.length === 0 && this.errors.free_nodes === undefined) {
			this.#wrong('node', faults.needed.node(coin.ticker));
		}
		if (nodes.length > MOST_NODES) this.#wrong('node', faults.most.nodes(MOST_NODES));
		return nodes;
	}

	#contract(field: EvmField): string | null {
		const text = this.#text(field);
		if (text === '') {
			this.#wrong(field, faults.needed.contract);
			return null;
		}
		const fault = contractFault(text, this.#offer);
		if (fault === null) return text;
		this.#wrong(field, fault);
		return null;
	}

	/** Swap contracts. */
	contracts(): { [name: string]: Plain } {
		return {
			swap_contract_address: this.#contract('swap_contract_address'),
			fallback_swap_contract: this.#contract('fallback_swap_contract')
		};
	}

	/** Contracts of the second swap protocol: all or none. */
	secondContracts(): { [name: string]: Plain } {
		const second = [
			'maker_swap_v2_contract',
			'taker_swap_v2_contract',
			'nft_maker_swap_v2_contract'
		] as const;
		const some = second.some((name) => this.#text(name) !== '');
		if (!some) return {};
		return {
			swap_v2_contracts: Object.fromEntries(second.map((name) => [name, this.#contract(name)]))
		};
	}

	tokens(): Plain[] {
		const known = new Set(this.#offer.tokens.map(({ ticker }) => ticker));
		const chosen = [...new Set(this.#typed.token)];
		if (chosen.some((ticker) => !known.has(ticker))) {
			this.#wrong('token', faults.notOffered.token);
		}
		if (chosen.length > MOST_TOKENS) {
			this.#wrong('token', faults.most.tokens(MOST_TOKENS));
		}
		const ofAll = this.whole('token_confirmations', 'may be empty');
		return chosen.map((ticker) => {
			const confirmations = this.whole(confirmationsOf(ticker), 'may be empty') ?? ofAll;
			return {
				ticker,
				...(confirmations === null ? {} : { required_confirmations: confirmations })
			};
		});
	}

	/**
	 * The gas station, which is queried for the gas price. Its address is entered freely, so only by an admin.
	 */
	gasStation(): { [name: string]: Plain } {
		const url = this.#text('gas_station_url');
		if (url === '') return {};
		if (!this.#offer.mayName) {
			this.#wrong('gas_station_url', faults.adminOnly.gasStation);
			return {};
		}
		this.#address('gas_station_url', url, ['https', 'http']);
		const policy = this.#typed.gas_station_policy;
		if (policy !== 'MeanAverageFast' && policy !== 'Average') {
			this.#wrong('gas_station_policy', faults.notOffered.one);
		}
		return {
			gas_station_url: url,
			gas_station_decimals: this.whole('gas_station_decimals', 'needed', 18) ?? 8,
			gas_station_policy: { policy }
		};
	}

	/** The provider of NFT data; null for none. */
	nftProvider(needed: boolean): { provider: Plain } | null {
		const url = this.#text('nft_url');
		if (url === '' && !needed) return null;
		if (url === '') {
			this.#wrong('nft_url', faults.needed.nftProvider);
			return null;
		}
		if (!this.#offer.mayName) {
			this.#wrong('nft_url', faults.adminOnly.nftProvider);
			return null;
		}
		this.#address('nft_url', url, ['https', 'http']);
		return { provider: { type: 'NftIndexer', info: { url } } };
	}

	key(): { [name: string]: Plain } {
		switch (this.#typed.key) {
			case '':
			case 'node':
				return { priv_key_policy: { type: 'ContextPrivKey' } };
			case 'hardware':
				return { priv_key_policy: { type: 'HardwareWallet' } };
			case 'remote': {
				const session = this.#text('session');
				if (!this.#offer.mayName) this.#wrong('key', faults.adminOnly.remoteSigner);
				else if (session === '') {
					this.#wrong('session', faults.needed.session);
				} else if (this.#offer.sessions === null) {
					this.#wrong('session', faults.session.unknown);
				} else if (!this.#offer.sessions.includes(session)) {
					this.#wrong('session', faults.session.ended);
				}
				return { priv_key_policy: { type: 'RemoteSigner', session } };
			}
			default:
				this.#wrong('key', faults.notOffered.key);
				return {};
		}
	}

	/** The address in an HD wallet; no parameters when all parts are empty. */
	path(): { [name: string]: Plain } {
		const account = this.whole('account_id', 'may be empty');
		const address = this.whole('address_id', 'may be empty');
		const side = this.#text('chain');
		if (!['', 'External', 'Internal'].includes(side)) this.#wrong('chain', faults.notOffered.chain);
		if (account === null && address === null && side === '') return {};
		return {
			path_to_address: {
				account_id: account ?? 0,
				chain: side === 'Internal' ? 'Internal' : 'External',
				address_id: address ?? 0
			}
		};
	}

	mm2(): number {
		const text = this.#typed.mm2;
		if (text === '0' || text === '1') return Number(text);
		this.#wrong('mm2', faults.needed.mm2(this.#offer.coin.ticker));
		return 0;
	}

	rpcMode(): string {
		const mode = this.#typed.rpc_mode;
		if (mode !== 'Default' && mode !== 'BrowserWallet') {
			this.#wrong('rpc_mode', faults.notOffered.one);
		}
		return mode;
	}

	confirmations(): { required_confirmations: number; requires_notarization: boolean } {
		return {
			required_confirmations: this.whole('required_confirmations', 'needed') ?? 0,
			requires_notarization: this.#typed.requires_notarization === 'yes'
		};
	}

	flag(name: 'get_balances' | 'tx_history'): boolean {
		return this.#typed[name] === 'yes';
	}
}

function paramsOf(reader: Reader, { coin, method }: EvmOffer): { [name: string]: Plain } {
	const { ticker } = coin;
	switch (method) {
		case 'enable_erc20':
		case 'task::enable_erc20': {
			const { required_confirmations } = reader.confirmations();
			return { ticker, activation_params: { required_confirmations } };
		}
		case 'enable_nft':
			return { ticker, activation_params: reader.nftProvider(true) ?? {} };
		case 'enable':
			return {
				coin: ticker,
				urls: reader.nodes().map(({ url }) => url),
				...reader.contracts(),
				...reader.gasStation(),
				mm2: reader.mm2(),
				...reader.confirmations(),
				tx_history: reader.flag('tx_history')
			};
		default: {
			const nfts = reader.nftProvider(false);
			return {
				ticker,
				nodes: reader.nodes() as unknown as Plain,
				...reader.contracts(),
				...reader.secondContracts(),
				erc20_tokens_requests: reader.tokens(),
				...reader.gasStation(),
				get_balances: reader.flag('get_balances'),
				mm2: reader.mm2(),
				...(nfts === null ? {} : { nft_req: nfts }),
				...reader.key(),
				...reader.path(),
				...reader.confirmations(),
				rpc_mode: reader.rpcMode(),
				tx_history: reader.flag('tx_history')
			};
		}
	}
}

/** Reads only the nodes of a form, for a connection test; other fields may still be invalid. */
export function chosenNodes(
	typed: EvmTyped,
	offer: EvmOffer
): { urls: string[]; errors: EvmErrors } {
	const reader = new Reader(typed, offer);
	const urls = reader.nodes().map(({ url }) => url);
	return { urls, errors: reader.errors };
}

/** Reads a form. All errors are returned together, each at its field. */
export function readEvmForm(typed: EvmTyped, offer: EvmOffer): EvmRead {
	const reader = new Reader(typed, offer);
	const params = paramsOf(reader, offer);
	return Object.keys(reader.errors).length === 0
		? { ok: true, params }
		: { ok: false, errors: reader.errors };
}
