import type { Order } from './keyset.ts';

interface Created {
	/** Unix milliseconds. */
	created_at: bigint;
	id: string;
}

/**
 * Returns the order of rows by the time at which they were created, and by id where that is the same.
 * @param table name of their table in the query, with a dot; empty where only one has these columns
 */
export const byCreation = <Row extends Created>(descending: boolean, table = ''): Order<Row> => ({
	columns: [
		{ name: `${table}created_at`, type: 'int', value: (row) => row.created_at },
		{ name: `${table}id`, type: 'text', value: ({ id }) => id }
	],
	descending
});
