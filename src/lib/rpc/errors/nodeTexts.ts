/** Refusals that are told by their text: those of the older form, and details inside a type. */
import type { NodeErrorEntry } from './node.ts';

export const nodeTexts: readonly NodeErrorEntry[] = [
	{
		says: /mm2 param is not set neither in coins config nor enable request/,
		what: 'The coin is not in the node’s coins file with the member mm2, and the request does not give it: the node takes it for a coin that it does not support.',
		turn: 'caller',
		next: 'Check the ticker, or say mm2 in the request: 1 where atomic swaps work, 0 where they do not.'
	},
	{
		says: /"protocol" field is missing in coins file/,
		what: 'The node’s coins file does not know this coin, or its entry has no protocol.',
		turn: 'operator',
		next: 'Check the ticker; else bring the coins file up to date and restart the node.'
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
		what: 'The least number of connected servers is above the greatest.',
		turn: 'caller',
		next: 'Set max_connected to at least min_connected.'
	},
	{
		says: /Deactivated coin due to error in balance querying: Err\(TimeoutError/,
		what: 'The servers took too long to give the balance, so the node let the coin go again.',
		turn: 'caller',
		next: 'Try again with other servers, or activate it as a task, which waits longer.'
	},
	{
		says: /UnexpectedDerivationMethod|Expected 'SingleAddress' derivation method/,
		what: 'The node’s wallet has many addresses (HD), and this method works for a single address only.',
		turn: 'caller',
		next: 'Activate the coin with its task (task::enable_…) instead.'
	},
	{
		says: /Deactivated coin due to error in balance querying|All servers errored|All electrum servers are unavailable/i,
		what: 'None of the servers answered with the balance, so the node let the coin go again.',
		turn: 'caller',
		next: 'Check the addresses of the servers, or take others.'
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
		what: 'The node cannot read the configuration of the coin’s own daemon.',
		turn: 'operator',
		next: 'Install and start the daemon on the node’s machine, or activate the coin through servers.'
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
		next: 'Activate it with the task of its protocol.'
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
		what: 'The coin is not active on this node, or it does not exist.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		says: /^(?:No such coin|Invalid coin)/,
		what: 'The coin is not active on this node.',
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
		what: 'Without a server that checks SLP transactions, tokens on this coin’s outputs may be burned by mistake, so the node refuses.',
		turn: 'caller',
		next: 'Name a bchd server. Allow the unsafe way only when the wallet holds no SLP token.'
	},
	{
		type: 'CoinCreationError',
		says: /InvalidPin/,
		what: 'The PIN was wrong, and the device refused it.',
		turn: 'caller',
		next: 'Start again and enter the PIN by the positions that the device shows.'
	},
	{
		type: 'CoinCreationError',
		says: /UserCancelled/,
		what: 'Somebody cancelled it on the device.',
		turn: 'caller',
		next: 'Start again and confirm on the device.'
	},
	{
		type: 'CoinCreationError',
		says: /Hardware Wallet context is not initialized/,
		what: 'The hardware wallet has not been connected yet.',
		turn: 'caller',
		next: 'Connect the hardware wallet first, then activate the coin.'
	},
	{
		type: 'InvalidRequest',
		says: /You need to enable kdf with enable_hd/,
		what: 'An address of the wallet was chosen, but this node’s wallet has a single one.',
		turn: 'caller',
		next: 'Leave the address out; the wallet’s own one signs.'
	},
	{
		type: 'InvalidRequest',
		says: /Invalid path to coin/,
		what: 'The path belongs to another coin, or to another kind of address, than the active one.',
		turn: 'caller',
		next: 'Take a path that begins like the coin’s own.'
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
		what: 'Coins of this kind cannot sign messages.',
		turn: 'nobody',
		next: 'Take another coin.'
	},
	{
		type: 'Internal',
		says: /task is in unexpected status/,
		what: 'The task does not wait for an entry now: it goes on by itself, or it has ended.',
		turn: 'nobody',
		next: 'Look at the state of the task.'
	}
];
