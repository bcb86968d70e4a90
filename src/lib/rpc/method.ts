/** What a method is: one definition that the gateway, devnet, roles, pages and contract tests read. */
import type { z } from 'zod';
import { answers, type AnswerLimit } from './answerLimit.ts';
import type { Param } from './types.ts';

/**
 * Who may call a method, by what it does:
 * - `read` changes nothing and shows no secret
 * - `wallet-query` changes nothing: what a wallet holds and did, beyond its balance and its burns, which every member is shown
 * - `notary-query` changes nothing either: the raw questions that notaries ask
 * - `build` makes a transaction with a wallet and does not send it
 * - `broadcast` sends or changes the wallet's or the chain's state
 * - `notary` acts for a notary
 * - `activate`, `sign` belong to a trading node
 * - `admin` changes the daemon itself
 * - `never` gives secrets away or stops the daemon: known, and refused to everybody
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

/** True for the classes whose methods change nothing: their calls may be shared, repeated and kept. */
export function changesNothing(access: Access): boolean {
	return access === 'read' || access === 'wallet-query' || access === 'notary-query';
}

/** True for the classes whose methods do something that stays done: what is only built and kept nowhere is nothing yet. */
export const actsOutside = (access: Access): boolean =>
	!changesNothing(access) && access !== 'build' && access !== 'notary';

/** What the safety controls ask of a method. */
export type Stoppable = Pick<Method, 'access' | 'signs'>;

/** Where a call that may be stopped was on its way to. */
export interface StoppableCall {
	method: string;
	/** The daemon or trading node. */
	place: string;
}

/** How long a call may take: milliseconds stand with the gateway. */
export type Deadline = 'read' | 'build' | 'send' | 'slow';

/**
 * How a method reports that it failed, beside a JSON-RPC error:
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
	 * Makes a signature, sends what is signed, or answers with bytes that may be signed. A method of a class that
	 * changes something does, unless its definition says otherwise: so none is forgotten.
	 */
	signs: boolean;
	/** Komodo daemon 0.9.0 ends when it is called without a wallet (`-disablewallet`). */
	assumesWallet: boolean;
	/** May be repeated: it changes nothing. */
	retry: boolean;
	deadline: Deadline;
	/** The most that an answer may hold. */
	answer: AnswerLimit;
	params: P;
	/** As release 0.9.0 answers. */
	result: R;
	/** As the interface document has it, where that differs; same native value. */
	seedResult?: z.ZodType<z.output<R>>;
	fails: readonly Failure[];
	/** Parameters of calls that work, as native values. */
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
 * Defines a method. What follows from the access class is filled in: only reads may be repeated, and the
 * deadline is that of reading, building or sending.
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
