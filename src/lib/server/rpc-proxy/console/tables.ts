import type { Int64, NullableText } from '../../platform/database/columns.ts';

/** A call that a person made in the console. */
export interface ConsoleHistoryTable {
	id: string;
	account_id: string;
	method: string;
	daemon: string;
	/** Unix milliseconds. */
	at: Int64;
	/** Duration in milliseconds. */
	ms: Int64;
	/** JSON of a `PastOutcome` of `lib/messages/consoleOutcomes`; early releases stored its words. */
	outcome: string;
	/** JSON text of the parameters; null for methods that take secrets, and for very long ones. */
	params: NullableText;
}

export interface ConsoleTables {
	console_history: ConsoleHistoryTable;
}
