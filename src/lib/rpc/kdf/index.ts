/** The registry of trading node methods. */
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
 * Methods by name. A name that exists in both envelopes is the version 2 method here; the legacy one has the
 * prefix `legacy:` here and its plain name on the wire.
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

/** True for a key of the registry; false for names inherited from Object.prototype. */
export function isKdfMethod(key: string): key is KdfMethod {
	return Object.hasOwn(kdfMethods, key);
}

/** Returns the definition of a method without its specific types, for generic code. */
export const kdfDefinition = (method: KdfMethod): KdfDefinition =>
	kdfMethods[method] as unknown as KdfDefinition;

/** Returns example parameters that a node accepts. */
export const nodeExamples = <M extends KdfMethod>(method: M): readonly KdfParams<M>[] =>
	kdfDefinition(method).examples as readonly KdfParams<M>[];

const byWire = new Map(
	(Object.keys(kdfMethods) as KdfMethod[]).map((key) => {
		const { name, envelope } = kdfDefinition(key);
		return [`${envelope} ${name}`, key] as const;
	})
);

/** Finds a method by its name on the wire and its envelope; null when there is none. */
export function findKdfMethod(name: string, envelope: KdfEnvelope): KdfMethod | null {
	return byWire.get(`${envelope} ${name}`) ?? null;
}

/**
 * Returns the method that a node runs for a body: without `mmrpc` the legacy method of that name if there is
 * one, otherwise the version 2 method, whose parameters must then be in `params`.
 */
export function methodOfBody(name: string, hasMmrpc: boolean): KdfMethod | null {
	return hasMmrpc
		? findKdfMethod(name, 'v2')
		: (findKdfMethod(name, 'legacy') ?? findKdfMethod(name, 'v2'));
}

type FamilyOf<M> = M extends `task::${infer F}::init` ? F : never;
/** Families of tasks with the full life cycle (init, status, user_action, cancel). */
export type TaskFamily = FamilyOf<keyof typeof taskMethods>;
