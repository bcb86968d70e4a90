/** Descriptions of the parameters of trading node methods. */
import type { KdfMethod } from '#lib/rpc/kdf/index.ts';

/** By name, when the parameter means the same in all methods. */
const byName: Readonly<Record<string, string>> = {
	account_id: 'The number of the account, from 0.',
	account_index: 'The number of the account, from 0.',
	activation_params: 'How to activate the coin: mode with servers, confirmations, history.',
	address: 'An address of the coin.',
	address_format: 'The address format: standard, segwit or cashaddress with its network.',
	allow_slp_unsafe_conf: 'Allow bchd_urls to be empty. Tokens may then be burned by mistake.',
	base: 'The ticker of one coin of the pair.',
	bchd_urls: 'Servers that check transactions of SLP tokens.',
	chain: 'External for receiving addresses, Internal for change.',
	check_utxo_maturity: 'Treat immature coinbase outputs as not spendable.',
	client_id: 'The number of a listener to the node’s events.',
	coin: 'The ticker as spelled in the node’s coins file.',
	confirmations: 'Confirmations that a swap waits for, until the coin is disabled.',
	config: 'How often the node sends updates.',
	contract_supports_watchers: 'The swap contract lets watchers help.',
	device_pubkey: 'The device to use: 40 hex digits. Default: any.',
	erc20_tokens_requests: 'Tokens to activate as well, each with its ticker.',
	fallback_swap_contract: 'The backup contract for swaps.',
	force_disable: 'Also disable the tokens of a platform coin.',
	forget_if_finished: 'Whether the node forgets a finished task after this call. Default: true.',
	from: 'The address in its current format.',
	from_id: 'The entry after which the page begins.',
	gap_limit: 'How many unused addresses in a row end the search.',
	gas_station_decimals: 'Decimals of the gas station’s answer: with 8, 860 means 86 gwei.',
	gas_station_policy: 'Which value of the gas station to use.',
	gas_station_url: 'Where to read the gas price. Released nodes ignore it.',
	get_balances: 'Whether to return balances.',
	limit: 'Entries per page.',
	max: 'Return everything at once.',
	max_connected: 'Maximum number of connected servers.',
	message: 'The message exactly; each space counts.',
	min_addresses_number: 'Minimum number of addresses.',
	min_connected: 'Minimum number of connected servers.',
	mm2: '1 if the coin can be swapped, 0 for the wallet only.',
	nft_req: 'Which service to ask for NFTs.',
	nodes: 'RPC endpoints of the chain, each with its URL (url).',
	optional_namespaces: 'Optional chains, methods and events.',
	page_number: 'The page number, from 1.',
	paging_options: 'A page by number (PageNumber), or the entries after an entry (FromId).',
	path_to_address: 'The address to activate the coin with: account, chain and number.',
	priv_key_policy: 'Which key signs: the node’s own, a hardware wallet’s or a remote signer’s.',
	protocol: 'A custom token that is not in the coins file.',
	rel: 'The ticker of the other coin of the pair.',
	required_confirmations: 'Confirmations that a swap waits for.',
	required_namespaces: 'Chains, methods and events that the signer must support.',
	requires_notarization: 'A swap also waits for a notarization.',
	rpc_mode: 'Default; the other value is for nodes in a browser.',
	scan: 'Look for used addresses.',
	scan_policy: 'When to look for used addresses.',
	servers: 'Electrum servers, each with url (host:port) and protocol.',
	signature: 'The signature: base64, or 0x and hex for EVM coins.',
	streamer_id: 'The name that the node returned when the stream started.',
	swap_contract_address: 'The contract for swaps.',
	swap_v2_contracts: 'The contracts of the newer swap protocol.',
	target: 'Whose transactions: the single address, an account, or an address of a wallet of many.',
	task_id: 'The number that the node returned when the task started.',
	ticker: 'The ticker as spelled in the node’s coins file.',
	to_address_format: 'The new format.',
	topic: 'The topic of the connection.',
	tx_history: 'Keep the transaction history.',
	urls: 'Addresses of nodes of the chain.',
	user_action: 'What the device asks for: a PIN by positions, or a passphrase. It is not stored.',
	utxo_merge_params: 'When to consolidate UTXOs.',
	with_pairing_topic: 'Whether the topic is that of the pairing.'
};

/** By method, when the meaning differs. */
const byMethod: Readonly<Partial<Record<KdfMethod, Readonly<Record<string, string>>>>> = {
	sign_message: {
		address:
			'For wallets of many addresses: derivation_path, or account_id, chain and address_id. Default: the address that the coin was activated with.'
	},
	'stream::disable': { client_id: 'The number of the listener.' }
};

/** Returns the description of a parameter; empty when there is none. */
export const kdfParamMessage = (method: KdfMethod, name: string): string =>
	byMethod[method]?.[name] ?? (Object.hasOwn(byName, name) ? (byName[name] ?? '') : '');
