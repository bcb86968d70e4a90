import type { KdfErrorCode } from '#lib/rpc/errors/kdf.ts';
import type { KdfErrorWords } from './sentence.ts';

const FETCH_KEYS =
	'Run fetch-params (of Zcash) on the machine of the node as the node’s user, or enter their folder as zcash_params_path.';

/** Meaning of each trading node error, and what to do about it. */
export const kdfErrorWords = {
	'device.none': {
		what: 'No hardware wallet is connected.',
		next: 'Plug the device into the node’s machine, then try again.'
	},
	'device.several': {
		what: 'More than one hardware wallet is connected.',
		next: 'Leave only the right one plugged in, then try again.'
	},
	'device.other': {
		what: 'The connected hardware wallet is not the one that was set up.',
		next: 'Connect the right one, or set up this one first.'
	},
	'proving-keys.missing': {
		what: 'The trading node does not find the proving keys of shielded coins on its disk.',
		next: FETCH_KEYS
	},
	'proving-keys.damaged': {
		what: 'The proving keys of shielded coins on the trading node’s disk are damaged.',
		next: FETCH_KEYS
	},
	'device.pin': {
		what: 'The device rejected the PIN.',
		next: 'Try again. The digits on the device change their positions each time.'
	},
	'device.declined': {
		what: 'The request was declined on the device.',
		next: 'Try again and confirm it on the device.'
	},
	'device.empty': {
		what: 'The hardware wallet holds no keys yet.',
		next: 'Set the device up first.'
	},
	'device.failed': {
		what: 'The device failed.',
		next: 'Unplug the device, plug it in again, and retry.'
	},
	'device.signature': { what: 'The device returned an invalid signature.', next: 'Try again.' },
	'device.pin-expected': {
		what: 'The device needs its PIN.',
		next: 'Try again and enter the PIN when asked.'
	},
	'coin.mm2-unset': {
		what: (coin) =>
			`Neither the node’s coins file nor the request sets mm2 for ${coin.inside}, so the node treats it as unsupported.`,
		next: 'Choose a value for mm2: 1 if the coin can be swapped, 0 for the wallet only. If the node does not know the ticker at all, update its coins file.'
	},
	'coin.no-protocol': {
		what: (coin) =>
			`The node does not know ${coin.inside}: its coins file has no usable entry for this ticker.`,
		next: 'Check the spelling, capitals included. A new coin needs a newer coins file on the node and a restart.'
	},
	CoinIsAlreadyActivated: {
		what: 'The coin is already active; no action was needed.',
		next: 'To activate it with other servers, ask an admin to disable it first.'
	},
	'servers.min-zero': {
		what: 'The minimum number of connected servers is 0; it must be at least 1.',
		next: 'Set min_connected to 1 or more.'
	},
	'servers.none': { what: 'No server was given.', next: 'Enter at least one server.' },
	'servers.min-above-max': {
		what: 'The minimum number of connections is higher than the maximum.',
		next: 'Set max_connected to at least min_connected.'
	},
	'balance.timeout': {
		what: (coin) =>
			`The node deactivated ${coin.inside}: the servers took too long to return the balance.`,
		next: 'Try again with other servers, or activate it as a task, which waits longer.'
	},
	'wallet.many-addresses': {
		what: 'The node’s wallet has many addresses (HD), but this call supports a single address only.',
		next: 'Activate the coin with its task (task::enable_…) instead.'
	},
	'balance.unreadable': {
		what: (coin) =>
			`The node deactivated ${coin.inside}: it could not read the balance from any of the servers.`,
		next: 'Choose servers that respond, or try again in a moment.'
	},
	Transport: {
		what: (coin) => `The node could not reach any server of ${coin.inside}.`,
		next: 'Choose servers that respond, or try again later.'
	},
	'nodes.no-answer': {
		what: 'None of the coin’s nodes responded.',
		next: 'Check the addresses of the nodes, or use others.'
	},
	AtLeastOneNodeRequired: { what: 'No node address was given.', next: 'Enter at least one node.' },
	'gas-station.no-price': {
		what: 'The gas station did not return a price, so the coin was not activated.',
		next: 'Check the address of the gas station, or leave it out.'
	},
	'native.unusable': {
		what: (coin) => `The node cannot use the daemon of ${coin.inside}.`,
		next: 'Check that the daemon of this chain is installed next to the node, and that its configuration file has rpcuser, rpcpassword and rpcport. Or activate the coin through servers.'
	},
	'native.no-port': {
		what: 'Neither the coins file nor the daemon’s configuration sets the port of the daemon.',
		next: 'Set rpcport in the daemon’s configuration and restart the daemon.'
	},
	'swap-contract.zero': {
		what: 'The address of a swap contract is all zeros.',
		next: 'Enter the contract address from the coins list.'
	},
	'protocol.not-here': {
		what: 'This call cannot activate coins of this protocol.',
		next: 'Use the task for this kind of coin.'
	},
	PlatformCoinIsNotActivated: {
		what: 'The platform coin of this token is not active.',
		next: 'Activate the platform coin first.'
	},
	'coin.not-named': { what: 'The request does not name a coin.', next: 'Name the coin.' },
	CoinIsNotFound: {
		what: (coin) => `${coin.atStart} is not active on this node, or it does not exist.`,
		next: 'Activate the coin first.'
	},
	NoSuchCoin: {
		what: (coin) => `${coin.atStart} is not active on this node.`,
		next: 'Activate the coin first.'
	},
	'coins.none-active': { what: 'No coin is active on this node.', next: 'Activate a coin first.' },
	'coin.in-use': {
		what: 'Swaps or orders in progress use this coin, so it stays active.',
		next: 'Wait until they are finished, then disable the coin.'
	},
	'wallet.older-list': {
		what: 'A coin of the wallet has many addresses (HD), which the older list of coins cannot show.',
		next: 'Use the newer form of get_enabled_coins.'
	},
	'slp.no-server': {
		what: (coin) =>
			`${coin.atStart} was not activated: without a server that checks SLP transactions, a payment could burn tokens.`,
		next: 'Enter a bchd server, or accept the risk if this wallet has no SLP tokens.'
	},
	'device.not-set-up': {
		what: 'The hardware wallet is not set up on this node.',
		next: 'Connect the hardware wallet, then activate the coin.'
	},
	'coin.no-path': {
		what: (coin) =>
			`${coin.atStart} has no derivation path in the node’s coins file, but this node has a wallet of many addresses.`,
		next: 'Update the coins file on the node and restart the node.'
	},
	'path.single-address': {
		what: 'This node has one address per coin, so a path cannot be chosen.',
		next: 'Leave the path empty: the node signs with its address.'
	},
	'path.of-other-coin': {
		what: (coin) => `The path does not belong to ${coin.inside}.`,
		next: 'Start the path as the coins file does for this coin: purpose and coin number must be the same.'
	},
	'path.unreadable': { what: 'The path is not valid.', next: "Write it like m/44'/141'/0'/0/1." },
	'sign.key-elsewhere': {
		what: (coin) =>
			`The key of ${coin.inside} is on a device or in another wallet, which the node does not ask to sign messages.`,
		next: 'Sign with that device or wallet.'
	},
	'remote.browser-only': {
		what: 'This node cannot use a browser wallet: only browser builds can.',
		next: 'Leave rpc_mode at Default.'
	},
	'sign.not-supported': {
		what: (coin) => `Coins of the same kind as ${coin.inside} cannot sign messages.`,
		next: 'Sign with another coin.'
	},
	'task.ending': {
		what: 'The task is being ended already.',
		next: 'Check the state of the task.'
	},
	'task.not-waiting': {
		what: 'The task does not wait for input now: it is still running, or it has ended.',
		next: 'Check the state of the task.'
	},
	InvalidRequest: {
		what: 'The node does not accept this request.',
		next: 'Correct what the node names. Its version may not support one of the values.'
	},
	InvalidMmRpcVersion: {
		what: 'The request names a version of the interface other than 2.0.',
		next: 'Set mmrpc to the text 2.0, or leave it out for the older form.'
	},
	NoSuchMethod: {
		what: 'This node does not know the method.',
		next: 'Compare the node’s version with the documentation; an update may add the method.'
	},
	NoSuchTask: {
		what: 'The node no longer knows this task: it was ended, its result was already read, or the node was restarted.',
		next: 'Check whether the coin is active; if not, start again.'
	},
	TaskFinished: {
		what: 'The task has already ended, so there is nothing to cancel.',
		next: 'Check its result.'
	},
	TaskTimedOut: {
		what: 'The task timed out, most likely while it waited for the device or for input.',
		next: 'Start again with the device at hand.'
	},
	Timeout: {
		what: 'The device or the servers did not respond in time.',
		next: 'Start again with the device at hand.'
	},
	HwError: {
		what: 'The hardware wallet could not do this; the data says why.',
		next: 'Do what the data names, then start again.'
	},
	HwContextInitializingAlready: {
		what: 'The hardware wallet is already being connected.',
		next: 'Wait until the connection is finished.'
	},
	HwContextNotInitialized: {
		what: 'The hardware wallet has not been connected yet.',
		next: 'Connect the hardware wallet first.'
	},
	UnexpectedUserAction: {
		what: 'The task waits for another kind of input.',
		next: 'Enter what the page asks for.'
	},
	PlatformIsAlreadyActivated: {
		what: 'The platform coin is already active; no action was needed.',
		next: 'Activate more tokens one by one, or ask an admin to disable the platform coin first.'
	},
	TokenIsAlreadyActivated: {
		what: 'The token is already active; no action was needed.',
		next: 'No action is needed.'
	},
	CoinConfigIsNotFound: {
		what: (coin) =>
			`The node does not know ${coin.inside}: its coins file has no entry for this ticker.`,
		next: 'Check the spelling, capitals included. A new coin needs a newer coins file on the node and a restart.'
	},
	TokenConfigIsNotFound: {
		what: 'The node’s coins file does not have one of the tokens.',
		next: 'Check the tickers of the tokens, or update the coins file.'
	},
	CoinProtocolParseError: {
		what: (coin) => `The node cannot read the entry of ${coin.inside} in its coins file.`,
		next: 'Correct the entry in the coins file on the node and restart the node.'
	},
	TokenProtocolParseError: {
		what: 'A token’s entry in the node’s coins file has a protocol that the node does not support.',
		next: 'Correct the coins file, or update the node; the message lists the supported protocols.'
	},
	UnexpectedCoinProtocol: {
		what: 'In the node’s coins file, this coin has another protocol than this activation is for.',
		next: 'Activate it with the task of its protocol; BCH as UTXO with task::enable_utxo.'
	},
	UnexpectedPlatformProtocol: {
		what: 'In the node’s coins file, this coin is not a platform of EVM tokens.',
		next: 'Choose a platform coin such as ETH, or activate this one with the task of its protocol.'
	},
	UnexpectedTokenProtocol: {
		what: 'In the node’s coins file, a token belongs to another kind of chain.',
		next: 'Leave the token out, or correct its entry.'
	},
	CustomTokenError: {
		what: 'The custom token conflicts with one in the coins file or the wallet.',
		next: 'Use the ticker that is named.'
	},
	CoinCreationError: {
		what: (coin) => `The node could not set ${coin.inside} up.`,
		next: 'Correct what the node names, then try again. With servers: check that they respond, or use others.'
	},
	PlatformCoinCreationError: {
		what: 'The node could not set up the platform coin.',
		next: 'Check its nodes and contracts, then try again.'
	},
	PlatformCoinMismatch: {
		what: 'A token does not belong to this platform coin.',
		next: 'Leave the token out, or activate its own platform.'
	},
	TokenCreationError: {
		what: 'The node could not set up the token.',
		next: 'Correct what the message names, then try again.'
	},
	UnsupportedPlatformCoin: {
		what: 'The token names a platform that does not support it.',
		next: 'Choose the token’s own platform.'
	},
	InvalidPayload: {
		what: 'A value is invalid: a contract address of zeros, an invalid node address, or a missing path.',
		next: 'Correct what the message names.'
	},
	CouldNotFetchBalance: {
		what: 'The balance could not be fetched.',
		next: 'Try again, or use other nodes.'
	},
	PrivKeyPolicyNotAllowed: {
		what: 'This coin does not support this kind of key storage.',
		next: 'Choose the node’s own key, or another device.'
	},
	PrivKeyNotAllowed: {
		what: 'The node’s own key cannot be used here.',
		next: 'Choose another way of signing.'
	},
	UnexpectedDerivationMethod: {
		what: 'The call does not match the kind of wallet: one address, or many (HD).',
		next: 'In a wallet of many addresses, leave NFTs out here and activate them afterwards.'
	},
	UnexpectedDeviceActivationPolicy: {
		what: 'A hardware wallet cannot be used in this call.',
		next: 'Activate the coin as a task.'
	},
	WalletConnectError: {
		what: 'The remote signer rejected the request, was too late, or the connection is unknown.',
		next: 'Create a new connection to the remote signer, then activate again.'
	},
	SessionRequestError: {
		what: 'The remote signer did not answer the request.',
		next: 'Open the signer’s app and try again.'
	},
	InitializationError: {
		what: 'The node could not reach the service that connects remote signers.',
		next: 'Check that the node can reach the internet.'
	},
	FailedSpawningBalanceEvents: {
		what: 'The coin can be used, but the node could not watch its balance.',
		next: 'Check the node’s settings for event streaming.'
	},
	InvalidConfig: {
		what: 'An entry of the node’s coins file cannot be used.',
		next: 'Correct the coins file.'
	},
	PrefixNotFound: {
		what: (coin) =>
			`${coin.atStart} has no sign_message_prefix in the node’s coins file, so its messages cannot be signed or verified.`,
		next: 'Use another coin, or add the prefix to its entry on the node, restart the node and activate the coin again.'
	},
	SigningError: { what: 'The node could not sign.', next: 'Check the node’s log.' },
	SignatureDecodingError: {
		what: 'This is not a valid signature for the coin.',
		next: 'Copy the whole signature, without spaces.'
	},
	AddressDecodingError: {
		what: 'This is not an address of the coin.',
		next: 'Correct the address.'
	},
	CoinIsNotActive: {
		what: 'The coin is not active on this node.',
		next: 'Activate the coin first.'
	},
	StorageIsNotInitialized: {
		what: 'The coin was activated without its history.',
		next: 'Ask an admin to disable the coin, then activate it again with tx_history.'
	},
	NotSupportedFor: {
		what: 'This is not available for coins of this kind.',
		next: 'Use the coin’s explorer.'
	},
	InvalidTarget: {
		what: 'The wallet has no such account or address.',
		next: 'Choose an account of the wallet.'
	},
	CoinIsActivatedNotWithHDWallet: {
		what: 'The node’s wallet has a single address; only wallets of many addresses (HD) have accounts.',
		next: 'Ask for the balance of the coin instead.'
	},
	UnknownAccount: {
		what: 'The wallet does not have an account with this number.',
		next: 'Choose an existing account, or add one.'
	},
	AddressLimitReached: {
		what: 'The account has reached its maximum number of addresses.',
		next: 'Use another account.'
	},
	AccountLimitReached: {
		what: 'The coin has reached its maximum number of accounts.',
		next: 'Use another account.'
	},
	CoinsConfCheckError: {
		what: (coin) =>
			`The node’s coins file has no entry for ${coin.inside}, or one that lacks mm2 or its protocol.`,
		next: 'Check the spelling, capitals included, or correct the coins file on the node and restart the node.'
	},
	CoinIsNotSupported: {
		what: 'The node tells only addresses of EVM coins before they are activated.',
		next: 'Activate the coin; its address is shown then.'
	},
	EmptyAddressesLimitReached: {
		what: 'Too many addresses in a row are unused.',
		next: 'Use one of them first.'
	},
	Internal: {
		what: 'The node failed.',
		next: 'Try again. If the error remains, check the node’s log.'
	},
	UserpassIsNotSet: {
		what: 'The node says that no password was sent.',
		next: 'Compare the node’s rpc_password with the configured one.'
	},
	UserpassIsInvalid: {
		what: 'The node rejected the configured password.',
		next: 'Correct the password, then confirm it on the page of the node.'
	},
	Banned: {
		what: 'The node has banned this machine after too many wrong passwords.',
		next: 'Restart the node, correct the password, then confirm it on the page of the node.'
	},
	LocalHostOnly: {
		what: 'The node accepts this call from its own machine only.',
		next: 'Set rpc_local_only to false in its settings and give only this machine access.'
	},
	ErrorDerivingAddress: {
		what: 'An address of the wallet could not be derived.',
		next: 'Check the account and address numbers.'
	},
	InvalidBip44Chain: {
		what: 'The chain of an account is External or Internal; this is neither.',
		next: 'Choose External or Internal.'
	},
	WalletStorageError: {
		what: 'The node could not read or write its wallet data.',
		next: 'Check the node’s disk and log.'
	},
	StorageError: {
		what: 'The node could not read or write its history.',
		next: 'Check the node’s disk and log.'
	},
	RpcInvalidResponse: {
		what: 'A server of the coin returned an invalid response.',
		next: 'Try again, or activate the coin with other servers.'
	},
	RpcError: {
		what: 'A server of the coin returned an error.',
		next: 'Try again, or activate the coin with other servers.'
	},
	FailedScripthashSubscription: {
		what: 'The coin’s servers do not report incoming payments to an address.',
		next: 'Try again, or activate the coin with other servers.'
	},
	EnableError: {
		what: 'The node does not send these events: the listener is not connected, or already listens.',
		next: 'Connect the listener first, then call the method once.'
	},
	DisableError: {
		what: 'The node does not send these events to this listener.',
		next: 'No action is needed.'
	},
	CoinNotSupported: {
		what: 'The node cannot watch coins of this kind.',
		next: 'Ask for the balance instead.'
	}
} as const satisfies Record<KdfErrorCode, KdfErrorWords>;
