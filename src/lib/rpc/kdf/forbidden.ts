/**
 * Methods that reveal keys or swap secrets, move funds, or stop the node. They are registered so that they
 * can be refused by name, and are never forwarded.
 */
import { legacy, v2, type KdfMethod } from './method.ts';
import { json } from './types.ts';

const LEGACY = [
	'stop',
	'show_priv_key',
	'withdraw',
	'send_raw_transaction',
	'sign_raw_transaction',
	'buy',
	'sell',
	'setprice',
	'import_swaps',
	'recover_funds_of_swap',
	'my_swap_status',
	'my_recent_swaps'
] as const;

const V2 = [
	'get_private_keys',
	'get_mnemonic',
	'change_mnemonic_password',
	'delete_wallet',
	'recreate_swap_data',
	'withdraw_nft',
	'approve_token',
	'start_simple_market_maker_bot',
	'task::withdraw::init',
	'task::withdraw::status',
	'task::withdraw::user_action',
	'task::withdraw::cancel'
] as const;

const facts = {
	access: 'never',
	params: json,
	result: json
} as const;

type Forbidden = KdfMethod<typeof json, typeof json>;
type ForbiddenMethod = (typeof LEGACY)[number] | (typeof V2)[number];

export const forbiddenMethods = Object.fromEntries([
	...LEGACY.map((name) => [name, legacy({ ...facts, name })] as const),
	...V2.map((name) => [name, v2({ ...facts, name })] as const)
]) as Readonly<Record<ForbiddenMethod, Forbidden>>;
