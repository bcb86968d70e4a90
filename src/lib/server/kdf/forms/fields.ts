/** Fields of the forms that activate coins, except those of EVM chains: initial and submitted values. Pure. */
import type { Coin } from '../coins/parse.ts';
import type { ElectrumServer } from '../egress/electrumServer.ts';
import type { ActivationMethod } from '../coins/methods.ts';

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

/** Submitted values, kept to show the form again. */
export type Typed = Record<Field, string> & Record<ChoiceField, string[]>;
export type FormErrors = Partial<Record<Field | ChoiceField, string>>;

/** What a form offers, and what the member who fills it in may do. */
export interface Offer {
	coin: Coin;
	method: ActivationMethod;
	/** Servers of the coins file and of the admin's list. */
	servers: readonly ElectrumServer[];
	/** Whether the node accepts servers for WebSockets, as nodes of the interface document do. */
	sockets: boolean;
	/** Whether the member may enter servers and URLs that are in no list. */
	mayName: boolean;
}

/** Default confirmations when the coins file has none (interface document). */
const CONFIRMATIONS = 3;
/** Defaults for merging outputs, as in the example of the interface document. */
const MERGE = { merge_at: '50', check_every: '10', max_merge_at_once: '25' };
/** Defaults for scanning a shielded wallet (release 2.5.1). */
const SCAN = { scan_blocks_per_iteration: '1000', scan_interval_ms: '0', account: '0' };

/** Returns what tells a server from others: one address may serve several protocols. */
export const serverKey = ({ url, protocol }: ElectrumServer): string => `${protocol} ${url}`;

/** Returns the initial fields of a form. */
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

/** Reads the fields of a submitted form; missing ones are empty. */
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
