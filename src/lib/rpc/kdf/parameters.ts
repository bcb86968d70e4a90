/**
 * What each parameter of a trading node's methods means, and whether it may be a secret. Forms and lists of past
 * calls read it.
 */
import { z } from 'zod';
import { kdfDefinition, type KdfDialect, type KdfMethod } from './index.ts';

/** By the parameter's name, where all methods mean the same with it. */
const byName: Readonly<Record<string, string>> = {
	account_id: 'The number of the account, from 0.',
	account_index: 'The number of the account, from 0.',
	activation_params:
		'How the coin is activated: the mode with its servers, confirmations, history.',
	address: 'An address of the coin.',
	address_format: 'How addresses are written: standard, segwit or cashaddress with its network.',
	allow_slp_unsafe_conf: 'Lets bchd_urls be empty. Tokens may then be burned by mistake.',
	base: 'The ticker of one coin of the pair.',
	bchd_urls: 'Servers that check transactions of SLP tokens.',
	chain: 'External for addresses that are given out, Internal for change.',
	check_utxo_maturity: 'Coinbase outputs that are too young count as not spendable.',
	client_id: 'The number of a listener to the node’s events.',
	coin: 'The ticker, as the node’s coins file spells it.',
	config: 'How often the node tells of it.',
	contract_supports_watchers: 'The swap contract lets watchers help.',
	device_pubkey: 'The device that is meant: 40 hex digits. Left out, any.',
	erc20_tokens_requests: 'Tokens to activate with it, each with its ticker.',
	fallback_swap_contract: 'The backup contract for swaps.',
	force_disable: 'Takes the tokens of a platform coin along.',
	forget_if_finished:
		'The node forgets a finished task once it was read. Only false is a mere look; it forgets where nothing is said.',
	from: 'The address as it is written now.',
	from_id: 'The entry after which the page begins.',
	gap_limit: 'How many unused addresses in a row end the search.',
	gas_station_decimals: 'Decimals of the gas station’s answer: with 8, 860 means 86 gwei.',
	gas_station_policy: 'Which figure of the gas station counts.',
	gas_station_url: 'Where the price of gas is asked for. Released nodes ignore it.',
	get_balances: 'Whether balances are asked for and told.',
	limit: 'Entries of a page.',
	max: 'Everything at once.',
	max_connected: 'The most servers that are connected at a time.',
	message: 'The text, exactly: each blank counts.',
	min_addresses_number: 'How many addresses are there at the least.',
	min_connected: 'The fewest servers that must be connected.',
	mm2: '1 where the coin can be swapped, 0 for the wallet only.',
	nft_req: 'Who is asked for NFTs.',
	nodes: 'Nodes of the chain, each with its address (url).',
	optional_namespaces: 'Chains, methods and events that are welcome.',
	page_number: 'The number of the page, from 1.',
	paging_options: 'A page by its number (PageNumber), or what comes after an entry (FromId).',
	path_to_address: 'The address that the coin is activated with: account, side and number.',
	priv_key_policy: 'Whose key signs: the node’s own, a hardware wallet’s or a remote signer’s.',
	protocol: 'A token that the coins file does not know, described by hand.',
	rel: 'The ticker of the other coin of the pair.',
	required_confirmations: 'Confirmations that a swap waits for.',
	required_namespaces: 'Chains, methods and events that the signer must offer.',
	requires_notarization: 'A swap waits for a notarization, too.',
	rpc_mode: 'Default; the other value is for nodes inside a browser.',
	scan: 'Looks for addresses that were used already.',
	scan_policy: 'When addresses that were used already are looked for.',
	servers: 'Electrum servers, each with url (host:port) and protocol.',
	signature: 'As it was given: base64, or 0x and hex for EVM coins.',
	streamer_id: 'The name that the node gave the stream when it began.',
	swap_contract_address: 'The contract for swaps.',
	swap_v2_contracts: 'The contracts of the newer swap protocol.',
	target: 'Whose transactions: of the one address, an account, or an address of a wallet of many.',
	task_id: 'The number that the node gave the task when it began.',
	ticker: 'The ticker, as the node’s coins file spells it.',
	to_address_format: 'The form that is wanted.',
	topic: 'The name of the connection.',
	tx_history: 'The node keeps the history of transactions.',
	urls: 'Addresses of nodes of the chain.',
	user_action:
		'What the device waits for: a PIN by its positions, or a passphrase. It is kept nowhere.',
	utxo_merge_params: 'When many small outputs are made one.',
	with_pairing_topic: 'The topic is that of the pairing.'
};

/** Where a method means something else. */
const byMethod: Readonly<Record<string, string>> = {
	'sign_message address':
		'Wallets of many addresses: derivation_path, or account_id, chain and address_id. Left out, the address that the coin was activated with.',
	'stream::disable client_id': 'The number of the listener that has it.'
};

/** Members that hold what must be kept nowhere, wherever they stand. */
const SECRET =
	/^(?:user_?action|pin|passphrase|pass(?:word|wd)?|userpass|rpc_?pass(?:word)?|mnemonic|seed|seed_?phrase|wif|priv(?:ate)?_?key|secret|token|api_?key)$/i;

/** True for a member whose value is shown and kept nowhere. */
export const isSecretMember = (name: string): boolean => SECRET.test(name);

/** The kinds of values that a form tells apart. */
export type KdfParamKind = 'text' | 'whole' | 'bool' | 'choice' | 'json';

/** One parameter of a method. */
export interface KdfParam {
	name: string;
	kind: KdfParamKind;
	required: boolean;
	/** Of a choice. */
	words: readonly string[];
	description: string;
	/** It may be a password, a PIN or a key. */
	secret: boolean;
}

interface Shape {
	type?: string;
	enum?: readonly unknown[];
	anyOf?: readonly Shape[];
	properties?: Readonly<Record<string, Shape>>;
	required?: readonly string[];
}

function kindOf(shape: Shape): Pick<KdfParam, 'kind' | 'words'> {
	const { type, enum: words, anyOf } = shape;
	if (words !== undefined && words.every((word) => typeof word === 'string')) {
		return { kind: 'choice', words: words as readonly string[] };
	}
	if (anyOf !== undefined) return { kind: 'json', words: [] };
	switch (type) {
		case 'string':
			return { kind: 'text', words: [] };
		case 'integer':
			return { kind: 'whole', words: [] };
		case 'boolean':
			return { kind: 'bool', words: [] };
		default:
			return { kind: 'json', words: [] };
	}
}

const known = new Map<string, readonly KdfParam[]>();

/** The parameters of a method as a node of this dialect takes them, those that it needs first. */
export function kdfParamsOf(method: KdfMethod, dialect: KdfDialect): readonly KdfParam[] {
	const key = `${dialect} ${method}`;
	const before = known.get(key);
	if (before !== undefined) return before;
	const { params } = kdfDefinition(method);
	const shape = z.toJSONSchema(params[dialect], {
		io: 'input',
		target: 'draft-7',
		unrepresentable: 'any'
	}) as Shape;
	const found = Object.entries(shape.properties ?? {}).map(([name, one]) => ({
		name,
		...kindOf(one),
		required: shape.required?.includes(name) ?? false,
		description: byMethod[`${method} ${name}`] ?? byName[name] ?? '',
		secret: isSecretMember(name)
	}));
	const sorted = found.toSorted((a, b) => Number(b.required) - Number(a.required));
	known.set(key, sorted);
	return sorted;
}

/** Whether a call of the method may hold a secret. */
export const mayHoldSecrets = (method: KdfMethod): boolean =>
	kdfParamsOf(method, 'kdf').some(({ secret }) => secret);
