/** Methods that activate a coin: in a single call, or as a task of the node. */
import type { KdfMethod, TaskFamily } from '#lib/rpc/kdf/index.ts';

export const ACTIVATION_METHODS = [
	'electrum',
	'enable',
	'task::enable_utxo',
	'task::enable_bch',
	'task::enable_qtum',
	'task::enable_z_coin',
	'enable_eth_with_tokens',
	'task::enable_eth',
	'enable_erc20',
	'task::enable_erc20',
	'enable_nft',
	'task::init_trezor'
] as const;

/** A method that activates; for a task, its name without the verb. */
export type ActivationMethod = (typeof ACTIVATION_METHODS)[number];

export const isActivationMethod = (text: string): text is ActivationMethod =>
	(ACTIVATION_METHODS as readonly string[]).includes(text);

/** Whether a method activates a token on a platform that is active already. */
export const isTokenMethod = (method: ActivationMethod): boolean =>
	method === 'enable_erc20' || method === 'task::enable_erc20';

/** Returns the family of a task; null for a method that is a single call. */
export const familyOf = (method: ActivationMethod): TaskFamily | null =>
	method.startsWith('task::') ? (method.slice('task::'.length) as TaskFamily) : null;

/** Returns a call of the tasks of a family, such as `task::enable_utxo::init`. */
export const taskMethod = (
	family: TaskFamily,
	verb: 'init' | 'status' | 'user_action' | 'cancel'
): KdfMethod => `task::${family}::${verb}` as KdfMethod;

/** Returns the call with which a method begins. */
export function firstCallOf(method: ActivationMethod): KdfMethod {
	const family = familyOf(method);
	return family === null ? (method as KdfMethod) : taskMethod(family, 'init');
}

/** Takes the place of the ticker in the set-up of a hardware wallet. */
export const DEVICE = 'hardware wallet';
