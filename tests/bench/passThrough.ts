/**
 * The minimal proxy between a script and a daemon: it forwards bodies over keep-alive connections without
 * reading them. With `TOKEN` it is the least that an RPC API could do: it checks that token. Settings:
 * `TARGET`, `TOKEN`. Prints its port.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const { TARGET = '', TOKEN = '' } = process.env;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const known = new Set([hash(TOKEN)]);
const pool = new Pool(TARGET, { connections: 4 });

const server = createServer((request, response) => {
	if (TOKEN !== '') {
		const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
		if (!known.has(hash(token))) {
			response.writeHead(401).end();
			return;
		}
	}
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
