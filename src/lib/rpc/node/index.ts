/** Every method of a trading node that Komodeck knows. */
import type { z } from 'zod';
import { evmMethods } from './evm.ts';
import { forbiddenMethods } from './forbidden.ts';
import { legacyActivationMethods } from './legacyActivation.ts';
import type { NodeEnvelope, NodeMethod as NodeMethodDefinition } from './method.ts';
import { remoteMethods } from './remote.ts';
import { taskMethods } from './tasks.ts';
import { walletMethods } from './wallet.ts';

export type { NodeDialect } from './types.ts';
export type NodeDefinition = NodeMethodDefinition;

/**
 * By name. A name that stands in both envelopes is the version 2 method; the older one has the prefix
 * `legacy:` here and its plain name on the wire.
 */
export const nodeMethods = {
	...evmMethods,
	...legacyActivationMethods,
	...taskMethods,
	...walletMethods,
	...remoteMethods,
	...forbiddenMethods
} as const;

export type NodeMethods = typeof nodeMethods;
export type NodeMethod = keyof NodeMethods;
/** Native parameters: neutral words, integers as numbers, amounts as text. */
export type NodeParams<M extends NodeMethod> = z.output<NodeMethods[M]['params']['kdf']>;
/** Native result, in neutral words. */
export type NodeResult<M extends NodeMethod> = z.output<NodeMethods[M]['result']['kdf']>;

/** True for a key of the registry; names of Object.prototype are none. */
export function isNodeMethod(key: string): key is NodeMethod {
	return Object.hasOwn(nodeMethods, key);
}

/** The definition without its types, for code that treats all methods alike. */
export const nodeDefinition = (method: NodeMethod): NodeDefinition =>
	nodeMethods[method] as unknown as NodeDefinition;

/** Parameters of calls that work. */
export const nodeExamples = <M extends NodeMethod>(method: M): readonly NodeParams<M>[] =>
	nodeDefinition(method).examples as readonly NodeParams<M>[];

const byWire = new Map(
	(Object.keys(nodeMethods) as NodeMethod[]).map((key) => {
		const { name, envelope } = nodeDefinition(key);
		return [`${envelope} ${name}`, key] as const;
	})
);

/** The method of a name in an envelope; null when there is none. */
export function findNodeMethod(name: string, envelope: NodeEnvelope): NodeMethod | null {
	return byWire.get(`${envelope} ${name}`) ?? null;
}

/**
 * The method that a node runs for a body: a body without `mmrpc` means the older method of the name, else
 * the version 2 one, whose parameters must then stand in `params`.
 */
export function methodOfBody(name: string, hasMmrpc: boolean): NodeMethod | null {
	return hasMmrpc
		? findNodeMethod(name, 'v2')
		: (findNodeMethod(name, 'legacy') ?? findNodeMethod(name, 'v2'));
}

/** The families of tasks that have a life cycle here. */
export const TASK_FAMILIES = [
	...new Set(Object.keys(taskMethods).map((name) => name.split('::')[1] as TaskFamily))
] as readonly TaskFamily[];

type FamilyOf<M> = M extends `task::${infer F}::init` ? F : never;
export type TaskFamily = FamilyOf<keyof typeof taskMethods>;
