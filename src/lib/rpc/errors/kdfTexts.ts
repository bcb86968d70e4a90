/** Refusals that are told by their text: those of the older form, and details inside a type. */
import type { KdfErrorEntry } from './kdfEntry.ts';

/** Failures of a hardware wallet by the node's word for them, in an error of the device or of the coin (KDF 2.5.1). */
const device = (says: RegExp, what: string, next: string): KdfErrorEntry[] =>
	['HwError', 'CoinCreationError'].map((type) => ({ type, says, what, turn: 'caller', next }));

const deviceTexts: readonly KdfErrorEntry[] = [
	...device(
		/No ?Trezor ?Device ?Available|No Trezor/i,
		'No hardware wallet is connected.',
		'Plug the device into the machine of the node, then try again.'
	),
	...device(
		/multiple ?devices/i,
		'More than one hardware wallet is connected.',
		'Leave only the one that is meant plugged in, then try again.'
	),
	...device(
		/unexpected ?device/i,
		'Another hardware wallet is connected than the one that was set up.',
		'Connect the right one, or set this one up first.'
	),
	...device(
		/Invalid ?Pin/i,
		'The device refused the PIN.',
		'Try again: the digits on the device change their places each time.'
	),
	...device(
		/User ?Cancelled/i,
		'The request was declined on the device.',
		'Try again and confirm it on the device.'
	),
	...device(
		/(?<!context is )Not ?Initialized/,
		'The hardware wallet holds no keys yet.',
		'Set the device up first.'
	),
	...device(
		/ProcessError/,
		'The device could not do it.',
		'Unplug the device, plug it in, and try again.'
	),
	...device(/InvalidSignature/, 'The device gave a signature that is wrong.', 'Try again.'),
	...device(
		/PinExpected/,
		'The device wants its PIN.',
		'Try again and give the PIN when it is asked for.'
	)
];

export const kdfTexts: readonly KdfErrorEntry[] = [
	...deviceTexts,
	{
		says: /mm2 param is not set neither in coins config nor enable request/,
		what: 'Neither the node’s coins file nor the request says mm2 for {coin}, so the node takes it for a coin that it does not support.',
		turn: 'caller',
		next: 'Choose a value for mm2: 1 when the coin can be swapped, 0 for the wallet only. If the node does not know the ticker at all, bring its coins file up to date.'
	},
	{
		says: /"protocol" field is missing in coins file/,
		what: 'The node does not know {coin}: its coins file has no usable entry of this ticker.',
		turn: 'operator',
		next: 'Check the spelling, capitals included. A new coin needs a newer coins file at the node and a restart of it.'
	},
	{
		says: /(?:already initialized|is already activated|is activated already)$/,
		what: 'The coin is active already; nothing needed to be done.',
		turn: 'nobody',
		next: 'Use it. To activate it with other servers, an admin disables it first.'
	},
	{
		says: /min_connected should be greater than 0/,
		what: 'The least number of connected servers is 0; it must be at least 1.',
		turn: 'caller',
		next: 'Set min_connected to 1 or more.'
	},
	{
		says: /min_connected \(\d+\) must be <= max_connected \(0\)/,
		what: 'No server was given, so not even one can be connected.',
		turn: 'caller',
		next: 'Name at least one server.'
	},
	{
		says: /min_connected \(\d+\) must be <= max_connected \(\d+\)/,
		what: 'More connections were asked for at the least than at the most.',
		quotes: true,
		turn: 'caller',
		next: 'Set max_connected to at least min_connected.'
	},
	{
		says: /Deactivated coin due to error in balance querying: Err\(TimeoutError/,
		what: 'The node took {coin} back: the servers took too long to give the balance.',
		turn: 'caller',
		next: 'Try again with other servers, or activate it as a task, which waits longer.'
	},
	{
		says: /UnexpectedDerivationMethod|Expected 'SingleAddress' derivation method/,
		what: 'The node’s wallet has many addresses (HD), and this call works for a single address only.',
		turn: 'caller',
		next: 'Activate the coin with its task (task::enable_…) instead.'
	},
	{
		says: /Deactivated coin due to error in balance querying/,
		what: 'The node took {coin} back: it could not read the balance from any of the servers.',
		turn: 'caller',
		next: 'Choose servers that answer, or try again in a moment.'
	},
	{
		says: /All servers errored|All electrum servers are unavailable/i,
		what: 'The node did not reach any server of {coin}.',
		turn: 'caller',
		next: 'Choose servers that answer, or wait for the next try.',
		quotes: true
	},
	{
		says: /Failed to get client version for all (?:urls|nodes)|All \S+ RPC servers unavailable/,
		what: 'None of the coin’s nodes answered.',
		turn: 'caller',
		next: 'Check the addresses of the nodes, or take others.'
	},
	{
		says: /must have at least 1 node(?: URL)?/,
		what: 'No address of a node was given.',
		turn: 'caller',
		next: 'Name at least one node.'
	},
	{
		says: /Failed to get gas price from station/,
		what: 'The gas station did not give a price, so the coin was not activated.',
		turn: 'caller',
		next: 'Check the address of the gas station, or leave it out.'
	},
	{
		says: /Error parsing the native wallet configuration|doesn't have the rpc(?:user|password) key/,
		what: 'The node cannot use the daemon of {coin}.',
		turn: 'operator',
		next: 'Check that the daemon of this chain is installed beside the node, and that its configuration file has rpcuser, rpcpassword and rpcport. Or activate the coin through servers.',
		quotes: true
	},
	{
		says: /Rpc port is not set neither in `coins` file nor in native daemon config/,
		what: 'Neither the coins file nor the daemon’s configuration says on which port the daemon listens.',
		turn: 'operator',
		next: 'Write rpcport into the daemon’s configuration and restart it.'
	},
	{
		says: /(?:swap_contract_address|fallback_swap_contract) can't be zero address/,
		what: 'The address of a swap contract is all zeros.',
		turn: 'caller',
		next: 'Give the address of the contract, as the coins list has it.'
	},
	{
		says: /protocol is not supported by lp_coininit/,
		what: 'This call cannot activate coins of this protocol.',
		turn: 'caller',
		next: 'Use the task of its own for this kind of coin.',
		quotes: true
	},
	{
		says: /^Platform coin \S+ is not activated/,
		what: 'The coin on whose chain this token lives is not active.',
		turn: 'caller',
		next: 'Activate the platform coin first.'
	},
	{
		says: /^No 'coin' field/,
		what: 'The request names no coin.',
		turn: 'caller',
		next: 'Say which coin.'
	},
	{
		type: 'InternalError',
		says: /No such coin/,
		what: '{Coin} is not active on this node, or it does not exist.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		says: /^(?:No such coin|Invalid coin)/,
		what: '{Coin} is not active on this node.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		says: /^No coins enabled/,
		what: 'No coin is active on this node.',
		turn: 'caller',
		next: 'Activate a coin first.'
	},
	{
		says: /active swaps|matching orders/,
		of: /^disable_coin$/,
		what: 'Swaps or orders that are under way use this coin, so it stays active.',
		turn: 'operator',
		next: 'Wait until they are done, then disable it.'
	},
	{
		says: /'my_address' is deprecated for HD wallets/,
		what: 'A coin of the wallet has many addresses (HD), and the older list of coins cannot show it.',
		turn: 'caller',
		next: 'Ask with the newer form of get_enabled_coins.'
	},
	{
		type: 'CoinCreationError',
		says: /empty bchd_urls is unsafe/,
		what: '{Coin} was not activated: without a server that checks SLP transactions a payment could burn tokens.',
		turn: 'caller',
		next: 'Name a bchd server, or accept the risk when this wallet holds no SLP tokens.'
	},
	{
		type: 'CoinCreationError',
		says: /Hardware Wallet context is not initialized/,
		what: 'The hardware wallet is not set up on this node.',
		turn: 'caller',
		next: 'Connect the hardware wallet first, then activate the coin.'
	},
	{
		type: 'CoinCreationError',
		says: /derivation[ _]path/i,
		what: '{Coin} has no derivation path in the node’s coins file, and this node has a wallet of many addresses.',
		turn: 'operator',
		next: 'Bring the coins file up to date at the node and restart it.'
	},
	{
		type: 'InvalidRequest',
		says: /You need to enable kdf with enable_hd/,
		what: 'This node has one address for each coin, so no path can be chosen.',
		turn: 'caller',
		next: 'Leave the path empty: the address of the node signs.'
	},
	{
		type: 'InvalidRequest',
		says: /Invalid path to coin/,
		what: 'The path does not belong to {coin}.',
		turn: 'caller',
		next: 'Begin the path as the coins file says for this coin: its purpose and coin number must be the same.'
	},
	{
		type: 'InvalidRequest',
		says: /BIP32/i,
		what: 'The path cannot be read.',
		turn: 'caller',
		next: "Write it like m/44'/141'/0'/0/1."
	},
	{
		type: 'InternalError',
		says: /Unsupported method|Not implemented/i,
		of: /^sign_message$/,
		what: 'The key of {coin} is on a device or another wallet, which the node does not ask for signatures of messages.',
		turn: 'caller',
		next: 'Sign with that device or wallet itself.'
	},
	{
		type: 'InvalidRequest',
		says: /unknown variant `(?:Metamask|BrowserWallet)`/,
		what: 'This node cannot work with a wallet of a browser: only builds for browsers can.',
		turn: 'caller',
		next: 'Leave rpc_mode at Default.'
	},
	{
		type: 'InvalidRequest',
		says: /Message signing is not supported/,
		what: 'Coins of the kind of {coin} cannot sign messages.',
		turn: 'nobody',
		next: 'Sign with another coin.'
	},
	{
		type: 'Internal',
		says: /task is in unexpected status/,
		what: 'The task does not wait for an entry now: it goes on by itself, or it has ended.',
		turn: 'nobody',
		next: 'Look at the state of the task.'
	}
];
