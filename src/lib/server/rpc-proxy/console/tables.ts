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
	/** `answered`, `error -5`, `failed` for an in-band error, or the reason for a missing response. */
	outcome: string;
	/** JSON text of the parameters; null for methods that take secrets, and for very long ones. */
	params: NullableText;
}

export interface ConsoleTables {
	console_history: ConsoleHistoryTable;
}
