/**
 * The barest way between a script and a daemon: no token, nothing read. Settings: `TARGET`. Prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const { TARGET = '' } = process.env;
const pool = new Pool(TARGET, { connections: 4 });

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		void (async () => {
			const answer = await pool.request({
				path: '/',
				method: 'POST',
				headers: { 'content-type': 'text/plain' },
				body: Buffer.concat(chunks)
			});
			const body = Buffer.from(await answer.body.arrayBuffer());
			response.writeHead(answer.statusCode, {
				'content-type': 'application/json',
				'content-length': body.length
			});
			response.end(body);
		})();
	});
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
