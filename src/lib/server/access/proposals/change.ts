import type { ChangeCode, ChangeFacts } from '#lib/messages/changes.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Account } from '../policy/identity.ts';
import type { AccessTables } from '../tables.ts';

/** What a change would do now. */
export interface Looked<Code extends ChangeCode = ChangeCode> {
	/** Whether it has to be approved where changes have to: what takes power away never waits. */
	waits: boolean;
	/** What it changes, as it stands: another text means that a proposal is about something that is no more. */
	state: string;
	facts: ChangeFacts[Code];
}

/** A kind of change that other admins can have to approve. Its params are stored as JSON. */
export interface ChangeKind<
	Code extends ChangeCode = ChangeCode,
	Params = unknown,
	Done = unknown
> {
	readonly code: Code;
	/** @throws {AppError} it cannot be applied */
	look(trx: Executor<AccessTables>, params: Params): Promise<Looked<Code>>;
	/**
	 * Applies it, on record.
	 * @param by the author; null at the server's own command line
	 */
	apply(trx: Executor<AccessTables>, by: Account | null, params: Params): Promise<Done>;
}

/** What became of a change: the id of the proposal in which it waits, or what applying it gave. */
export type ChangeOutcome<Done = void> =
	| { readonly proposal: string; readonly done: null }
	| { readonly proposal: null; readonly done: Done };
