import type { Int64, NullableText } from '../../platform/database/columns.ts';

/** A call that a person made by the console. */
export interface ConsoleHistoryTable {
	id: string;
	account_id: string;
	method: string;
	daemon: string;
	/** Unix milliseconds. */
	at: Int64;
	/** How long it took, in milliseconds. */
	ms: Int64;
	/** `answered`, `error -5`, `failed` for a failure inside a result, or why no answer came. */
	outcome: string;
	/** JSON text of the parameters; empty for methods that take secrets, and for very long ones. */
	params: NullableText;
}

export interface ConsoleTables {
	console_history: ConsoleHistoryTable;
}
