import { randomBytes } from 'node:crypto';
import { newDatabase, startServer } from '../support/postgres.ts';

/** Runs a measurement with a separate PostgreSQL server; `database` creates an empty database in it. */
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
