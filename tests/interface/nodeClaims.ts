/**
 * What only a test can show of the trading node's document, and where a released node is known to differ
 * from it. Reviewed by hand; a test that is renamed or removed makes its row a gap.
 */
import type { Claim } from './claims.ts';

const from =
	(file: string) =>
	(...tests: readonly string[]): Claim[] =>
		tests.map((test) => ({ file, test }));

const node = from('tests/integration/devnet/node.test.ts');
const documented = from('tests/integration/devnet/nodeSeed.test.ts');
const door = from('tests/faults/nodeDoor.test.ts');
const gateway = from('tests/faults/nodeGateway.test.ts');
const activation = from('tests/integration/activation/activation.test.ts');
const replay = from('tests/contract/replayNode/replay.test.ts');

const ELSEWHERE = 'every error of the network that was collected elsewhere comes from a cause';
const OWN_DAEMON = 'uses the daemon of a coin where it finds its configuration';
const PLATFORM = 'activates a platform with its tokens and NFTs, and signs as on Ethereum';
const SIGNATURE = 'gives an address, a balance and a signature that another library takes';
const REQUIRED = 'wants what the document requires of BCH, and ends an activation with Finishing';
const DEVICE =
	'waits for a device to be connected, asks for its PIN and knows no other word for it';
const WORDS = 'uses the words of the document for NFTs, remote signers and faults of a platform';
const FAULTS = 'names each fault of a platform by the word that the document has for it';
const STATION = 'asks the gas station that is named, and without one tells what swaps hold';
const ENDS =
	'fails a task whose servers are dead or whose person is away, and ends one that is cancelled';
const OPTIONS = 'wants each option in the configuration of a daemon that it is to use';
const UNKNOWN = 'tells a coin that is in no file from one that is not active';
const ENVELOPE = 'is answered in the envelope it came in, with the caller’s id';
const SPELLING = 'takes either spelling and refuses what no node would take, in the node’s words';
const PASSWORD = 'gets its password in every call but the open one';
const STEPS = 'goes through the steps of an activation, keeps its result until it is read';
const FIELDS = 'says at the field what is wrong with a form, all at once';

const claims: Readonly<Record<string, readonly Claim[]>> = {
	'rule/What the service does/1': node(PLATFORM, SIGNATURE, OWN_DAEMON),
	'rule/What the service does/2': [...node(OWN_DAEMON, STEPS), ...documented(UNKNOWN)],
	'rule/What the service does/3': activation(
		'says in words what the older calls answer: %s',
		FIELDS
	),
	'rule/What the service does/4': activation(
		'looks at the servers, starts a task, follows it, keeps the result',
		'lets one person give the PIN, counts the tries, and closes the pad with the task',
		'ends a task when asked, and says what became of one that had finished'
	),
	'rule/What the service does/5': node(SIGNATURE, PLATFORM),
	'rule/What the service does/6': [...documented(OPTIONS), ...node(SIGNATURE, PLATFORM)],
	'envelope/Version 2/userpass': [
		...gateway(PASSWORD),
		...door('brings no password of its own: whoever sends one is told so')
	],
	'envelope/Version 2/method': door(SPELLING),
	'envelope/Version 2/mmrpc': door(SPELLING),
	'envelope/Version 2/params': door(SPELLING),
	'envelope/Version 2/id': door(ENVELOPE),
	'envelope/Legacy methods': [...door(ENVELOPE), ...gateway(PASSWORD)],
	'envelope/Version 2 success': door(ENVELOPE),
	'envelope/Version 2 error': door(ENVELOPE),
	'envelope/Legacy success': [
		...door(ENVELOPE),
		...gateway('says why it refuses; its own words are known in plain ones')
	],
	'form/enable_eth_with_tokens/nfts_infos/object': node(PLATFORM),
	'form/enable_eth_with_tokens/nfts_infos/list': documented(FAULTS),
	'move/(none)/task::enable_bch::init/valid request': documented(REQUIRED),
	'move/in progress/activation completes': documented(REQUIRED),
	'move/UserActionRequired/task::enable_bch::user_action': documented(DEVICE),
	'move/in progress/task::enable_bch::cancel/task not finished': documented(ENDS),
	'move/finished/task::enable_bch::cancel/task already finished': documented(ENDS),
	'move/unknown id/status, cancel/task id not known': documented(ENDS),
	'rule/sign_message/result': node(
		'finds the addresses that were used, and signs with the key of any path'
	),
	'rule/Authentication/1': gateway(PASSWORD),
	'rule/Authentication/3': [
		...documented(WORDS),
		...node('uses a remote signer that agreed, by the node’s WebSocket address')
	],
	'rule/Authentication/4': documented(DEVICE),
	'error/legacy/mm2 set neither in the coins config nor in the request (coin assumed unsupported)':
		activation('says in words what the older calls answer: %s'),
	'error/legacy/min_connected below 1 (must be greater than 0)': replay(ELSEWHERE),
	'error/legacy/min_connected greater than max_connected': replay(ELSEWHERE),
	'error/legacy/all electrum servers unavailable': [
		...replay(ELSEWHERE),
		...node('finds a dead server dead, one good beside it enough')
	],
	'error/legacy/failure to connect to the native daemon': node(OWN_DAEMON),
	'error/legacy/failure to get the gas price from the station': documented(STATION),
	'error/legacy/all RPC servers of the platform unavailable': documented(STATION),
	'error/legacy/coin already activated': node(OWN_DAEMON),
	'limit/Coin activations per session': node(OWN_DAEMON, STEPS),
	'limit/min_connected': [...replay(ELSEWHERE), ...activation(FIELDS)],
	'limit/Default required_confirmations': documented(UNKNOWN),
	'rule/Versioning/1': door(SPELLING),
	'rule/Versioning/2': node('activates BCH with its own addresses and keeps a history'),
	'rule/Versioning/3': documented(WORDS)
};

/** By `document: row id`. */
export const NODE_CLAIMS: readonly (readonly [string, readonly Claim[]])[] = Object.entries(
	claims
).map(([row, tests]) => [`trading-node: ${row}`, tests]);

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
