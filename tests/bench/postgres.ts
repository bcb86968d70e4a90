import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startServer } from '../support/postgres.ts';

/** Runs a measurement beside a PostgreSQL server of its own; `database` makes an empty one in it. */
export async function withPostgres<T>(
	measure: (database: () => Promise<string>) => Promise<T>
): Promise<T> {
	const server = await startServer();
	try {
		return await measure(async () => {
			const name = `bench_${randomBytes(6).toString('hex')}`;
			const client = new pg.Client({ connectionString: server.url });
			await client.connect();
			await client.query(`create database ${name}`);
			await client.end();
			const url = new URL(server.url);
			url.pathname = `/${name}`;
			return url.href;
		});
	} finally {
		await server.stop();
	}
}
