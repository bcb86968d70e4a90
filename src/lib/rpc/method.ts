/** The definition of a daemon method, used by the gateway, devnet, roles, pages and contract tests. */
import type { z } from 'zod';
import { answers, type AnswerLimit } from './answerLimit.ts';
import type { Param } from './types.ts';

/**
 * Access class of a method, by its effect:
 * - `read` changes nothing and reveals no secret
 * - `wallet-query` changes nothing; shows the wallet's contents and history beyond its balance and burns,
 *   which every member may see
 * - `notary-query` changes nothing either: the low-level queries of notaries
 * - `build` creates a transaction with a wallet without sending it
 * - `broadcast` sends a transaction or changes the state of the wallet or chain
 * - `notary` acts for a notary
 * - `activate`, `sign` are for methods of a trading node
 * - `admin` changes the daemon itself
 * - `never` reveals secrets or stops the daemon: registered, and refused for all callers
 */
export type Access =
	| 'read'
	| 'wallet-query'
	| 'notary-query'
	| 'build'
	| 'broadcast'
	| 'notary'
	| 'activate'
	| 'sign'
	| 'admin'
	| 'never';

/** True for classes whose methods change nothing: their calls may be shared, retried and cached. */
export function changesNothing(access: Access): boolean {
	return access === 'read' || access === 'wallet-query' || access === 'notary-query';
}

/**
 * True for classes whose methods have a lasting effect. A transaction that is only built and not stored has
 * none.
 */
export const actsOutside = (access: Access): boolean =>
	!changesNothing(access) && access !== 'build' && access !== 'notary';

/** The parts of a method that the safety controls check. */
export type Stoppable = Pick<Method, 'access' | 'signs'>;

/**
 * True for methods whose answers may hold signed bytes that were not sent. What a method sent itself is
 * public, and its txid must not be withheld: the caller would send once more.
 */
export const returnsUnsent = ({ access, signs }: Stoppable): boolean =>
	signs && !actsOutside(access);

/** Destination of a call that safety controls may stop. */
export interface StoppableCall {
	method: string;
	/** Name of the daemon or trading node. */
	place: string;
}

/** Timeout class of a call; the milliseconds are defined by the gateway. */
export type Deadline = 'read' | 'build' | 'send' | 'slow';

/**
 * How a method reports failures in addition to JSON-RPC errors:
 * - `soft`: HTTP 200 and `{"result":"error","error":"…"}`
 * - `member`: HTTP 200 and an object with a member `error`
 * - `minus-one`: HTTP 200 and the bare number -1
 */
export type Failure = 'rpc' | 'soft' | 'member' | 'minus-one';

export interface Method<
	P extends readonly Param[] = readonly Param[],
	R extends z.ZodType = z.ZodType
> {
	access: Access;
	/**
	 * Whether the method makes a signature, sends signed data, or returns bytes that may be signed. True by
	 * default for every class that changes something, so that no method is forgotten; a definition may say
	 * otherwise.
	 */
	signs: boolean;
	/** Komodo daemon 0.9.0 terminates when this is called without a wallet (`-disablewallet`). */
	assumesWallet: boolean;
	/** Whether a call may be retried, because it changes nothing. */
	retry: boolean;
	deadline: Deadline;
	/** Maximum size of a response. */
	answer: AnswerLimit;
	params: P;
	/** Schema of the result of release 0.9.0. */
	result: R;
	/** Schema of the interface document where it differs; same native value. */
	seedResult?: z.ZodType<z.output<R>>;
	fails: readonly Failure[];
	/** Example parameters that a daemon accepts, as native values. */
	examples: readonly (readonly unknown[])[];
}

type Definition<P extends readonly Param[], R extends z.ZodType> = Pick<
	Method<P, R>,
	'access' | 'params' | 'result'
> &
	Partial<
		Pick<
			Method<P, R>,
			| 'signs'
			| 'assumesWallet'
			| 'retry'
			| 'deadline'
			| 'answer'
			| 'seedResult'
			| 'fails'
			| 'examples'
		>
	>;

/**
 * Defines a method and fills in defaults by its access class: only reads may be retried, and the deadline is
 * that of reading, building or sending.
 */
export function method<const P extends readonly Param[], R extends z.ZodType>(
	definition: Definition<P, R>
): Method<P, R> {
	const { access } = definition;
	const read = changesNothing(access);
	const build = access === 'build' || access === 'notary' || access === 'sign';
	return {
		signs: !read,
		assumesWallet: false,
		retry: read,
		deadline: read ? 'read' : build ? 'build' : 'send',
		answer: answers.small,
		fails: ['rpc'],
		examples: [],
		...definition
	};
}
