import type { CoinState } from '#lib/server/kdf/activation/coins/search.ts';
import type { ActivationMethod } from '#lib/server/kdf/activation/methods.ts';
import type { ActivationState } from '#lib/server/kdf/activation/states.ts';

type Tone = 'good' | 'wait' | 'bad' | 'unknown';

/** How a coin stands, in the list. */
export const COIN_MARKS: Readonly<Record<CoinState, { state: Tone; word: string }>> = {
	active: { state: 'good', word: 'active' },
	'under-way': { state: 'wait', word: 'being activated' },
	failed: { state: 'bad', word: 'last try failed' },
	inactive: { state: 'unknown', word: 'not active' }
};

/** How an activation stands. */
export const TASK_MARKS: Readonly<Record<ActivationState, { state: Tone; word: string }>> = {
	probing: { state: 'wait', word: 'looking at the servers' },
	starting: { state: 'wait', word: 'asking the node' },
	running: { state: 'wait', word: 'the node works on it' },
	action: { state: 'wait', word: 'waits for a person' },
	waiting: { state: 'wait', word: 'waits for the next try' },
	active: { state: 'good', word: 'active' },
	failed: { state: 'bad', word: 'failed' },
	cancelled: { state: 'unknown', word: 'ended' },
	void: { state: 'bad', word: 'lost' }
};

/** The ways to activate, as buttons say it. */
export const METHOD_TITLES: Readonly<Record<ActivationMethod, string>> = {
	'task::enable_utxo': 'As a task',
	electrum: 'In one call',
	enable: 'Own daemon',
	'task::enable_bch': 'BCH with SLP tokens',
	enable_eth_with_tokens: 'With its tokens',
	'task::enable_eth': 'With its tokens, as a task',
	enable_erc20: 'As a token',
	enable_nft: 'NFTs',
	'task::init_trezor': 'Hardware wallet'
};
