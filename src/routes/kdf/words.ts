import type { CoinState } from '#lib/server/kdf/activation/coins/search.ts';
import type { ActivationMethod } from '#lib/server/kdf/activation/methods.ts';
import type { ActivationState } from '#lib/server/kdf/activation/states.ts';

type Tone = 'good' | 'wait' | 'bad' | 'unknown';

/** How a coin stands, in the list. */
export const COIN_MARKS: Readonly<Record<CoinState, { state: Tone; word: string }>> = {
	active: { state: 'good', word: 'Active' },
	'under-way': { state: 'wait', word: 'Activating' },
	failed: { state: 'bad', word: 'Failed' },
	inactive: { state: 'unknown', word: 'Inactive' }
};

/** How an activation stands. */
export const TASK_MARKS: Readonly<Record<ActivationState, { state: Tone; word: string }>> = {
	probing: { state: 'wait', word: 'Checking servers' },
	starting: { state: 'wait', word: 'Starting' },
	running: { state: 'wait', word: 'In progress' },
	action: { state: 'wait', word: 'Action required' },
	waiting: { state: 'wait', word: 'Retrying' },
	active: { state: 'good', word: 'Active' },
	failed: { state: 'bad', word: 'Failed' },
	cancelled: { state: 'unknown', word: 'Canceled' },
	void: { state: 'bad', word: 'Lost' }
};

/** The ways to activate, as buttons say it. */
export const METHOD_TITLES: Readonly<Record<ActivationMethod, string>> = {
	'task::enable_utxo': 'Electrum (recommended)',
	electrum: 'Electrum (legacy call)',
	enable: 'Native node',
	'task::enable_bch': 'BCH with SLP tokens',
	enable_eth_with_tokens: 'EVM + tokens (legacy call)',
	'task::enable_eth': 'EVM + tokens',
	enable_erc20: 'Token',
	enable_nft: 'NFTs',
	'task::init_trezor': 'Hardware wallet'
};
