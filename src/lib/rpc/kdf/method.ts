/** What a method of a trading node is: one definition that gateway, devnet, roles, forms and tests read. */
import type { z } from 'zod';
import { answers, type AnswerLimit } from '../answerLimit.ts';
import { changesNothing, type Access, type Deadline } from '../method.ts';
import { same, type Spelled } from './types.ts';

/**
 * - `legacy`: the parameters stand at the top of the body; the answer is the bare result
 * - `v2`: `mmrpc: "2.0"`, parameters in `params`, the answer in an envelope
 */
export type KdfEnvelope = 'legacy' | 'v2';

export interface KdfMethod<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
	/** The name on the wire. Two methods of one name differ in their envelope. */
	name: string;
	envelope: KdfEnvelope;
	/** The least that a caller must be allowed; single parameters may ask for more: see `demands`. */
	access: Access;
	/** Makes a signature, or answers with bytes that may be signed; as for a daemon's method. */
	signs: boolean;
	/** May be repeated: it changes nothing. */
	retry: boolean;
	deadline: Deadline;
	/** The most that an answer may hold. */
	answer: AnswerLimit;
	/** Answers without a password. */
	open: boolean;
	/** `none`: a released node wants `params` left out. */
	paramsForm: 'object' | 'none';
	params: Spelled<P>;
	result: Spelled<R>;
	/** Parameters of calls that work, as native values. */
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
			// An activation tells of all addresses of a wallet.
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

/** A method whose parameters stand at the top of the body. */
export const legacy = define('legacy');
/** A method with `mmrpc: "2.0"` and `params`. */
export const v2 = define('v2');

type AnyMethod = KdfMethod<z.ZodType, z.ZodType>;

/** Gives each method the name under which it stands, where it has none of its own. */
export function named<T extends Readonly<Record<string, unknown>>>(methods: T): T {
	return Object.fromEntries(
		Object.entries(methods).map(([key, method]) => {
			const definition = method as AnyMethod;
			return [key, definition.name === '' ? { ...definition, name: key } : definition];
		})
	) as T;
}
