/** Parameters of activations and tasks, parsed like the node's parser. */
import type { ElectrumServerSpec } from './electrumClient.ts';
import { wordsOf, type KdfRules } from './rules.ts';
import {
	anything,
	boolean,
	exactU64,
	f64,
	fallback,
	list,
	optional,
	required,
	string,
	struct,
	tagged,
	u32,
	u64,
	variant,
	type Read
} from './serde.ts';
import { isJsonObject } from '#lib/rpc/json.ts';
import { DEFAULT_GAP, type Mode } from './utxo.ts';

const electrumServer: Read<ElectrumServerSpec> = struct('ElectrumConnectionSettings', {
	url: required(string),
	protocol: fallback(variant('TCP', 'SSL', 'WS', 'WSS'), 'TCP' as const),
	disable_cert_verification: fallback(boolean, false),
	timeout_sec: optional(f64)
});

export const electrumServers = list(electrumServer);

const electrumMode = struct('ActivationModeElectrum', {
	servers: required(electrumServers),
	min_connected: optional(u64),
	max_connected: optional(u64)
});

const activationMode = tagged('UtxoRpcMode', 'rpc', 'rpc_data', {
	Native: null,
	Electrum: electrumMode
});

/** `mode` of task activations. */
const mode: Read<Mode> = (value) => {
	const read = activationMode(value);
	if (read.type === 'Native') return { rpc: 'Native' };
	const { servers, min_connected, max_connected } = read.value;
	return { rpc: 'Electrum', servers, least: min_connected, most: max_connected };
};

export const side = variant('External', 'Internal');

export const pathToAddress = struct('HDPathAccountToAddressId', {
	account_id: required(u32),
	chain: required(side),
	address_id: required(u32)
});

export const addressFormat = struct('UtxoAddressFormat', {
	format: required(string),
	network: optional(string)
});

/** Options of HD wallets, at the same level as the other fields. */
export const hdFields = {
	path_to_address: optional(pathToAddress),
	scan_policy: fallback(
		variant('do_not_scan', 'scan_if_new_wallet', 'scan'),
		'scan_if_new_wallet' as const
	),
	min_addresses_number: optional(u32),
	gap_limit: fallback(u32, DEFAULT_GAP)
};

const mergeParams = (rules: KdfRules) =>
	struct('UtxoMergeParams', {
		merge_at: required(u64),
		check_every: rules.seedForms ? required(f64) : fallback(f64, 10),
		max_merge_at_once: rules.seedForms ? required(u64) : fallback(u64, 100)
	});

export type KeyPolicy = 'context' | 'device' | { session: string };

/** A plain string in the release, an object in the interface document. */
const utxoPolicy =
	(rules: KdfRules): Read<KeyPolicy> =>
	(value) => {
		if (rules.seedForms) return taggedPolicy(rules)(value);
		if (rules.build === '3.0.0' && isJsonObject(value)) {
			const [name] = Object.keys(value);
			if (name !== undefined) variant('ContextPrivKey', 'Trezor', 'WalletConnect')(name);
			const { WalletConnect: session } = value;
			return {
				session: struct('WalletConnect', { session_topic: required(string) })(session!)
					.session_topic
			};
		}
		const names =
			rules.build === '3.0.0'
				? (['ContextPrivKey', 'Trezor', 'WalletConnect'] as const)
				: (['ContextPrivKey', 'Trezor'] as const);
		return variant(...names)(value) === 'Trezor' ? 'device' : 'context';
	};

const taggedPolicy =
	(rules: KdfRules): Read<KeyPolicy> =>
	(value) => {
		const { devicePolicy, signerPolicy } = wordsOf(rules);
		const content = rules.seedForms ? 'data' : 'params';
		const read = tagged('EthPrivKeyActivationPolicy', 'type', content, {
			ContextPrivKey: null,
			[devicePolicy]: null,
			[signerPolicy]: rules.seedForms
				? (((given) => ({ session_topic: string(given) })) as Read<{ session_topic: string }>)
				: struct('WalletConnect', { session_topic: required(string) })
		})(value) as { type: string; value: { session_topic: string } | undefined };
		if (read.type === devicePolicy) return 'device';
		return read.value ? { session: read.value.session_topic } : 'context';
	};

export const evmPolicy = taggedPolicy;

/** `activation_params` of a standalone UTXO coin's task. */
const utxoActivation = (rules: KdfRules, isBch: boolean) =>
	struct(isBch ? 'BchWithTokensActivationParams' : 'UtxoActivationParams', {
		mode: required(mode),
		bchd_urls: isBch ? required(list(string)) : fallback(list(string), []),
		allow_slp_unsafe_conf: fallback(boolean, false),
		utxo_merge_params:
			rules.seedForms && isBch ? required(mergeParams(rules)) : optional(mergeParams(rules)),
		slp_tokens_requests:
			rules.seedForms && isBch ? required(list(tokenRequest)) : optional(anything),
		get_balances: rules.seedForms ? fallback(boolean, true) : optional(anything),
		tx_history: fallback(boolean, false),
		required_confirmations: optional(u64),
		requires_notarization: optional(boolean),
		address_format: optional(addressFormat),
		priv_key_policy: fallback(utxoPolicy(rules), 'context' as KeyPolicy),
		check_utxo_maturity: optional(boolean),
		...hdFields
	});

export const tokenRequest = struct('TokensRequest', {
	ticker: required(string),
	required_confirmations: optional(u64),
	protocol: optional(anything)
});

/** `params` of a standalone coin's task. */
export const standaloneInit = (rules: KdfRules, isBch: boolean) =>
	struct('InitStandaloneCoinReq', {
		ticker: required(string),
		activation_params: required(utxoActivation(rules, isBch)),
		client_id: fallback(exactU64, 0n)
	});

export const statusRequest = struct('RpcTaskStatusRequest', {
	task_id: required(exactU64),
	forget_if_finished: fallback(boolean, true)
});

export const cancelRequest = struct('CancelRpcTaskRequest', { task_id: required(exactU64) });

/** `params` of `user_action`. */
export const actionRequest = (rules: KdfRules) => {
	const { pinAction, passphraseAction } = wordsOf(rules);
	const action: Read<{ kind: 'pin' | 'passphrase'; text: string }> = (value) => {
		const { action_type: type } = struct('HwRpcTaskUserAction', {
			action_type: required(variant(pinAction, passphraseAction))
		})(value);
		return type === pinAction
			? { kind: 'pin', text: struct(pinAction, { pin: required(string) })(value).pin }
			: {
					kind: 'passphrase',
					text: struct(passphraseAction, { passphrase: required(string) })(value).passphrase
				};
	};
	return struct('RpcTaskUserActionRequest', {
		task_id: required(exactU64),
		user_action: required(action)
	});
};
