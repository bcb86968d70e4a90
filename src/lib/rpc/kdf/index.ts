/** Every method of a trading node that Komodeck knows. */
import type { z } from 'zod';
import { evmMethods } from './evm.ts';
import { forbiddenMethods } from './forbidden.ts';
import { legacyActivationMethods } from './legacyActivation.ts';
import type { KdfEnvelope, KdfMethod as KdfMethodDefinition } from './method.ts';
import { remoteMethods } from './remote.ts';
import { taskMethods } from './tasks.ts';
import { walletMethods } from './wallet.ts';

export type { KdfDialect } from './types.ts';
export type KdfDefinition = KdfMethodDefinition;

/**
 * By name. A name that stands in both envelopes is the version 2 method; the older one has the prefix
 * `legacy:` here and its plain name on the wire.
 */
export const kdfMethods = {
	...evmMethods,
	...legacyActivationMethods,
	...taskMethods,
	...walletMethods,
	...remoteMethods,
	...forbiddenMethods
} as const;

export type KdfMethods = typeof kdfMethods;
export type KdfMethod = keyof KdfMethods;
/** Native parameters: neutral words, integers as numbers, amounts as text. */
export type KdfParams<M extends KdfMethod> = z.output<KdfMethods[M]['params']['kdf']>;
/** Native result, in neutral words. */
export type KdfResult<M extends KdfMethod> = z.output<KdfMethods[M]['result']['kdf']>;

/** True for a key of the registry; names of Object.prototype are none. */
export function isKdfMethod(key: string): key is KdfMethod {
	return Object.hasOwn(kdfMethods, key);
}

/** The definition without its types, for code that treats all methods alike. */
export const kdfDefinition = (method: KdfMethod): KdfDefinition =>
	kdfMethods[method] as unknown as KdfDefinition;

/** Parameters of calls that work. */
export const nodeExamples = <M extends KdfMethod>(method: M): readonly KdfParams<M>[] =>
	kdfDefinition(method).examples as readonly KdfParams<M>[];

const byWire = new Map(
	(Object.keys(kdfMethods) as KdfMethod[]).map((key) => {
		const { name, envelope } = kdfDefinition(key);
		return [`${envelope} ${name}`, key] as const;
	})
);

/** The method of a name in an envelope; null when there is none. */
export function findKdfMethod(name: string, envelope: KdfEnvelope): KdfMethod | null {
	return byWire.get(`${envelope} ${name}`) ?? null;
}

/**
 * The method that a node runs for a body: a body without `mmrpc` means the older method of the name, else
 * the version 2 one, whose parameters must then stand in `params`.
 */
export function methodOfBody(name: string, hasMmrpc: boolean): KdfMethod | null {
	return hasMmrpc
		? findKdfMethod(name, 'v2')
		: (findKdfMethod(name, 'legacy') ?? findKdfMethod(name, 'v2'));
}

type FamilyOf<M> = M extends `task::${infer F}::init` ? F : never;
/** The families of tasks that have a life cycle here. */
export type TaskFamily = FamilyOf<keyof typeof taskMethods>;
