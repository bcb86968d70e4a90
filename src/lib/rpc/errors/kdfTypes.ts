/** The error types of a trading node in plain words. */
import type { KdfErrorEntry } from './kdfEntry.ts';

export const kdfTypes: readonly KdfErrorEntry[] = [
	{
		type: 'InvalidRequest',
		what: 'The node does not take this request.',
		turn: 'caller',
		next: 'Correct what the node names. Its version may not know one of the values.',
		quotes: true
	},
	{
		type: 'InvalidMmRpcVersion',
		what: 'The request names another version of the interface than 2.0.',
		turn: 'caller',
		next: 'Send mmrpc as the text 2.0, or leave it out for the older form.'
	},
	{
		type: 'NoSuchMethod',
		what: 'This node does not know the method.',
		turn: 'operator',
		next: 'Compare the node’s version with the documentation; an update may bring the method.'
	},
	{
		type: 'NoSuchTask',
		what: 'The node does not know this task any more: it was ended, its result was fetched already, or the node was restarted.',
		turn: 'caller',
		next: 'Look whether the coin is active; if not, start again.'
	},
	{
		type: 'TaskFinished',
		what: 'The task has ended already, so there is nothing to cancel.',
		turn: 'nobody',
		next: 'Look at its result.'
	},
	{
		type: 'TaskTimedOut',
		what: 'The time for the task ran out, most likely while it waited for the device or for an entry.',
		turn: 'caller',
		next: 'Start again, with the device at hand.'
	},
	{
		type: 'Timeout',
		what: 'The time ran out before the device or the servers answered.',
		turn: 'caller',
		next: 'Start again, with the device at hand.'
	},
	{
		type: 'HwError',
		what: 'The hardware wallet could not do what was asked; the data says which way it failed.',
		turn: 'caller',
		next: 'Do what the data names, then start again.',
		quotes: true
	},
	{
		type: 'HwContextInitializingAlready',
		what: 'Somebody is connecting the hardware wallet at this moment.',
		turn: 'caller',
		next: 'Wait until that has ended.'
	},
	{
		type: 'HwContextNotInitialized',
		what: 'The hardware wallet has not been connected yet.',
		turn: 'caller',
		next: 'Connect it first.'
	},
	{
		type: 'UnexpectedUserAction',
		what: 'The task waits for another kind of entry.',
		turn: 'caller',
		next: 'Enter what the page asks for.'
	},
	{
		type: 'CoinIsAlreadyActivated',
		what: 'The coin is active already; nothing needed to be done.',
		turn: 'nobody',
		next: 'Use it. To activate it with other servers, an admin disables it first.'
	},
	{
		type: 'PlatformIsAlreadyActivated',
		what: 'The platform coin is active already; nothing needed to be done.',
		turn: 'nobody',
		next: 'Activate further tokens one by one, or have an admin disable the platform coin first.'
	},
	{
		type: 'TokenIsAlreadyActivated',
		what: 'The token is active already; nothing needed to be done.',
		turn: 'nobody',
		next: 'Use it.'
	},
	{
		type: 'CoinConfigIsNotFound',
		what: 'The node does not know {coin}: its coins file has no entry of this ticker.',
		turn: 'operator',
		next: 'Check the spelling, capitals included. A new coin needs a newer coins file at the node and a restart of it.'
	},
	{
		type: 'PlatformConfigIsNotFound',
		what: 'The node does not know {coin}: its coins file has no entry of this ticker.',
		turn: 'operator',
		next: 'Check the spelling, capitals included. A new coin needs a newer coins file at the node and a restart of it.'
	},
	{
		type: 'TokenConfigIsNotFound',
		what: 'The node’s coins file does not have one of the tokens.',
		turn: 'operator',
		next: 'Check the tickers of the tokens; else bring the coins file up to date.'
	},
	{
		type: 'CoinProtocolParseError',
		what: 'The node cannot read the entry of {coin} in its coins file.',
		turn: 'operator',
		next: 'Correct the entry in the coins file at the node and restart it.',
		quotes: true
	},
	{
		type: 'TokenProtocolParseError',
		what: 'A token’s entry in the node’s coins file holds a protocol that the node cannot read.',
		turn: 'operator',
		next: 'Correct the coins file, or update the node; the message lists the protocols that it knows.'
	},
	{
		type: 'UnexpectedCoinProtocol',
		what: 'The node’s coins file gives the coin another protocol than this activation is for.',
		turn: 'caller',
		next: 'Activate it with the task of its protocol; BCH as UTXO with task::enable_utxo.'
	},
	{
		type: 'UnexpectedPlatformProtocol',
		what: 'This coin is no platform of EVM tokens by the node’s coins file.',
		turn: 'caller',
		next: 'Choose a platform coin like ETH, or activate this one with the task of its protocol.'
	},
	{
		type: 'UnexpectedTokenProtocol',
		what: 'A token belongs to another kind of chain by the node’s coins file.',
		turn: 'caller',
		next: 'Leave the token out, or correct its entry.'
	},
	{
		type: 'CustomTokenError',
		what: 'The token that was described by hand clashes with one that the coins file or the wallet has.',
		turn: 'caller',
		next: 'Use the ticker that is named.'
	},
	{
		type: 'CoinCreationError',
		what: 'The node could not set {coin} up.',
		turn: 'caller',
		next: 'Correct what the node names, then try again. With servers: check that they answer, or take others.',
		quotes: true
	},
	{
		type: 'PlatformCoinCreationError',
		what: 'The node could not set the platform coin up.',
		turn: 'caller',
		next: 'Check its nodes and contracts, then try again.'
	},
	{
		type: 'PlatformCoinMismatch',
		what: 'A token does not belong to this platform coin.',
		turn: 'caller',
		next: 'Leave the token out, or activate its own platform.'
	},
	{
		type: 'TokenCreationError',
		what: 'The node could not set the token up.',
		turn: 'caller',
		next: 'Correct what the message names, then try again.'
	},
	{
		type: 'PlatformCoinIsNotActivated',
		what: 'The coin on whose chain this token lives is not active.',
		turn: 'caller',
		next: 'Activate the platform coin first.'
	},
	{
		type: 'UnsupportedPlatformCoin',
		what: 'The token names a platform that cannot hold it.',
		turn: 'caller',
		next: 'Choose the token’s own platform.'
	},
	{
		type: 'AtLeastOneNodeRequired',
		what: 'No address of a node was given.',
		turn: 'caller',
		next: 'Name at least one node.'
	},
	{
		type: 'InvalidPayload',
		what: 'A value cannot be used: a contract address of zeros, a bad address of a node, or a missing path.',
		turn: 'caller',
		next: 'Correct what the message names.'
	},
	{
		type: 'Transport',
		what: 'The node did not reach any server of {coin}.',
		turn: 'caller',
		next: 'Choose servers that answer, or wait for the next try.',
		quotes: true
	},
	{
		type: 'CouldNotFetchBalance',
		what: 'The balance could not be fetched.',
		turn: 'caller',
		next: 'Try again, or take other nodes.'
	},
	{
		type: 'PrivKeyPolicyNotAllowed',
		what: 'This way of keeping the key does not work for this coin.',
		turn: 'caller',
		next: 'Choose the node’s own key, or another device.'
	},
	{
		type: 'PrivKeyNotAllowed',
		what: 'The node’s own key may not be used here.',
		turn: 'caller',
		next: 'Choose another way of signing.'
	},
	{
		type: 'UnexpectedDerivationMethod',
		what: 'The call does not fit the kind of wallet: one address, or many (HD).',
		turn: 'caller',
		next: 'In a wallet of many addresses, leave NFTs out here and activate them afterwards.'
	},
	{
		type: 'UnexpectedDeviceActivationPolicy',
		what: 'A hardware wallet cannot be used in this one call.',
		turn: 'caller',
		next: 'Activate the coin as a task.'
	},
	{
		type: 'WalletConnectError',
		what: 'The remote signer refused, was too late, or the connection is not known.',
		turn: 'caller',
		next: 'Make a new connection to the remote signer, then activate again.'
	},
	{
		type: 'SessionRequestError',
		what: 'The remote signer did not answer the request.',
		turn: 'caller',
		next: 'Open its application and try again.'
	},
	{
		type: 'InitializationError',
		what: 'The node could not reach the service that connects remote signers.',
		turn: 'operator',
		next: 'Check that the node may reach the internet.'
	},
	{
		type: 'FailedSpawningBalanceEvents',
		what: 'The coin is usable, but the node could not watch its balance.',
		turn: 'operator',
		next: 'Check the node’s settings for event streaming.'
	},
	{
		type: 'InvalidConfig',
		what: 'An entry of the node’s coins file cannot be used.',
		turn: 'operator',
		next: 'Correct the coins file.'
	},
	{
		type: 'PrefixNotFound',
		what: '{Coin} has no sign_message_prefix in the node’s coins file, so its messages cannot be signed or verified.',
		turn: 'operator',
		next: 'Take another coin, or add the prefix to its entry at the node, restart it and activate the coin again.'
	},
	{
		type: 'CoinIsNotFound',
		what: '{Coin} is not active on this node, or it does not exist.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		type: 'SigningError',
		what: 'The node could not sign.',
		turn: 'operator',
		next: 'Look into the node’s log.',
		quotes: true
	},
	{
		type: 'SignatureDecodingError',
		what: 'This is not a signature in the form that the coin uses.',
		turn: 'caller',
		next: 'Copy the whole signature, without blanks.'
	},
	{
		type: 'AddressDecodingError',
		what: 'This is not an address of the coin.',
		turn: 'caller',
		next: 'Correct the address.'
	},
	{
		type: 'CoinIsNotActive',
		what: 'The coin is not active on this node.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		type: 'StorageIsNotInitialized',
		what: 'The coin was activated without its history.',
		turn: 'caller',
		next: 'Have the coin disabled and activate it again with tx_history.'
	},
	{
		type: 'NotSupportedFor',
		what: 'This is not available for coins of this kind.',
		turn: 'nobody',
		next: 'Take the explorer of the coin.'
	},
	{
		type: 'InvalidTarget',
		what: 'The wallet has no such account or address.',
		turn: 'caller',
		next: 'Choose an account of the wallet.'
	},
	{
		type: 'NoSuchCoin',
		what: 'The coin is not active on this node.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		type: 'CoinIsActivatedNotWithHDWallet',
		what: 'The node’s wallet has a single address, and accounts belong to wallets of many (HD).',
		turn: 'caller',
		next: 'Ask for the balance of the coin instead.'
	},
	{
		type: 'UnknownAccount',
		what: 'The wallet has no account of this number.',
		turn: 'caller',
		next: 'Choose an account that exists, or add one.'
	},
	{
		type: 'AddressLimitReached',
		what: 'The account has as many addresses as it may have.',
		turn: 'nobody',
		next: 'Use another account.'
	},
	{
		type: 'EmptyAddressesLimitReached',
		what: 'Too many addresses in a row have never been used.',
		turn: 'caller',
		next: 'Use one of them first.'
	},
	{
		type: 'TrezorNotInitialized',
		what: 'The hardware wallet has not been connected yet.',
		turn: 'caller',
		next: 'Connect it first.'
	},
	{
		type: 'Internal',
		what: 'The node failed.',
		turn: 'operator',
		next: 'Try again. If it stays so, the log of the node says more.',
		quotes: true
	},
	{
		type: 'InternalError',
		what: 'The node failed.',
		turn: 'operator',
		next: 'Try again. If it stays so, the log of the node says more.',
		quotes: true
	},
	{
		type: 'UserpassIsNotSet',
		what: 'The node says that no password was sent.',
		turn: 'operator',
		next: 'Check the node’s rpc_password and what is configured here.'
	},
	{
		type: 'UserpassIsInvalid',
		what: 'The node refused the password that is configured for it.',
		turn: 'operator',
		next: 'Correct the password, then confirm it on the page of the node.'
	},
	{
		type: 'Banned',
		what: 'The node has banned this machine after too many wrong passwords.',
		turn: 'operator',
		next: 'Restart the node, correct the password, then confirm it on the page of the node.'
	},
	{
		type: 'LocalHostOnly',
		what: 'The node takes this call from its own machine only.',
		turn: 'operator',
		next: 'Set rpc_local_only to false in its settings and let only this machine through to it.'
	},
	{
		type: 'ErrorDerivingAddress',
		what: 'An address of the wallet could not be computed.',
		turn: 'caller',
		next: 'Check the number of the account and of the address.'
	},
	{
		type: 'InvalidBip44Chain',
		what: 'Accounts have two sides, External and Internal; this is neither.',
		turn: 'caller',
		next: 'Choose External or Internal.'
	},
	{
		type: 'WalletStorageError',
		what: 'The node could not read or write what it keeps of the wallet.',
		turn: 'operator',
		next: 'Check the disk of the node and its log.'
	},
	{
		type: 'StorageError',
		what: 'The node could not read or write the history that it keeps.',
		turn: 'operator',
		next: 'Check the disk of the node and its log.'
	},
	{
		type: 'RpcInvalidResponse',
		what: 'A server of the coin gave an answer that the node cannot use.',
		turn: 'caller',
		next: 'Try again, or activate the coin with other servers.'
	},
	{
		type: 'RpcError',
		what: 'A server of the coin did not answer as it should.',
		turn: 'caller',
		next: 'Try again, or activate the coin with other servers.'
	},
	{
		type: 'FailedScripthashSubscription',
		what: 'The servers of the coin do not tell when something arrives at an address.',
		turn: 'caller',
		next: 'Try again, or activate the coin with other servers.'
	},
	{
		type: 'FoundUnexpectedDevice',
		what: 'Another hardware wallet is connected than the one that was set up.',
		turn: 'caller',
		next: 'Connect the right one, or set this one up first.'
	},
	{
		type: 'EnableError',
		what: 'The node does not send these events: the listener is not connected, or it listens already.',
		turn: 'caller',
		next: 'Connect the listener first, then ask once.'
	},
	{
		type: 'DisableError',
		what: 'The node does not send these events to this listener.',
		turn: 'nobody',
		next: 'Nothing needs to be done.'
	},
	{
		type: 'CoinNotFound',
		what: 'The coin is not active on this node.',
		turn: 'caller',
		next: 'Activate the coin first.'
	},
	{
		type: 'CoinNotSupported',
		what: 'The node cannot watch coins of this kind.',
		turn: 'nobody',
		next: 'Ask for the balance instead.'
	}
];
