/**
 * Which files of tests show what only a test can show of the trading node's document, and where a released node is
 * known to differ from it. Reviewed by hand; a file that is renamed or removed makes its rows gaps.
 */
import type { Claims } from './claims.ts';

export const NODE_CLAIMS: Claims = {
	'rule/What the service does/1': ['tests/integration/devnet/kdf.test.ts'],
	'rule/What the service does/2': [
		'tests/integration/devnet/kdf.test.ts',
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'rule/What the service does/3': ['tests/integration/activation/activation.test.ts'],
	'rule/What the service does/4': ['tests/integration/activation/activation.test.ts'],
	'rule/What the service does/5': ['tests/integration/devnet/kdf.test.ts'],
	'rule/What the service does/6': [
		'tests/integration/devnet/kdfSeed.test.ts',
		'tests/integration/devnet/kdf.test.ts'
	],
	'envelope/Version 2/userpass': [
		'tests/faults/kdfGateway.test.ts',
		'tests/faults/kdfProxy.test.ts'
	],
	'envelope/Version 2/method': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Version 2/mmrpc': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Version 2/params': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Version 2/id': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Legacy methods': ['tests/faults/kdfProxy.test.ts', 'tests/faults/kdfGateway.test.ts'],
	'envelope/Version 2 success': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Version 2 error': ['tests/faults/kdfProxy.test.ts'],
	'envelope/Legacy success': ['tests/faults/kdfProxy.test.ts', 'tests/faults/kdfGateway.test.ts'],
	'form/enable_eth_with_tokens/nfts_infos/object': ['tests/integration/devnet/kdf.test.ts'],
	'form/enable_eth_with_tokens/nfts_infos/list': ['tests/integration/devnet/kdfSeed.test.ts'],
	'move/(none)/task::enable_bch::init/valid request': ['tests/integration/devnet/kdfSeed.test.ts'],
	'move/in progress/activation completes': ['tests/integration/devnet/kdfSeed.test.ts'],
	'move/UserActionRequired/task::enable_bch::user_action': [
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'move/in progress/task::enable_bch::cancel/task not finished': [
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'move/finished/task::enable_bch::cancel/task already finished': [
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'move/unknown id/status, cancel/task id not known': ['tests/integration/devnet/kdfSeed.test.ts'],
	'rule/sign_message/result': ['tests/integration/devnet/kdf.test.ts'],
	'rule/Authentication/1': ['tests/faults/kdfGateway.test.ts'],
	'rule/Authentication/3': [
		'tests/integration/devnet/kdfSeed.test.ts',
		'tests/integration/devnet/kdf.test.ts'
	],
	'rule/Authentication/4': ['tests/integration/devnet/kdfSeed.test.ts'],
	'error/legacy/mm2 set neither in the coins config nor in the request (coin assumed unsupported)':
		['tests/integration/activation/activation.test.ts'],
	'error/legacy/min_connected below 1 (must be greater than 0)': [
		'tests/contract/replay-kdf/replay.test.ts'
	],
	'error/legacy/min_connected greater than max_connected': [
		'tests/contract/replay-kdf/replay.test.ts'
	],
	'error/legacy/all electrum servers unavailable': [
		'tests/contract/replay-kdf/replay.test.ts',
		'tests/integration/devnet/kdf.test.ts'
	],
	'error/legacy/failure to connect to the native daemon': ['tests/integration/devnet/kdf.test.ts'],
	'error/legacy/failure to get the gas price from the station': [
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'error/legacy/all RPC servers of the platform unavailable': [
		'tests/integration/devnet/kdfSeed.test.ts'
	],
	'error/legacy/coin already activated': ['tests/integration/devnet/kdf.test.ts'],
	'limit/Coin activations per session': ['tests/integration/devnet/kdf.test.ts'],
	'limit/min_connected': [
		'tests/contract/replay-kdf/replay.test.ts',
		'tests/integration/activation/activation.test.ts'
	],
	'limit/Default required_confirmations': ['tests/integration/devnet/kdfSeed.test.ts'],
	'rule/Versioning/1': ['tests/faults/kdfProxy.test.ts'],
	'rule/Versioning/2': ['tests/integration/devnet/kdf.test.ts'],
	'rule/Versioning/3': ['tests/integration/devnet/kdfSeed.test.ts']
};

/** Rows that a released node does not show, each group with the reason. */
export const RELEASE_DIFFERS: readonly { rows: RegExp; why: string }[] = [
	{ rows: /^form\/enable_eth_with_tokens\/nfts_infos\/list$/, why: 'it gives a map' },
	{
		rows: /\/result\/(?:coin\/absent|locked_by_swaps\/present)$/,
		why: 'forms of builds that are older than any that is played here'
	},
	{ rows: /^state\/InProgress\/Finishing$/, why: 'its last step is ActivatingCoin again' },
	{
		rows: /^state\/InProgress\/WaitingForHardwareToConnect$/,
		why: 'the device is set up by a task of its own, where the word is WaitingForTrezorToConnect'
	},
	{
		rows: /\/param\/(?:fallback_swap_contract|slp_tokens_requests|utxo_merge_params)\/omitted$/,
		why: 'it does without'
	},
	{ rows: /\/param\/ticker=tBCH$/, why: 'the coins file of today has it as a plain UTXO coin' },
	{
		rows: /^task::enable_bch::status\/result\/.*\.(?:total_balance|balance)\/absent$/,
		why: 'it gives balances whatever get_balances says'
	},
	{
		rows: /^task::enable_bch::status\/result\/details\.result\./,
		why: 'the error stands in details'
	},
	{
		rows: /^error\/enable_eth_with_tokens\/(?:InternalError|PlatformCoinCreationError|PrivKeyNotAllowed)$/,
		why: 'the types are Internal, InvalidPayload and WalletConnectError'
	},
	{
		rows: /^error\/sign_message\/(?:CoinIsNotFound|SigningError)$/,
		why: 'it says InternalError'
	},
	{
		rows: /^error\/legacy\/failure to get the gas price from the station$/,
		why: 'it takes no notice of gas stations'
	}
];
