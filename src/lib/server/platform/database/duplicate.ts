/** Unique-constraint violations of SQLite and PostgreSQL. (SQLSTATE 23505: unique_violation.) */
const CODES: ReadonlySet<unknown> = new Set([
	'SQLITE_CONSTRAINT_UNIQUE',
	'SQLITE_CONSTRAINT_PRIMARYKEY',
	'23505'
]);

/**
 * Whether a statement failed because the row already exists, for example by a concurrent request. Nothing was
 * written.
 */
export const isDuplicate = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && CODES.has(error.code);
