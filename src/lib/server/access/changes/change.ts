import type { ChangeCode, ChangeFacts } from '#lib/messages/changes.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';

/** What a change would do in the current state. */
export interface Looked<Code extends ChangeCode = ChangeCode> {
	/**
	 * Whether it waits for approval while changes need approval. Changes that only take rights away never
	 * wait.
	 */
	waits: boolean;
	/**
	 * The current state of what it changes, as text. When the text differs, a proposal no longer applies to
	 * what it was made for.
	 */
	state: string;
	/** The same state as a proposal of an early release holds it; left out: equally. */
	formerState?: string;
	facts: ChangeFacts[Code];
}

/** A kind of change that other admins may have to approve. Its params are stored as JSON. */
export interface ChangeKind<
	Code extends ChangeCode = ChangeCode,
	Params = unknown,
	Done = unknown
> {
	readonly code: Code;
	/**
	 * Previews the change.
	 * @throws {AppError} the change cannot be applied
	 */
	look(trx: Executor<AccessTables>, params: Params): Promise<Looked<Code>>;
	/**
	 * Applies the change and logs it.
	 * @param by the author; null at the server's own command line
	 */
	apply(trx: Executor<AccessTables>, by: Account | null, params: Params): Promise<Done>;
}

/** Outcome of a change: the id of the proposal that waits for approval, or the result of applying it. */
export type ChangeOutcome<Done = void> =
	| { readonly proposal: string; readonly done: null }
	| { readonly proposal: null; readonly done: Done };
