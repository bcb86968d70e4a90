/**
 * A daemon that responds at once with prepared texts, in a separate process. Settings in the environment: `TIP`
 * and `HEIGHT` of its chain, `BLOCKS` a file with one raw block in hex per line, and `DELAY` in milliseconds
 * before each response. Prints its port. `GET /count` returns the number of calls of a method.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { TIP = '0'.repeat(64), HEIGHT = '0', BLOCKS, DELAY = '0', LARGE } = process.env;
const blocks = BLOCKS === undefined ? [] : readFileSync(BLOCKS, 'utf8').trim().split('\n');
const delay = Number(DELAY);
const counts = new Map<string, number>();

const INFO = {
	version: 2001526,
	protocolversion: 170010,
	KMDversion: '0.9.0',
	name: 'ALPHA',
	CCid: 777,
	blocks: Number(HEIGHT)
};
/** A response of tens of megabytes, like `tokenlist` of a huge chain; bytes, ready to be sent. */
const large = Buffer.from(
	JSON.stringify(Array.from({ length: Number(LARGE ?? '0') }, () => TIP)),
	'latin1'
);
/** Milliseconds that `getnetworkinfo` takes: long enough for many simultaneous callers. */
const SHARED_MS = 250;

interface Call {
	id: unknown;
	method: string;
	params: unknown[];
}

function result({ method, params }: Call): string {
	counts.set(method, (counts.get(method) ?? 0) + 1);
	if (method === 'getinfo') return JSON.stringify(INFO);
	if (method === 'getblockcount') return HEIGHT;
	if (method === 'getbestblockhash' || method === 'getblockhash') return JSON.stringify(TIP);
	if (method === 'getblock') return `"${blocks[Number(params[0])] ?? ''}"`;
	if (method === 'getNotarisationsForBlock') return '{"KMD":[],"LABS":[]}';
	return 'null';
}

const answer = (call: Call): string =>
	`{"result":${result(call)},"error":null,"id":${JSON.stringify(call.id ?? null)}}`;

const server = createServer((request, response) => {
	if (request.method === 'GET') {
		response.end(String(counts.get(request.url?.slice(1) ?? '') ?? 0));
		return;
	}
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
		if (!Array.isArray(body) && body.method === 'tokenlist') {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write('{"result":');
			response.write(large);
			response.end(`,"error":null,"id":${JSON.stringify(body.id ?? null)}}\n`);
			return;
		}
		const text = Array.isArray(body) ? `[${body.map(answer).join(',')}]` : answer(body);
		const send = (): void => {
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(text)
			});
			response.end(`${text}`);
		};
		const shared = !Array.isArray(body) && body.method === 'getnetworkinfo';
		if (shared) setTimeout(send, SHARED_MS);
		else if (delay > 0) setTimeout(send, delay);
		else send();
	});
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
