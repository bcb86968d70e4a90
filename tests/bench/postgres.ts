import { randomBytes } from 'node:crypto';
import { newDatabase, startServer } from '../support/postgres.ts';

/** Runs a measurement beside a PostgreSQL server of its own; `database` makes an empty one in it. */
export async function withPostgres<T>(
	measure: (database: () => Promise<string>) => Promise<T>
): Promise<T> {
	const server = await startServer();
	try {
		return await measure(() => newDatabase(server.url, `bench_${randomBytes(6).toString('hex')}`));
	} finally {
		await server.stop();
	}
}
