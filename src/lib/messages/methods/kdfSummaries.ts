/** Short descriptions of the trading node methods. */
import type { forbiddenMethods } from '#lib/rpc/kdf/forbidden.ts';
import type { KdfMethod, TaskFamily } from '#lib/rpc/kdf/index.ts';

const TASKS = {
	enable_utxo: 'activate a UTXO coin',
	enable_bch: 'activate a coin of the BCH protocol',
	enable_qtum: 'activate a coin of the QTUM protocol',
	enable_eth: 'activate a platform coin with tokens',
	enable_erc20: 'activate one token',
	enable_z_coin: 'activate a shielded coin',
	init_trezor: 'connect a hardware wallet',
	account_balance: 'ask for the balances of one account',
	create_new_account: 'add an account to a wallet of many addresses',
	get_new_address: 'add an address to an account',
	scan_for_new_addresses: 'find used addresses of an account'
} as const satisfies Record<TaskFamily, string>;

const STEPS: Readonly<Record<string, string>> = {
	init: 'Start a task',
	status: 'Status of a task',
	user_action: 'Send a PIN or passphrase to a task',
	cancel: 'Cancel a task'
};

const SINGLE = {
	enable_eth_with_tokens: 'Activate a platform coin together with tokens of its chain',
	enable_erc20: 'Activate one token of an active platform coin',
	enable_nft: 'Activate the NFTs of an active platform coin',
	electrum: 'Activate a UTXO coin or QRC20 token through Electrum servers',
	enable: 'Activate a coin through its own daemon, or through node URLs',
	disable_coin: 'Deactivate a coin; its open orders are canceled',
	set_required_confirmations: 'Change how many confirmations swaps of an active coin wait for',
	set_requires_notarization: 'Change whether swaps of an active coin wait for a notarization',
	version: 'Release and build date of the node',
	get_enabled_coins: 'Tickers of the active coins',
	'legacy:get_enabled_coins':
		'Active coins with the address of each; fails for a wallet of many addresses',
	my_balance: 'Balance of an active coin; not for a wallet of many addresses',
	validateaddress: 'Whether an address belongs to an active coin',
	convertaddress: 'Convert an address to another format',
	get_my_address: 'Address of an EVM coin, active or not',
	get_wallet_names: 'Names of the wallets on the node',
	account_balance: 'Addresses and balances of one account of a wallet of many addresses',
	get_new_address: 'Add an address to an account of a wallet of many addresses',
	get_public_key: 'Public key of the node',
	get_public_key_hash: 'Hash of the node’s public key',
	my_tx_history: 'Transactions of a UTXO coin that was activated with its history',
	'legacy:my_tx_history':
		'Transactions of an EVM coin that was activated by enable with its history',
	sign_message: 'Sign a message with the key of an active coin’s address',
	verify_message: 'Verify the signature of a message',
	wc_new_connection: 'Request a connection to a remote signer; its app scans the answer',
	wc_get_sessions: 'Connections to remote signers',
	wc_get_session: 'A connection to a remote signer',
	wc_delete_session: 'End a connection to a remote signer',
	wc_ping_session: 'Check whether a remote signer responds',
	trezor_connection_status: 'Whether the hardware wallet is connected',
	'stream::balance::enable': 'Stream balance changes of a coin to a listener',
	'stream::tx_history::enable': 'Stream new transactions of a coin to a listener',
	'stream::fee_estimator::enable': 'Stream fee estimates of an EVM chain to a listener',
	'stream::heartbeat::enable': 'Stream a heartbeat to a listener',
	'stream::network::enable': 'Stream the node’s peers to a listener',
	'stream::swap_status::enable': 'Stream swap changes to a listener',
	'stream::order_status::enable': 'Stream order changes to a listener',
	'stream::orderbook::enable': 'Stream order book changes of a pair to a listener',
	'stream::disable': 'End a stream of events'
} as const satisfies Record<
	Exclude<KdfMethod, `task::${string}` | keyof typeof forbiddenMethods>,
	string
>;

const FORBIDDEN = 'Reveals secrets, moves funds or stops the node: never forwarded';

const isSingle = (method: string): method is keyof typeof SINGLE => Object.hasOwn(SINGLE, method);
const isFamily = (name: string): name is TaskFamily => Object.hasOwn(TASKS, name);

/** Returns the short description of a method. */
export function kdfSummary(method: KdfMethod): string {
	if (isSingle(method)) return SINGLE[method];
	const [, family = '', step = ''] = method.split('::');
	return isFamily(family) ? `${STEPS[step] ?? ''}: ${TASKS[family]}` : FORBIDDEN;
}
