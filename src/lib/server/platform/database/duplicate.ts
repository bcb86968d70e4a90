/** A row that is there already, as SQLite and PostgreSQL say it. (SQLSTATE 23505: unique_violation.) */
const CODES: ReadonlySet<unknown> = new Set([
	'SQLITE_CONSTRAINT_UNIQUE',
	'SQLITE_CONSTRAINT_PRIMARYKEY',
	'23505'
]);

/** Whether somebody stored the same at the same moment: no fault of the program, and nothing was written. */
export const isDuplicate = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && CODES.has(error.code);
