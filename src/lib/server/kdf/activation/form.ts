/**
 * What people fill in to activate a coin, read into native parameters. What a request leaves out has another
 * default in each version of the node, so the form fills everything in and sends it. Pure.
 */
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { isEvmAddress } from '#lib/chain/evmAddress.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { ELECTRUM_PROTOCOLS, type ElectrumServer } from '../egress/electrum.ts';
import { readTarget, readUrl, targetText } from '../egress/target.ts';
import type { Coin } from './coins/parse.ts';
import type { ActivationMethod } from './methods.ts';
import type { Plain } from '../client/plain.ts';

/** Every field of every form; a form has some of them. */
const FIELDS = [
	'free_servers',
	'min_connected',
	'max_connected',
	'mm2',
	'required_confirmations',
	'requires_notarization',
	'tx_history',
	'check_utxo_maturity',
	'merge_at',
	'check_every',
	'max_merge_at_once',
	'address_format',
	'key',
	'free_bchd_urls',
	'allow_slp_unsafe_conf',
	'slp_tokens',
	'get_balances',
	'swap_contract_address',
	'fallback_swap_contract',
	'free_light_servers',
	'sync_from',
	'sync_date',
	'sync_height',
	'skip_sync_params',
	'zcash_params_path',
	'scan_blocks_per_iteration',
	'scan_interval_ms',
	'account'
] as const;
export type Field = (typeof FIELDS)[number];
/** Fields with several values: chosen servers as `PROTOCOL host:port`, and chosen URLs. */
export type ChoiceField = 'server' | 'bchd_url' | 'light_server';

/** What was typed, kept for the form to come back with. */
export type Typed = Record<Field, string> & Record<ChoiceField, string[]>;
export type FormErrors = Partial<Record<Field | ChoiceField, string>>;

/** What a form may choose from, and who fills it in. */
export interface Offer {
	coin: Coin;
	method: ActivationMethod;
	/** Servers of the coins file and of the admin's list. */
	servers: readonly ElectrumServer[];
	/** The node takes servers for WebSockets: one of the interface document does. */
	sockets: boolean;
	/** Servers and URLs that are in no list. */
	mayName: boolean;
}

export type FormRead =
	{ ok: true; params: { [name: string]: Plain } } | { ok: false; errors: FormErrors };

/** Confirmations where the coins file says nothing (interface document). */
const CONFIRMATIONS = 3;
/** Merging of outputs as the interface document's example has it. */
const MERGE = { merge_at: '50', check_every: '10', max_merge_at_once: '25' };
const MOST_SERVERS = 64;
/** No chain is as long. */
const MOST_HEIGHT = 999_999_999;
/** How a shielded wallet is read where nothing else is said (release 2.5.1). */
const SCAN = { scan_blocks_per_iteration: '1000', scan_interval_ms: '0', account: '0' };

export const serverKey = ({ url, protocol }: ElectrumServer): string => `${protocol} ${url}`;

/** Ways that fit a coin, the usual one first. */
export function methodsFor(coin: Coin): ActivationMethod[] {
	switch (coin.protocol) {
		case 'UTXO':
			return [
				'task::enable_utxo',
				'electrum',
				'enable',
				...(coin.bchdUrls.length > 0 || isCash(coin) ? ['task::enable_bch' as const] : [])
			];
		case 'BCH':
			return ['task::enable_bch', 'electrum', 'enable'];
		case 'QTUM':
		case 'QRC20':
			return ['electrum', 'enable'];
		case null:
			return ['electrum', 'enable'];
		case 'ETH':
			return ['enable_eth_with_tokens', 'task::enable_eth', 'enable'];
		case 'ERC20':
			return ['enable_erc20', 'enable'];
		case 'NFT':
			return ['enable_nft'];
		case 'ZHTLC':
			return ['task::enable_z_coin'];
		default:
			return [];
	}
}

/** Bitcoin Cash, also where today's coins files describe it as an ordinary coin. */
const isCash = ({ addressFormat }: Coin): boolean => addressFormat?.format === 'cashaddress';

/** Coins whose swaps stand in contracts, although Electrum servers tell of them. */
export const hasContracts = ({ protocol }: Coin): boolean =>
	protocol === 'QRC20' || protocol === 'QTUM';

export const usesServers = (method: ActivationMethod): boolean =>
	method === 'electrum' ||
	method === 'task::enable_utxo' ||
	method === 'task::enable_bch' ||
	isShielded(method);

/** Also reads the chain through lightwalletd servers. */
export const isShielded = (method: ActivationMethod): boolean => method === 'task::enable_z_coin';

/** What a fresh form holds. */
export function initialFields({
	coin,
	method,
	servers
}: Pick<Offer, 'coin' | 'method' | 'servers'>): Typed {
	return {
		server: servers.map(serverKey),
		bchd_url: [...coin.bchdUrls],
		light_server: [...coin.lightServers],
		free_servers: '',
		min_connected: '1',
		max_connected: '',
		mm2: coin.mm2 === null ? '' : String(coin.mm2),
		required_confirmations: String(coin.requiredConfirmations ?? CONFIRMATIONS),
		requires_notarization:
			(coin.requiresNotarization ?? method === 'task::enable_bch') ? 'yes' : 'no',
		tx_history: '',
		check_utxo_maturity: '',
		...(method === 'task::enable_bch'
			? MERGE
			: { merge_at: '', check_every: '', max_merge_at_once: '' }),
		address_format: coin.addressFormat?.format ?? 'standard',
		key: 'node',
		free_bchd_urls: '',
		allow_slp_unsafe_conf: '',
		slp_tokens: '',
		get_balances: 'yes',
		swap_contract_address: coin.swapContract ?? '',
		fallback_swap_contract: coin.fallbackContract ?? '',
		free_light_servers: '',
		sync_from: '',
		sync_date: '',
		sync_height: '',
		skip_sync_params: '',
		zcash_params_path: '',
		...SCAN
	};
}

/** The members of a posted form; what is not there is empty. */
export function typedOf(form: {
	get(name: string): unknown;
	getAll(name: string): unknown[];
}): Typed {
	const one = (name: Field): [Field, string] => [name, String(form.get(name) ?? '')];
	return {
		...(Object.fromEntries(FIELDS.map(one)) as Record<Field, string>),
		server: form.getAll('server').map(String),
		bchd_url: form.getAll('bchd_url').map(String),
		light_server: form.getAll('light_server').map(String)
	};
}

const linesOf = (text: string): string[] =>
	text
		.split(/[\n,]/)
		.map((line) => line.trim())
		.filter(Boolean);

/** Collects what is wrong, so that all of it is said at once. */
class Reader {
	readonly #typed: Typed;
	readonly #offer: Offer;
	readonly errors: FormErrors = {};

	constructor(typed: Typed, offer: Offer) {
		this.#typed = typed;
		this.#offer = offer;
	}

	#wrong(field: Field | ChoiceField, words: string): void {
		this.errors[field] ??= words;
	}

	/** A whole number of at least `least`; null where it is empty, and where it is wrong. */
	whole(
		field: Field,
		least: number,
		empty: 'may be empty' | 'needed',
		most = 1_000_000
	): number | null {
		const text = this.#typed[field].trim();
		if (text === '') {
			if (empty === 'needed') this.#wrong(field, faults.wholeFrom(least));
			return null;
		}
		const value = Number(text);
		if (!/^\d{1,9}$/.test(text) || value < least || value > most) {
			this.#wrong(field, faults.wholeFrom(least));
			return null;
		}
		return value;
	}

	/** Chosen and named servers, each once. */
	servers(): ElectrumServer[] {
		const { server, free_servers: named } = this.#typed;
		const known = new Map(this.#offer.servers.map((one) => [serverKey(one), one]));
		const chosen = [...new Set(server)].flatMap((key) => known.get(key) ?? []);
		if (chosen.length < new Set(server).size) {
			this.#wrong('server', faults.notOffered.server);
		}
		const lines = linesOf(named);
		if (lines.length > 0 && !this.#offer.mayName) {
			this.#wrong('free_servers', faults.adminOnly.servers);
			return chosen;
		}
		for (const line of lines) {
			const [address = '', protocolText = 'TCP', ...rest] = line.split(/\s+/);
			const protocol = ELECTRUM_PROTOCOLS.find((one) => one === protocolText.toUpperCase());
			if (protocol === undefined || rest.length > 0) {
				this.#wrong(
					'free_servers',
					faults.line.server(line, this.#offer.sockets ? ['TCP', 'SSL', 'WSS'] : ['TCP', 'SSL'])
				);
				continue;
			}
			if (protocol === 'WS' || (protocol === 'WSS' && !this.#offer.sockets)) {
				this.#wrong('free_servers', faults.line.webSocket(line));
				continue;
			}
			try {
				const one = { url: targetText(readTarget(address)), protocol };
				if (!chosen.some((other) => serverKey(other) === serverKey(one))) chosen.push(one);
			} catch (error) {
				if (!isAppError(error, 'egress')) throw error;
				this.#wrong('free_servers', faults.line.address(line, error.message));
			}
		}
		const wrong = this.errors.free_servers ?? this.errors.server;
		if (chosen.length === 0 && wrong === undefined) {
			this.#wrong('server', faults.needed.server(this.#offer.coin.ticker));
		}
		if (chosen.length > MOST_SERVERS) this.#wrong('server', faults.most.servers(MOST_SERVERS));
		return chosen;
	}

	/** How many connections there shall be; checked against each other and against the servers. */
	connections(servers: readonly ElectrumServer[]): {
		min_connected: number;
		max_connected: number;
	} {
		const most = servers.length;
		const text = this.#typed.min_connected.trim();
		if (text !== '' && Number(text) === 0) {
			this.#wrong('min_connected', faults.connections.none);
		}
		const min = this.whole('min_connected', 1, 'may be empty') ?? 1;
		const max = this.whole('max_connected', 1, 'may be empty') ?? Math.max(most, 1);
		if (this.errors.min_connected === undefined && this.errors.max_connected === undefined) {
			if (min > max && this.#typed.max_connected.trim() !== '') {
				this.#wrong('min_connected', faults.connections.contradict(min, max));
			} else if (min > most && most > 0) {
				this.#wrong('min_connected', faults.connections.tooFew(most, min));
			}
		}
		return { min_connected: min, max_connected: max };
	}

	mm2(): number {
		const text = this.#typed.mm2;
		if (text !== '0' && text !== '1') {
			this.#wrong('mm2', faults.needed.mm2(this.#offer.coin.ticker));
			return 0;
		}
		return Number(text);
	}

	/** Merging of outputs: all three numbers or none. */
	merge(): { [name: string]: Plain } {
		const { merge_at: at, check_every: every, max_merge_at_once: most } = this.#typed;
		if ([at, every, most].every((text) => text.trim() === '')) return {};
		const merge = {
			merge_at: this.whole('merge_at', 2, 'needed') ?? 0,
			check_every: this.whole('check_every', 1, 'needed') ?? 0,
			max_merge_at_once: this.whole('max_merge_at_once', 2, 'needed') ?? 0
		};
		return { utxo_merge_params: merge };
	}

	address(): { [name: string]: Plain } {
		const format = this.#typed.address_format;
		if (!['standard', 'segwit', 'cashaddress'].includes(format)) {
			this.#wrong('address_format', faults.notOffered.format);
			return {};
		}
		const own = this.#offer.coin.addressFormat;
		if (format === 'standard' && own === null) return {};
		const network = format === 'cashaddress' ? (own?.network ?? 'bitcoincash') : undefined;
		return { address_format: { format, ...(network === undefined ? {} : { network }) } };
	}

	/** Contracts of swaps: QRC20 tokens only, which need the first of them. */
	contracts(): { [name: string]: Plain } {
		if (!hasContracts(this.#offer.coin)) return {};
		const contract = (name: 'swap_contract_address' | 'fallback_swap_contract') => {
			const text = this.#typed[name].trim();
			if (text === '') return {};
			if (!isEvmAddress(text)) {
				this.#wrong(name, faults.contract.form);
			}
			return { [name]: text };
		};
		return { ...contract('swap_contract_address'), ...contract('fallback_swap_contract') };
	}

	key(): { [name: string]: Plain } {
		switch (this.#typed.key) {
			case '':
			case 'node':
				return {};
			case 'hardware':
				return { priv_key_policy: { type: 'HardwareWallet' } };
			default:
				this.#wrong('key', faults.notOffered.key);
				return {};
		}
	}

	/** gRPC servers that check SLP tokens. */
	bchd(): { [name: string]: Plain } {
		const { bchd_url: chosen, free_bchd_urls: named, allow_slp_unsafe_conf: unsafe } = this.#typed;
		const known = chosen.filter((url) => this.#offer.coin.bchdUrls.includes(url));
		const lines = linesOf(named);
		if (lines.length > 0 && !this.#offer.mayName) {
			this.#wrong('free_bchd_urls', faults.adminOnly.servers);
		}
		for (const line of lines) {
			try {
				readUrl(line, ['https', 'http']);
			} catch (error) {
				if (!isAppError(error, 'egress')) throw error;
				this.#wrong('free_bchd_urls', faults.line.address(line, error.message));
			}
		}
		const urls = [...new Set([...known, ...lines])];
		if (urls.length === 0 && unsafe !== 'yes') {
			this.#wrong('allow_slp_unsafe_conf', faults.needed.bchd);
		}
		return { bchd_urls: urls, allow_slp_unsafe_conf: unsafe === 'yes' };
	}

	/** Chosen and named lightwalletd servers, each once. */
	lightServers(): string[] {
		const { light_server: chosen, free_light_servers: named } = this.#typed;
		const { coin, mayName } = this.#offer;
		const known = [...new Set(chosen)].filter((url) => coin.lightServers.includes(url));
		if (known.length < new Set(chosen).size) {
			this.#wrong('light_server', faults.notOffered.server);
		}
		const lines = linesOf(named);
		if (lines.length > 0 && !mayName) {
			this.#wrong('free_light_servers', faults.adminOnly.servers);
			return known;
		}
		for (const line of lines) {
			try {
				readUrl(line, ['https', 'http']);
			} catch (error) {
				if (!isAppError(error, 'egress')) throw error;
				this.#wrong('free_light_servers', faults.line.address(line, error.message));
			}
		}
		const urls = [...new Set([...known, ...lines])];
		const wrong = this.errors.free_light_servers ?? this.errors.light_server;
		if (urls.length === 0 && wrong === undefined) {
			this.#wrong('light_server', faults.needed.lightServer(coin.ticker));
		}
		if (urls.length > MOST_SERVERS) {
			this.#wrong('light_server', faults.most.servers(MOST_SERVERS));
		}
		return urls;
	}

	/** Where a shielded wallet begins to read the chain; nothing where the node decides. */
	syncStart(): { [name: string]: Plain } {
		const resumes = { skip_sync_params: this.#typed.skip_sync_params === 'yes' };
		switch (this.#typed.sync_from) {
			case '':
				return resumes;
			case 'earliest':
				return { ...resumes, sync_params: 'earliest' };
			case 'height': {
				const height = this.whole('sync_height', 0, 'needed', MOST_HEIGHT) ?? 0;
				return { ...resumes, sync_params: { height } };
			}
			case 'date': {
				const text = this.#typed.sync_date.trim();
				const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
				if (Number.isNaN(ms) || ms < 0) this.#wrong('sync_date', faults.date);
				return { ...resumes, sync_params: { date: ms / 1_000 } };
			}
			default:
				this.#wrong('sync_from', faults.notOffered.start);
				return {};
		}
	}

	/** Where the node's disk has the proving keys, and how it reads. */
	scan(): { [name: string]: Plain } {
		const path = this.#typed.zcash_params_path.trim();
		if (path !== '' && !this.#offer.mayName) {
			this.#wrong('zcash_params_path', faults.adminOnly.path);
		}
		return {
			...(path === '' ? {} : { zcash_params_path: path }),
			scan_blocks_per_iteration: this.whole('scan_blocks_per_iteration', 1, 'needed') ?? 0,
			scan_interval_ms: this.whole('scan_interval_ms', 0, 'needed') ?? 0,
			account: this.whole('account', 0, 'needed') ?? 0
		};
	}

	tokens(): { [name: string]: Plain } {
		const requests: Plain[] = [];
		for (const line of linesOf(this.#typed.slp_tokens)) {
			const match = /^(\S{1,64})(?:\s+(\d{1,6}))?$/.exec(line);
			if (!match) {
				this.#wrong('slp_tokens', faults.line.slpToken(line));
				continue;
			}
			requests.push({
				ticker: match[1]!,
				...(match[2] === undefined ? {} : { required_confirmations: Number(match[2]) })
			});
		}
		return { slp_tokens_requests: requests };
	}

	confirmations(): { [name: string]: Plain } {
		return {
			required_confirmations: this.whole('required_confirmations', 0, 'needed') ?? 0,
			requires_notarization: this.#typed.requires_notarization === 'yes'
		};
	}

	flags(...names: readonly ('tx_history' | 'check_utxo_maturity' | 'get_balances')[]): {
		[name: string]: Plain;
	} {
		return Object.fromEntries(names.map((name) => [name, this.#typed[name] === 'yes']));
	}
}

/** The servers of a form alone, to be tested; the rest of it need not be right yet. */
export function chosenServers(
	typed: Typed,
	offer: Offer
): { servers: ElectrumServer[]; lightServers: string[]; errors: FormErrors } {
	const reader = new Reader(typed, offer);
	const servers = reader.servers();
	const lightServers = isShielded(offer.method) ? reader.lightServers() : [];
	return { servers, lightServers, errors: reader.errors };
}

/** Reads a form. All that is wrong is said at once, each at its field. */
export function readForm(typed: Typed, offer: Offer): FormRead {
	const reader = new Reader(typed, offer);
	const { ticker } = offer.coin;
	const params = paramsOf(reader, ticker, offer.method);
	return Object.keys(reader.errors).length === 0
		? { ok: true, params }
		: { ok: false, errors: reader.errors };
}

function paramsOf(
	reader: Reader,
	ticker: string,
	method: ActivationMethod
): { [name: string]: Plain } {
	if (method === 'enable') {
		return {
			coin: ticker,
			mm2: reader.mm2(),
			...reader.confirmations(),
			...reader.contracts(),
			...reader.flags('tx_history')
		};
	}
	if (method === 'task::init_trezor') return {};
	const servers = reader.servers();
	const limits = reader.connections(servers);
	const list = servers as unknown as Plain;
	if (method === 'electrum') {
		return {
			coin: ticker,
			servers: list,
			...limits,
			mm2: reader.mm2(),
			...reader.confirmations(),
			...reader.flags('tx_history', 'check_utxo_maturity'),
			...reader.merge(),
			...reader.address(),
			...reader.contracts()
		};
	}
	if (isShielded(method)) {
		const data = { electrum_servers: list, light_wallet_d_servers: reader.lightServers() };
		return {
			ticker,
			activation_params: {
				mode: { rpc: 'Light', rpc_data: { ...data, ...limits, ...reader.syncStart() } },
				...reader.confirmations(),
				...reader.scan()
			}
		};
	}
	return {
		ticker,
		activation_params: {
			mode: { rpc: 'Electrum', rpc_data: { servers: list, ...limits } },
			...reader.confirmations(),
			...reader.flags('tx_history', 'check_utxo_maturity'),
			...reader.merge(),
			...reader.address(),
			...reader.key(),
			...(method === 'task::enable_bch'
				? { ...reader.bchd(), ...reader.tokens(), ...reader.flags('get_balances') }
				: {})
		}
	};
}
