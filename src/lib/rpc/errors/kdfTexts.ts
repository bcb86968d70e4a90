/** Errors recognized by their text: legacy messages, and details within an error type. */
import type { KdfErrorPattern } from './kdfEntry.ts';

/** Failures of a hardware wallet, by the word that the node uses in device and coin errors (KDF 2.5.1). */
const device = <Code extends string>(code: Code, says: RegExp) =>
	(['HwError', 'CoinCreationError'] as const).map(
		(type) => ({ code, type, says, turn: 'caller' }) as const
	);

export const kdfTexts = [
	// Shielded coins, whose proving keys are files on the node's disk (KDF 2.5.1).
	{ code: 'proving-keys.missing', says: /ZCashParamsNotFound/, turn: 'operator' },
	{ code: 'proving-keys.damaged', says: /SaplingParamsInvalidChecksum/, turn: 'operator' },
	...device('device.none', /No ?Trezor ?Device ?Available|No Trezor/i),
	...device('device.several', /multiple ?devices/i),
	...device('device.other', /unexpected ?device/i),
	...device('device.pin', /Invalid ?Pin/i),
	...device('device.declined', /User ?Cancelled/i),
	...device('device.empty', /(?<!context is )Not ?Initialized/),
	...device('device.failed', /ProcessError/),
	...device('device.signature', /InvalidSignature/),
	...device('device.pin-expected', /PinExpected/),
	{
		code: 'coin.mm2-unset',
		says: /mm2 param is not set neither in coins config nor enable request/,
		turn: 'caller'
	},
	{ code: 'coin.no-protocol', says: /"protocol" field is missing in coins file/, turn: 'operator' },
	{
		code: 'CoinIsAlreadyActivated',
		// Legacy calls have different words for EVM coins and others (KDF 2.5.1).
		says: / (?:already (?:initialized|activated)|activated already)\s*$/,
		turn: 'nobody'
	},
	{ code: 'servers.min-zero', says: /min_connected should be greater than 0/, turn: 'caller' },
	{
		code: 'servers.none',
		says: /min_connected \(\d+\) must be <= max_connected \(0\)/,
		turn: 'caller'
	},
	{
		code: 'servers.min-above-max',
		says: /min_connected \(\d+\) must be <= max_connected \(\d+\)/,
		turn: 'caller',
		quotes: true
	},
	{
		code: 'balance.timeout',
		says: /Deactivated coin due to error in balance querying: Err\(TimeoutError/,
		turn: 'caller'
	},
	{
		code: 'wallet.many-addresses',
		says: /UnexpectedDerivationMethod|Expected 'SingleAddress' derivation method/,
		turn: 'caller'
	},
	{
		code: 'balance.unreadable',
		says: /Deactivated coin due to error in balance querying/,
		turn: 'caller'
	},
	{
		code: 'Transport',
		says: /All servers errored|All electrum servers are unavailable/i,
		turn: 'caller',
		quotes: true
	},
	// In the interface document this is a coin that could not be created, with the reason in the text.
	{
		code: 'Transport',
		type: 'CoinCreationError',
		says: /\bservers? (?:errored|unavailable|inactive)\b|\bTransport\(/i,
		turn: 'caller',
		quotes: true
	},
	{
		code: 'nodes.no-answer',
		says: /Failed to get client version for all (?:urls|nodes)|All \S+ RPC servers unavailable/,
		turn: 'caller'
	},
	{ code: 'AtLeastOneNodeRequired', says: /must have at least 1 node(?: URL)?/, turn: 'caller' },
	{ code: 'gas-station.no-price', says: /Failed to get gas price from station/, turn: 'caller' },
	{
		code: 'native.unusable',
		says: /Error parsing the native wallet configuration|doesn't have the rpc(?:user|password) key/,
		turn: 'operator',
		quotes: true
	},
	{
		code: 'native.no-port',
		says: /Rpc port is not set neither in `coins` file nor in native daemon config/,
		turn: 'operator'
	},
	{
		code: 'swap-contract.zero',
		says: /(?:swap_contract_address|fallback_swap_contract) can't be zero address/,
		turn: 'caller'
	},
	{
		code: 'protocol.not-here',
		says: /protocol is not supported by lp_coininit/,
		turn: 'caller',
		quotes: true
	},
	{
		code: 'PlatformCoinIsNotActivated',
		says: /^Platform coin \S+ is not activated/,
		turn: 'caller'
	},
	{ code: 'coin.not-named', says: /^No 'coin' field/, turn: 'caller' },
	{ code: 'CoinIsNotFound', type: 'InternalError', says: /No such coin/, turn: 'caller' },
	{ code: 'NoSuchCoin', says: /^(?:No such coin|Invalid coin)/, turn: 'caller' },
	{ code: 'StorageIsNotInitialized', says: /History is not enabled/i, turn: 'caller' },
	{ code: 'coins.none-active', says: /^No coins enabled/, turn: 'caller' },
	{
		code: 'coin.in-use',
		says: /active swaps|matching orders/,
		of: /^disable_coin$/,
		turn: 'operator'
	},
	{ code: 'wallet.older-list', says: /'my_address' is deprecated for HD wallets/, turn: 'caller' },
	{
		code: 'slp.no-server',
		type: 'CoinCreationError',
		says: /empty bchd_urls is unsafe/,
		turn: 'caller'
	},
	{
		code: 'device.not-set-up',
		type: 'CoinCreationError',
		says: /Hardware Wallet context is not initialized/i,
		turn: 'caller'
	},
	{
		code: 'coin.no-path',
		type: 'CoinCreationError',
		says: /derivation[ _]path/i,
		turn: 'operator'
	},
	{
		code: 'path.single-address',
		type: 'InvalidRequest',
		says: /You need to enable kdf with enable_hd/,
		turn: 'caller'
	},
	{
		code: 'path.of-other-coin',
		type: 'InvalidRequest',
		says: /Invalid path to coin/,
		turn: 'caller'
	},
	{ code: 'path.unreadable', type: 'InvalidRequest', says: /BIP32/i, turn: 'caller' },
	{
		code: 'sign.key-elsewhere',
		type: 'InternalError',
		says: /Unsupported method|Not implemented/i,
		of: /^sign_message$/,
		turn: 'caller'
	},
	{
		code: 'remote.browser-only',
		type: 'InvalidRequest',
		says: /unknown variant `(?:Metamask|BrowserWallet)`/,
		turn: 'caller'
	},
	{
		code: 'sign.not-supported',
		type: 'InvalidRequest',
		says: /Message signing is not supported/,
		turn: 'nobody'
	},
	{
		code: 'task.ending',
		type: 'Internal',
		says: /Actual: 'Cancelled', expected: 'InProgress'/,
		turn: 'nobody'
	},
	{
		code: 'task.not-waiting',
		type: 'Internal',
		says: /task is in unexpected status/,
		turn: 'nobody'
	}
] as const satisfies readonly KdfErrorPattern[];
