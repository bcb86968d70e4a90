/** The definition of a trading node method, used by the gateway, devnet, roles, forms and tests. */
import type { z } from 'zod';
import { answers, type AnswerLimit } from '../answerLimit.ts';
import { changesNothing, type Access, type Deadline } from '../method.ts';
import { same, type Spelled } from './types.ts';

/**
 * - `legacy`: parameters at the top level of the body; the response is the bare result
 * - `v2`: `mmrpc: "2.0"`, parameters in `params`, the response in an envelope
 */
export type KdfEnvelope = 'legacy' | 'v2';

export interface KdfMethod<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
	/** Name on the wire. Two methods may share a name if their envelopes differ. */
	name: string;
	envelope: KdfEnvelope;
	/** Minimum access class of a caller; parameters may require more: see `demands`. */
	access: Access;
	/** Whether the method makes a signature or returns bytes that may be signed, as for a daemon's method. */
	signs: boolean;
	/** Whether a call may be retried, because it changes nothing. */
	retry: boolean;
	deadline: Deadline;
	/** Maximum size of a response. */
	answer: AnswerLimit;
	/** Whether the node accepts calls without a password. */
	open: boolean;
	/** `none`: a released node requires that `params` is omitted. */
	paramsForm: 'object' | 'none';
	params: Spelled<P>;
	result: Spelled<R>;
	/** Example parameters that a node accepts, as native values. */
	examples: readonly z.output<P>[];
}

type Definition<P extends z.ZodType, R extends z.ZodType> = Pick<KdfMethod<P, R>, 'access'> & {
	name?: string;
	params: Spelled<P> | P;
	result: Spelled<R> | R;
} & Partial<
		Pick<
			KdfMethod<P, R>,
			'signs' | 'retry' | 'deadline' | 'answer' | 'open' | 'paramsForm' | 'examples'
		>
	>;

const isSpelled = <S extends z.ZodType>(value: Spelled<S> | S): value is Spelled<S> =>
	'kdf' in value && 'seed' in value;

const DEADLINES: Partial<Record<Access, Deadline>> = {
	read: 'read',
	sign: 'build',
	activate: 'slow'
};

const define =
	(envelope: KdfEnvelope) =>
	<P extends z.ZodType, R extends z.ZodType>(definition: Definition<P, R>): KdfMethod<P, R> => {
		const { access, params, result, name = '', ...rest } = definition;
		return {
			signs: !changesNothing(access),
			retry: access === 'read',
			deadline: DEADLINES[access] ?? 'send',
			// The result of an activation lists all addresses of a wallet.
			answer: access === 'activate' ? answers.transaction : answers.small,
			open: false,
			paramsForm: 'object',
			examples: [],
			...rest,
			name,
			envelope,
			access,
			params: isSpelled(params) ? params : same(params),
			result: isSpelled(result) ? result : same(result)
		};
	};

/** Defines a method with its parameters at the top level of the body. */
export const legacy = define('legacy');
/** Defines a method with `mmrpc: "2.0"` and `params`. */
export const v2 = define('v2');

type AnyMethod = KdfMethod<z.ZodType, z.ZodType>;

/** Fills in the name of each method that has none with its key. */
export function named<T extends Readonly<Record<string, unknown>>>(methods: T): T {
	return Object.fromEntries(
		Object.entries(methods).map(([key, method]) => {
			const definition = method as AnyMethod;
			return [key, definition.name === '' ? { ...definition, name: key } : definition];
		})
	) as T;
}
