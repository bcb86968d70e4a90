/**
 * The error types of version 2 methods: HTTP status, schema of the data and how the message is derived from
 * it. A type may differ between methods; the first entry that matches the method counts.
 */
import { z } from 'zod';
import { stringifyJson, type JsonValue } from '../json.ts';
import { object, oneOf, text } from '../types.ts';
import { count, json, ticker } from './types.ts';

interface KdfErrorType {
	type: string;
	/** Matches the names of methods; omitted for all methods. */
	of?: RegExp;
	/** HTTP status, several when builds differ. In the status of a task it is always 200. */
	status: readonly number[];
	/** Schema of `error_data`; null when the type has none. */
	data: z.ZodType | null;
	/** Derives the message from the decoded data; omitted when any message is accepted. */
	says?(data: unknown, said: string): string;
}

/** For a protocol without data older builds omit `protocol_data`, later ones write null. */
const WITH_DATA = [
	'ERC20',
	'QRC20',
	'ETH',
	'BCH',
	'SLPTOKEN',
	'NFT',
	'TENDERMINT',
	'TENDERMINTTOKEN'
];
const tokenContract = object({ platform: ticker, contract_address: text });
const protocol = oneOf([
	object({ type: z.enum(['ERC20', 'QRC20']), protocol_data: tokenContract }),
	object({ type: z.literal('ETH'), protocol_data: object({ chain_id: count }) }),
	object({ type: z.literal('BCH'), protocol_data: object({ slp_prefix: text }) }),
	object({ type: z.literal('NFT'), protocol_data: object({ platform: ticker }) }),
	object({
		type: z.enum(['SLPTOKEN', 'TENDERMINT', 'TENDERMINTTOKEN', 'ZHTLC', 'LIGHTNING']),
		protocol_data: z.record(z.string(), json)
	}),
	object({
		type: text.refine((name) => !WITH_DATA.includes(name), 'expected the data of the protocol'),
		protocol_data: z.null().optional()
	})
]);
const duration = object({ secs: count, nanos: count });
const withTicker = object({ ticker, error: text });
const withProtocol = object({ ticker, protocol });

const STATUS_OR_ACTION = /^task::.+::(?:status|user_action)$/;
const CANCEL = /^task::.+::cancel$/;
const TASK = /^task::/;
const STANDALONE = /^task::enable_(?:bch|utxo|qtum|z_coin)::/;
const PLATFORM = /^(?:enable_eth_with_tokens$|task::enable_eth::)/;
const TOKEN = /^(?:enable_erc20|enable_nft)$/;
const TOKEN_TASK = /^task::enable_erc20::/;
const DEVICE = /^task::init_trezor::/;
const SIGN = /^sign_message$/;
const VERIFY = /^verify_message$/;
const REMOTE = /^wc_/;
const STREAM = /^stream::/;
const HISTORY = /^my_tx_history$/;
const MY_ADDRESS = /^get_my_address$/;
const WALLETS = /^get_wallet_names$/;
const BALANCE =
	/^(?:account_balance|get_new_address|task::(?:account_balance|create_new_account|get_new_address|scan_for_new_addresses)::)/;

const plain = (data: string): string => data;
const prefixed =
	(prefix: string) =>
	(data: string): string =>
		`${prefix}${data}`;
/** Builds since 2.5 print the protocol as JSON, older ones in the notation of their source code. */
const unexpected =
	(what: string) =>
	(data: z.output<typeof withProtocol>, said: string): string =>
		said.includes('{"')
			? `Unexpected ${what} protocol ${stringifyJson(data.protocol)} for ${data.ticker}`
			: said;
const noSuchTask = (id: number): string => `No such task '${id}'`;

const hardwareWord = z.string().regex(/^[A-Z][A-Za-z]+$/, 'expected a word of the device');

/** Errors of the dispatcher, which any call can get before its method runs. */
const dispatcherErrors: readonly KdfErrorType[] = [
	{
		type: 'InvalidMmRpcVersion',
		status: [400],
		data: text,
		says: prefixed('Error parsing mmrpc version: ')
	},
	{ type: 'NoSuchMethod', status: [400], data: null, says: () => 'No such method' },
	{ type: 'UserpassIsNotSet', status: [403], data: null, says: () => 'Userpass is not set!' },
	{
		type: 'UserpassIsInvalid',
		status: [403],
		data: object({ error_type: z.literal('NbAttemptsLeft'), error_data: count }),
		says: (data: { error_data: number }) =>
			`Userpass is invalid! - Rate Limit attempts left: ${data.error_data}`
	},
	{ type: 'Banned', status: [403], data: null, says: () => 'Your ip is banned.' },
	{
		type: 'LocalHostOnly',
		status: [403],
		data: null,
		says: () => 'Selected method can be called from localhost only!'
	}
];

const customToken = oneOf([
	object({ DuplicateTickerInConfig: object({ ticker_in_config: ticker }) }),
	object({ DuplicateContractInConfig: object({ ticker_in_config: ticker }) }),
	object({ TokenWithSameContractAlreadyActivated: object({ ticker, contract_address: text }) })
]);

const taskErrors: readonly KdfErrorType[] = [
	{ type: 'NoSuchTask', of: CANCEL, status: [404], data: count, says: noSuchTask },
	{ type: 'NoSuchTask', of: TASK, status: [400], data: count, says: noSuchTask },
	{
		type: 'TaskFinished',
		of: CANCEL,
		status: [409],
		data: count,
		says: () => 'Task is finished already'
	},
	{
		type: 'TaskTimedOut',
		of: PLATFORM,
		status: [500],
		data: object({ duration })
	},
	{
		type: 'TaskTimedOut',
		of: TASK,
		status: [408],
		data: object({ duration }),
		says: (data: { duration: { secs: number } }) =>
			`Initialization task has timed out ${data.duration.secs}s`
	},
	{ type: 'HwError', of: TASK, status: [410, 500], data: hardwareWord },
	{ type: 'HwContextInitializingAlready', of: DEVICE, status: [400], data: null },
	{ type: 'UnexpectedUserAction', of: TASK, status: [400], data: object({ expected: text }) },
	{
		type: 'Timeout',
		of: DEVICE,
		status: [408],
		data: duration,
		says: (data: { secs: number }) => `RPC timed out ${data.secs}s`
	},
	{ type: 'HwContextNotInitialized', of: TASK, status: [400], data: null },
	// The task that activates one token words these errors differently from the direct call. Source:
	// `InitTokenError`, coins_activation/init_token.rs.
	{
		type: 'TokenIsAlreadyActivated',
		of: TOKEN_TASK,
		status: [400],
		data: object({ ticker }),
		says: (data: { ticker: string }) => `Token ${data.ticker} is activated already`
	},
	{
		type: 'TokenProtocolParseError',
		of: TOKEN_TASK,
		status: [400],
		data: withTicker,
		says: (data: { ticker: string; error: string }) =>
			`Token ${data.ticker} protocol parsing failed: ${data.error}`
	},
	{
		type: 'UnexpectedTokenProtocol',
		of: TOKEN_TASK,
		status: [400],
		data: withProtocol,
		says: unexpected('platform')
	}
];

const standaloneErrors: readonly KdfErrorType[] = [
	{
		type: 'CoinIsAlreadyActivated',
		of: STANDALONE,
		status: [400],
		data: object({ ticker }),
		says: (data: { ticker: string }) => `Coin ${data.ticker} is activated already`
	},
	{
		type: 'CoinConfigIsNotFound',
		of: STANDALONE,
		status: [400],
		data: ticker,
		says: (coin: string) => `Coin ${coin} config is not found`
	},
	{
		type: 'CoinProtocolParseError',
		of: STANDALONE,
		status: [400],
		data: withTicker,
		says: (data: { ticker: string; error: string }) =>
			`Coin ${data.ticker} protocol parsing failed: ${data.error}`
	},
	{
		type: 'UnexpectedCoinProtocol',
		of: STANDALONE,
		status: [400],
		data: withProtocol,
		says: unexpected('platform')
	},
	{
		type: 'CoinCreationError',
		of: STANDALONE,
		status: [400],
		data: withTicker,
		says: (data: { ticker: string; error: string }) =>
			`Error on platform coin ${data.ticker} creation: ${data.error}`
	},
	{
		type: 'Transport',
		of: STANDALONE,
		status: [500],
		data: text,
		says: prefixed('Transport error: ')
	}
];

const platformErrors: readonly KdfErrorType[] = [
	{
		type: 'PlatformIsAlreadyActivated',
		of: PLATFORM,
		status: [400],
		data: ticker,
		says: plain
	},
	{
		type: 'PlatformConfigIsNotFound',
		of: PLATFORM,
		status: [400],
		data: ticker,
		says: (coin: string) => `Platform ${coin} config is not found`
	},
	{
		type: 'UnexpectedPlatformProtocol',
		of: PLATFORM,
		status: [400],
		data: withProtocol,
		says: unexpected('platform')
	},
	{
		type: 'CoinProtocolParseError',
		of: PLATFORM,
		status: [500],
		data: withTicker,
		says: (data: { ticker: string; error: string }) =>
			`Platform coin ${data.ticker} protocol parsing failed: ${data.error}`
	},
	{
		type: 'TokenConfigIsNotFound',
		status: [400],
		data: ticker,
		says: (coin: string) => `Token ${coin} config is not found`
	},
	{
		type: 'TokenProtocolParseError',
		status: [500],
		data: withTicker,
		says: (data: { ticker: string; error: string }) =>
			`Token ${data.ticker} protocol parsing failed: ${data.error}`
	},
	{ type: 'UnexpectedTokenProtocol', status: [400], data: withProtocol, says: unexpected('token') },
	{ type: 'CustomTokenError', of: PLATFORM, status: [500], data: customToken },
	{ type: 'CustomTokenError', status: [400], data: customToken },
	{
		type: 'AtLeastOneNodeRequired',
		of: PLATFORM,
		status: [400],
		data: text
	},
	{ type: 'InvalidPayload', status: [400], data: text },
	{ type: 'Transport', of: PLATFORM, status: [502], data: text, says: plain },
	{
		type: 'PrivKeyPolicyNotAllowed',
		status: [500],
		data: text,
		says: prefixed('Private key is not allowed: ')
	},
	{ type: 'PrivKeyNotAllowed', of: PLATFORM, status: [500], data: json },
	{ type: 'UnexpectedDerivationMethod', status: [500], data: text },
	{ type: 'UnexpectedDeviceActivationPolicy', of: PLATFORM, status: [400], data: null },
	{ type: 'WalletConnectError', status: [400], data: text },
	{ type: 'PlatformCoinCreationError', of: PLATFORM, status: [500], data: withTicker },
	{ type: 'PlatformCoinMismatch', of: PLATFORM, status: [500], data: json },
	{ type: 'FailedSpawningBalanceEvents', of: PLATFORM, status: [400], data: text }
];

const tokenErrors: readonly KdfErrorType[] = [
	{ type: 'TokenIsAlreadyActivated', status: [400], data: ticker },
	{ type: 'PlatformCoinIsNotActivated', status: [400], data: ticker },
	{
		type: 'UnsupportedPlatformCoin',
		status: [500],
		data: object({ platform_coin_ticker: ticker, token_ticker: ticker })
	},
	{ type: 'TokenCreationError', of: TOKEN_TASK, status: [400], data: withTicker },
	{ type: 'CouldNotFetchBalance', status: [500], data: text },
	{ type: 'InvalidConfig', of: TOKEN, status: [500], data: text }
];

const signingErrors: readonly KdfErrorType[] = [
	// One documentation page names different coins in message and data.
	{ type: 'InternalError', of: VERIFY, status: [500], data: text },
	{
		type: 'InternalError',
		of: SIGN,
		status: [500],
		data: text
	},
	{
		type: 'PrefixNotFound',
		status: [500],
		data: null,
		says: () => 'sign_message_prefix is not set in coin config'
	},
	{ type: 'CoinIsNotFound', of: SIGN, status: [400], data: text },
	{ type: 'CoinIsNotFound', of: VERIFY, status: [400], data: text },
	{
		type: 'SignatureDecodingError',
		of: VERIFY,
		status: [400],
		data: text,
		says: prefixed('Signature decoding error: ')
	},
	{ type: 'AddressDecodingError', of: VERIFY, status: [400], data: text },
	{ type: 'SigningError', of: SIGN, status: [500], data: json }
];

const otherErrors: readonly KdfErrorType[] = [
	{ type: 'InitializationError', of: REMOTE, status: [400], data: text },
	{ type: 'SessionRequestError', of: REMOTE, status: [500], data: text },
	{ type: 'InternalError', of: REMOTE, status: [500], data: text },
	{ type: 'EnableError', of: STREAM, status: [400], data: text, says: plain },
	{ type: 'DisableError', of: STREAM, status: [400], data: text, says: plain },
	{ type: 'CoinNotFound', of: STREAM, status: [404], data: null },
	{ type: 'CoinNotSupported', of: STREAM, status: [501], data: null },
	{ type: 'CoinIsNotActive', of: HISTORY, status: [404], data: text },
	{ type: 'InvalidTarget', of: HISTORY, status: [400], data: text },
	{ type: 'NotSupportedFor', of: HISTORY, status: [400], data: text },
	{ type: 'StorageIsNotInitialized', of: HISTORY, status: [500], data: text },
	{ type: 'StorageError', of: HISTORY, status: [500], data: text },
	{ type: 'RpcError', of: HISTORY, status: [500], data: text },
	{ type: 'NoSuchCoin', of: BALANCE, status: [400, 404], data: object({ coin: ticker }) },
	{ type: 'CoinIsActivatedNotWithHDWallet', of: BALANCE, status: [400], data: null },
	{ type: 'UnknownAccount', of: BALANCE, status: [400], data: object({ account_id: count }) },
	{ type: 'InvalidBip44Chain', of: BALANCE, status: [400], data: object({ chain: text }) },
	{ type: 'ErrorDerivingAddress', of: BALANCE, status: [400], data: text },
	{ type: 'Timeout', of: BALANCE, status: [408], data: duration },
	{ type: 'WalletStorageError', of: BALANCE, status: [500], data: text },
	{ type: 'RpcInvalidResponse', of: BALANCE, status: [500], data: text },
	{ type: 'FailedScripthashSubscription', of: BALANCE, status: [500], data: text },
	{
		type: 'AddressLimitReached',
		of: BALANCE,
		status: [400],
		data: object({ max_addresses_number: count })
	},
	{
		type: 'AccountLimitReached',
		of: BALANCE,
		status: [400],
		data: object({ max_accounts_number: count }),
		says: (data: { max_accounts_number: number }) =>
			`Accounts limit reached. Max number of accounts: ${data.max_accounts_number}`
	},
	{
		type: 'EmptyAddressesLimitReached',
		of: BALANCE,
		status: [400],
		data: object({ gap_limit: count })
	},
	{ type: 'HwContextNotInitialized', of: BALANCE, status: [400], data: null },
	{ type: 'UnexpectedUserAction', of: BALANCE, status: [400], data: object({ expected: text }) },
	{ type: 'HwError', of: BALANCE, status: [500], data: hardwareWord },
	{ type: 'TrezorNotInitialized', of: /^trezor_connection_status$/, status: [400], data: null },
	{ type: 'FoundUnexpectedDevice', of: /^trezor_connection_status$/, status: [500], data: null },
	{ type: 'CoinsConfCheckError', of: MY_ADDRESS, status: [400], data: text, says: plain },
	{ type: 'CoinIsNotSupported', of: MY_ADDRESS, status: [400], data: text, says: plain },
	{ type: 'GetEthAddressError', of: MY_ADDRESS, status: [500], data: json },
	{
		type: 'WalletsStorageError',
		of: WALLETS,
		status: [500],
		data: text,
		says: prefixed('Wallets storage error: ')
	},
	{ type: 'Transport', status: [500, 502], data: text },
	{
		type: 'Internal',
		of: STATUS_OR_ACTION,
		status: [500],
		data: text,
		says: prefixed('Internal error: ')
	},
	{ type: 'Internal', status: [500], data: text },
	{ type: 'InternalError', of: PLATFORM, status: [500], data: json }
];

/** All error types of version 2. */
export const kdfErrorTypes: readonly KdfErrorType[] = [
	...dispatcherErrors,
	...taskErrors,
	...standaloneErrors,
	...platformErrors,
	...tokenErrors,
	...signingErrors,
	...otherErrors,
	// InvalidRequest of the method itself; that of the dispatcher begins with "Error parsing request".
	{ type: 'InvalidRequest', status: [400], data: text }
];

/** Returns the entry of a type for a method; null when the method does not have this type. */
export function kdfErrorType(type: string, method: string): KdfErrorType | null {
	const found = kdfErrorTypes.find(
		(entry) => entry.type === type && (entry.of === undefined || entry.of.test(method))
	);
	return found ?? null;
}

/** An error as written in an envelope or in the status of a failed task. */
export interface WrittenError {
	error: string;
	error_type: string;
	error_data?: JsonValue | undefined;
}

/** Where an error was found. */
interface ErrorPlace {
	method: string;
	/** HTTP status; undefined in the status of a task, and when unknown. */
	status?: number | undefined;
	/** Documentation shortens messages, so they need not match the data. */
	loose?: boolean;
}

/** What the parser of a request, or of a method, puts before the data of InvalidRequest. */
const INVALID = ['Error parsing request: ', 'Invalid request: ', 'Invalid request error error: '];

function says(entry: KdfErrorType, data: unknown, said: string): boolean {
	if (entry.type === 'InvalidRequest') {
		return INVALID.some((prefix) => said === `${prefix}${String(data)}`);
	}
	return entry.says === undefined ? said !== '' : entry.says(data, said) === said;
}

/** Returns how an error differs from one entry of its type; empty when it matches. */
export function entryMismatches(
	entry: KdfErrorType,
	{ error, error_data: given }: WrittenError,
	{ status, loose }: Pick<ErrorPlace, 'status' | 'loose'>
): string[] {
	const { type } = entry;
	const mismatches: string[] = [];
	if (status !== undefined && !entry.status.includes(status)) {
		mismatches.push(`http: the status of ${type} is ${entry.status.join(' or ')}, not ${status}`);
	}
	let data: unknown;
	if (entry.data === null) {
		if (given !== undefined) mismatches.push(`error: ${type} has no data`);
	} else {
		const decoded = entry.data.safeParse(given);
		if (!decoded.success || given === undefined) {
			return [...mismatches, `error: the data of ${type} has another shape`];
		}
		data = decoded.data;
	}
	if (!loose && !says(entry, data, error)) {
		mismatches.push(`error: the text of ${type} does not follow from its data`);
	}
	return mismatches;
}

/** Returns how an error differs from the entry of its type; empty when it matches. */
export function kdfErrorMismatches(error: WrittenError, place: ErrorPlace): string[] {
	const entry = kdfErrorType(error.error_type, place.method);
	return entry === null
		? [`error: ${place.method} does not know the type ${error.error_type}`]
		: entryMismatches(entry, error, place);
}
