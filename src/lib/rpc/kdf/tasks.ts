/**
 * Long-running tasks that are started, polled, given user actions and cancelled: `task::<family>::init`,
 * `status`, `user_action`, `cancel`. Task ids are unique across families; each family has its own table.
 */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { bool, list, object, oneOf, text } from '../types.ts';
import { evmParams, evmResult, tokenTaskParams } from './evm.ts';
import { v2, type KdfMethod } from './method.ts';
import {
	addressFormat,
	chainSide,
	count,
	derivationPath,
	electrumServer,
	evmAddress,
	hdAccount,
	hdOptions,
	holds,
	json,
	mergeParams,
	num,
	openWord,
	same,
	seedWalletBalance,
	shieldedBalance,
	spelled,
	ticker,
	tokensRequest,
	utxoPolicy,
	walletAddress,
	walletBalance,
	word,
	type Spelling,
	type Spelled
} from './types.ts';

/** Error of a failed task: as in an envelope, without `mmrpc` and `id`. */
export const taskError = object({
	error: text,
	error_path: text,
	error_trace: text,
	error_type: text,
	error_data: json.optional()
});
type TaskError = z.output<typeof taskError>;

/** Neutral names of steps that the released node names differently. */
const STEPS = { WaitingForHardwareToConnect: 'WaitingForTrezorToConnect' } as const;
/** Neutral names of the user actions that the node may request. */
const USER_ACTIONS = {
	EnterHardwarePin: 'EnterTrezorPin',
	EnterHardwarePassphrase: 'EnterTrezorPassphrase'
} as const;

/** Progress of a step: blocks read, of how many. */
const progress = oneOf([
	object({ current_scanned_block: count, last_block: count }),
	object({ current_scanned_block: count, latest_block: count })
]);
const stepWithData = oneOf([
	object({ SyncingBlockHeaders: progress }),
	object({ UpdatingBlocksCache: progress }),
	object({ BuildingWalletDb: progress }),
	object({ TemporaryError: text }),
	object({ ConfirmAddress: object({ expected_address: text }) })
]);

/** Result of `status`. An error is final, whatever the status next to it says. */
function taskStatus<D extends z.ZodType>(dialect: Spelling, details: D) {
	const real = oneOf([
		object({ status: z.literal('Ok'), details }),
		object({ status: z.literal('Error'), details: taskError }),
		object({
			status: z.literal('InProgress'),
			details: oneOf([openWord(dialect, STEPS), stepWithData])
		}),
		object({
			status: z.literal('UserActionRequired'),
			details: openWord(dialect, USER_ACTIONS)
		})
	]);
	if (dialect === 'kdf') return real;
	const failed = z.codec(
		object({ status: text, details: object({ result: taskError }) }),
		z.object({ status: z.literal('Error'), details: z.custom<TaskError>() }),
		{
			decode: (wire) => ({ status: 'Error' as const, details: wire.details.result }),
			encode: (native) => ({ status: native.status, details: { result: native.details } })
		}
	);
	const asked = z.codec(
		object({ status: z.literal('UserActionRequired') }),
		z.object({
			status: z.literal('UserActionRequired'),
			details: z.literal('EnterHardwarePin')
		}),
		{
			decode: ({ status }) => ({ status, details: 'EnterHardwarePin' as const }),
			encode: ({ status }) => ({ status })
		}
	);
	return oneOf([failed, real, asked]) as unknown as typeof real;
}

type Members = { readonly [name: string]: JsonValue };

/** Error of a task that failed without a reason. */
const UNEXPLAINED: TaskError = {
	error: '',
	error_path: '',
	error_trace: '',
	error_type: 'Unknown'
};

/** Reads an error and fills in the members that an unknown build omitted; null when there is no error. */
function errorOf(given: JsonValue | undefined): TaskError | null {
	const told: Members = isJsonObject(given) ? given : {};
	const word = (name: string): string => {
		const value = told[name];
		return typeof value === 'string' ? value : '';
	};
	const message = typeof given === 'string' ? given : word('error') || word('message');
	const type = word('error_type');
	if (message === '' && type === '') return null;
	return {
		error: message || type,
		error_path: word('error_path'),
		error_trace: word('error_trace'),
		error_type: type || 'Unknown',
		...(told['error_data'] === undefined ? {} : { error_data: told['error_data'] })
	};
}

/**
 * Reads the state of a task whose details match no known build, so that a finished task is not polled
 * forever. Null when not even the state can be read.
 */
export function unknownStatus(wire: JsonValue): { status: string; details: JsonValue } | null {
	if (!isJsonObject(wire)) return null;
	const { status, details = null } = wire;
	const inside = isJsonObject(details) ? details['result'] : undefined;
	const failed = status === 'Error' || isJsonObject(inside) ? errorOf(inside ?? details) : null;
	if (status === 'Error' || (failed !== null && failed.error_type !== 'Unknown')) {
		return { status: 'Error', details: { ...(failed ?? UNEXPLAINED) } as JsonValue };
	}
	return status === 'Ok' || status === 'InProgress' || status === 'UserActionRequired'
		? { status, details }
		: null;
}

const userAction = (dialect: Spelling) =>
	oneOf([
		object({
			action_type: word(dialect, { HardwarePin: 'TrezorPin' }),
			pin: z.string().regex(/^\d+$/, 'expected digits')
		}),
		object({
			action_type: word(dialect, { HardwarePassphrase: 'TrezorPassphrase' }),
			passphrase: text
		})
	]);

const success = z.literal('success');
const taskId = object({ task_id: count });
const statusParams = object({ task_id: count, forget_if_finished: bool.optional() });
const actionParams = spelled((dialect) =>
	object({ task_id: count, user_action: userAction(dialect) })
);
const clientId = { client_id: count.optional() };

type Schema<S> = S extends Spelled<infer Z> ? Z : never;
type StatusSchema<D extends z.ZodType> = ReturnType<typeof taskStatus<D>>;

type TaskMethods<F extends string, P extends z.ZodType, D extends z.ZodType> = {
	[K in `task::${F}::init`]: KdfMethod<P, typeof taskId>;
} & {
	[K in `task::${F}::status`]: KdfMethod<typeof statusParams, StatusSchema<D>>;
} & {
	[K in `task::${F}::user_action`]: KdfMethod<Schema<typeof actionParams>, typeof success>;
} & {
	[K in `task::${F}::cancel`]: KdfMethod<typeof taskId, typeof success>;
};

/** Defines the four methods of a family. `details` is the result of a successful task. */
function family<const F extends string, P extends z.ZodType, D extends z.ZodType>(
	name: F,
	params: Spelled<P>,
	details: (dialect: Spelling) => D,
	example: z.output<P>
): TaskMethods<F, P, D> {
	const of = (verb: string): string => `task::${name}::${verb}`;
	return {
		[of('init')]: v2({
			name: of('init'),
			access: 'activate',
			signs: false,
			deadline: 'send',
			params,
			result: taskId,
			examples: [example]
		}),
		[of('status')]: v2({
			name: of('status'),
			access: 'read',
			answer: answers.transaction,
			params: statusParams,
			result: spelled((dialect) => taskStatus(dialect, details(dialect))),
			examples: [{ task_id: 0, forget_if_finished: false }]
		}),
		[of('user_action')]: v2({
			name: of('user_action'),
			access: 'activate',
			signs: false,
			deadline: 'send',
			params: actionParams,
			result: success,
			examples: [{ task_id: 0, user_action: { action_type: 'HardwarePin', pin: '862743' } }]
		}),
		[of('cancel')]: v2({
			name: of('cancel'),
			access: 'activate',
			signs: false,
			deadline: 'send',
			params: taskId,
			result: success,
			examples: [{ task_id: 0 }]
		})
	} as unknown as TaskMethods<F, P, D>;
}

/** Connects through Electrum servers, or through the coin's own daemon. */
const activationMode = oneOf([
	object({
		rpc: z.literal('Electrum'),
		rpc_data: object({
			servers: list(electrumServer),
			min_connected: count.optional(),
			max_connected: count.optional()
		})
	}),
	object({ rpc: z.literal('Native') })
]);

/** Fields of `activation_params` for UTXO coins. */
const utxoActivation = (dialect: Spelling) => ({
	mode: activationMode,
	utxo_merge_params: mergeParams(dialect).optional(),
	tx_history: bool.optional(),
	required_confirmations: count.optional(),
	requires_notarization: bool.optional(),
	address_format: addressFormat.optional(),
	priv_key_policy: utxoPolicy(dialect).optional(),
	check_utxo_maturity: bool.optional(),
	get_balances: bool.optional(),
	...hdOptions
});

const utxoParams = (dialect: Spelling) =>
	object({ ticker, activation_params: object(utxoActivation(dialect)), ...clientId });

const tokens = list(tokensRequest);

/** The interface document requires the merge parameters and the tokens; a released node requires neither. */
const bchParams = (dialect: Spelling) => {
	const merge = mergeParams(dialect);
	const required = dialect === 'seed';
	return object({
		ticker,
		activation_params: object({
			...utxoActivation(dialect),
			bchd_urls: list(text),
			allow_slp_unsafe_conf: bool.optional(),
			utxo_merge_params: (required ? merge : merge.optional()) as z.ZodOptional<typeof merge>,
			slp_tokens_requests: (required ? tokens : tokens.optional()) as z.ZodOptional<typeof tokens>
		}),
		...clientId
	});
};

const standaloneOfSeed = object({
	ticker,
	current_block: count,
	wallet_balance: seedWalletBalance
});
const standaloneOfKdf = object({
	ticker,
	current_block: count,
	wallet_balance: walletBalance
}).refine(
	(details) => holds(details.ticker, details.wallet_balance),
	'expected a balance of the coin'
);
const standalone = (dialect: Spelling) => (dialect === 'kdf' ? standaloneOfKdf : standaloneOfSeed);

const syncParams = oneOf([
	z.literal('earliest'),
	object({ height: count }),
	object({ date: count })
]);
const lightServers = {
	light_wallet_d_servers: list(text),
	min_connected: count.optional(),
	max_connected: count.optional(),
	sync_params: syncParams.optional(),
	skip_sync_params: bool.optional()
};
/** Parameters of a shielded coin, with lightwalletd servers in addition to Electrum servers. */
const shieldedParams = object({
	ticker,
	activation_params: object({
		mode: oneOf([
			object({
				rpc: z.enum(['Light', 'Electrum']),
				rpc_data: oneOf([
					object({ electrum_servers: list(electrumServer), ...lightServers }),
					object({ servers: list(electrumServer), ...lightServers })
				])
			}),
			object({ rpc: z.literal('Native') })
		]).optional(),
		required_confirmations: count.optional(),
		requires_notarization: bool.optional(),
		zcash_params_path: text.optional(),
		scan_blocks_per_iteration: count.optional(),
		scan_interval_ms: num.optional(),
		account: count.optional()
	}),
	...clientId
});
const shieldedDetails = object({
	ticker,
	current_block: count,
	wallet_balance: shieldedBalance,
	first_sync_block: object({ requested: count, is_pre_sapling: bool, actual: count }).optional()
});

const deviceParams = object({ device_pubkey: text.optional(), ...clientId });
export const device = object({
	type: z.literal('Trezor'),
	model: z.nullable(text),
	device_name: z.nullable(text),
	device_id: z.nullable(text),
	device_pubkey: z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 hex digits')
});

const tokenDetails = object({
	ticker,
	platform_coin: ticker,
	token_contract_address: evmAddress,
	current_block: count,
	required_confirmations: count,
	wallet_balance: walletBalance
});

const servers = [{ url: 'kmd.electrum1.cipig.net:20001', protocol: 'SSL' as const }];
const mode = { rpc: 'Electrum' as const, rpc_data: { servers } };

export const taskMethods = {
	...family('enable_utxo', spelled(utxoParams), standalone, {
		ticker: 'KMD',
		activation_params: { mode, scan_policy: 'scan_if_new_wallet', gap_limit: 20 }
	}),
	...family('enable_bch', spelled(bchParams), standalone, {
		ticker: 'BCH',
		activation_params: {
			mode,
			bchd_urls: ['https://bchd.example'],
			slp_tokens_requests: [],
			utxo_merge_params: { merge_at: 50, check_every: 10, max_merge_at_once: 25 }
		}
	}),
	...family('enable_qtum', spelled(utxoParams), standalone, {
		ticker: 'QTUM',
		activation_params: { mode }
	}),
	...family(
		'enable_eth',
		spelled((dialect) => evmParams(dialect).extend(clientId).strict()),
		evmResult,
		{
			ticker: 'ETH',
			nodes: [{ url: 'https://node.example:8545' }],
			swap_contract_address: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
			fallback_swap_contract: '0x8500AFc0bc5214728082163326C2FF0C73f4a871',
			erc20_tokens_requests: []
		}
	),
	...family('enable_erc20', same(tokenTaskParams.extend(clientId).strict()), () => tokenDetails, {
		ticker: 'USDC-ERC20',
		activation_params: { required_confirmations: 3 }
	}),
	...family('enable_z_coin', same(shieldedParams), () => shieldedDetails, {
		ticker: 'ZOMBIE',
		activation_params: {
			mode: {
				rpc: 'Light',
				rpc_data: { electrum_servers: servers, light_wallet_d_servers: ['https://lwd.example'] }
			}
		}
	}),
	...family('init_trezor', same(deviceParams), () => device, {}),
	...family(
		'account_balance',
		same(object({ coin: ticker, account_index: count, ...clientId })),
		() => hdAccount,
		{ coin: 'KMD', account_index: 0 }
	),
	...family(
		'create_new_account',
		same(
			object({
				coin: ticker,
				scan: bool.optional(),
				gap_limit: count.optional(),
				account_id: count.optional(),
				...clientId
			})
		),
		() => hdAccount,
		{ coin: 'KMD', scan: true }
	),
	...family(
		'get_new_address',
		same(
			object({
				coin: ticker,
				account_id: count,
				chain: chainSide.optional(),
				gap_limit: count.optional(),
				...clientId
			})
		),
		() => object({ new_address: walletAddress }),
		{ coin: 'KMD', account_id: 0, chain: 'External' }
	),
	...family(
		'scan_for_new_addresses',
		same(object({ coin: ticker, account_index: count, gap_limit: count.optional(), ...clientId })),
		() =>
			object({
				account_index: count,
				derivation_path: derivationPath,
				new_addresses: list(walletAddress)
			}),
		{ coin: 'KMD', account_index: 0 }
	)
};
