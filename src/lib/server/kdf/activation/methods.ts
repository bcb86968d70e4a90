/** The ways to activate a coin: in one call, or as a task of the node. */
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

/** A way to activate; of a task without its verb. */
export type ActivationMethod = (typeof ACTIVATION_METHODS)[number];

export const isActivationMethod = (text: string): text is ActivationMethod =>
	(ACTIVATION_METHODS as readonly string[]).includes(text);

/** A token that its platform, active already, takes up. */
export const isTokenMethod = (method: ActivationMethod): boolean =>
	method === 'enable_erc20' || method === 'task::enable_erc20';

/** The family of a task; null for a way that is one call. */
export const familyOf = (method: ActivationMethod): TaskFamily | null =>
	method.startsWith('task::') ? (method.slice('task::'.length) as TaskFamily) : null;

export const taskMethod = (
	family: TaskFamily,
	verb: 'init' | 'status' | 'user_action' | 'cancel'
): KdfMethod => `task::${family}::${verb}` as KdfMethod;

/** The call with which a way begins. */
export function firstCallOf(method: ActivationMethod): KdfMethod {
	const family = familyOf(method);
	return family === null ? (method as KdfMethod) : taskMethod(family, 'init');
}

/** What stands for the coin of a hardware wallet's set-up. */
export const DEVICE = 'hardware wallet';
