/** The API over real connections: responses with and without compression, and clients that disconnect. */
import { once } from 'node:events';
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequest, setResponse } from '@sveltejs/kit/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import { details } from '#lib/server/api/details.ts';
import { listAnswer } from '#lib/server/api/listAnswer.ts';
import { openApi } from '#lib/server/api/openapi.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { jsonAnswer } from '#lib/server/chains/lists/answer.ts';
import { createWebServer, listen, stopListening } from '../../../src/start/server.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { LOCAL } from '../../support/served.ts';
import { gatewayTo } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';
import { followDaemon } from '../indexer/support.ts';

/** More rows than connections and buffers between server and reader can hold. */
const MANY = 120_000;

interface Media {
	schema: Record<string, unknown>;
}
interface Operation {
	parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
	responses: Record<string, { content?: Record<string, Media> }>;
}
interface Description {
	paths: Record<string, { get: Operation }>;
	components: { schemas: Record<string, Record<string, unknown>> };
}

describeOnBothDatabases('the JSON API over HTTP', (database) => {
	let index: Index;
	let server: Server;
	let base: string;
	let description: Description;
	let failures: unknown[];
	/** Number of queries to the index. */
	let queries = 0;
	/** Values for the parameters of addresses. */
	let known: Record<string, string>;

	/** Serves the API routes, with SvelteKit's own conversion between Node's and web requests. */
	async function pages(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await getRequest({ base, request });
		const url = new URL(asked.url);
		const common = { index, chains: ['KMD', 'ALPHA', 'BETA', 'GHOST'], request: asked, url };
		const parts = url.pathname.split('/').slice(3).map(decodeURIComponent);
		const [first = '', chain = '', file = '', id] = parts;
		const more = { ...common, requestId: 'r1' };
		let answer: Response;
		if (url.pathname === '/api/openapi.json') answer = jsonAnswer(openApi(base));
		else if (id !== undefined) {
			const { name } = details.find((detail) => detail.name === file)!;
			answer = await detailAnswer(name, { ...more, chain, id });
		} else if (parts.length === 1) answer = await listAnswer({ ...more, file: first });
		else answer = await listAnswer({ ...more, file, chain });
		await setResponse(response, answer);
	}

	const net = shared(() => startDevnet());
	beforeAll(async () => {
		const gateway = gatewayTo(net, database);
		index = await openIndex(database.options);
		for (const chain of gateway.chains()) await followDaemon(index, gateway, chain);
		await gateway.close();
		const tokenid = (await net.rpc<string[]>('ALPHA', 'tokenlist'))[0]!;
		const { address } = await index
			.selectFrom('ix_addresses as a')
			.innerJoin('ix_chains as c', 'c.id', 'a.chain')
			.select('a.address')
			.where('c.name', '=', 'ALPHA')
			.orderBy('a.txs', 'desc')
			.executeTakeFirstOrThrow();
		known = { chain: 'ALPHA', tokenid, address, tx: tokenid };
		failures = [];
		const inner = index;
		index = new Proxy(inner, {
			get(target, name) {
				if (name === 'selectFrom') queries++;
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? (value.bind(target) as unknown) : value;
			}
		});
		server = createWebServer({
			...LOCAL,
			pages: (request, response) =>
				void pages(request, response).catch((error: unknown) => {
					failures.push(error);
					response.writeHead(500).end();
				}),
			rpcApi: () => undefined,
			obstacle: () => Promise.resolve(null),
			onError: (error) => failures.push(error)
		});
		base = 'http://127.0.0.1';
		base = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
		description = (await (await fetch(`${base}/api/openapi.json`)).json()) as Description;
	});
	afterAll(async () => {
		await stopListening(server, 0);
		await index.close();
	});

	/** The address of an operation with its parameters filled in. */
	function addressOf(path: string, operation: Operation): string {
		const ids: Record<string, string> = {
			blocks: '5',
			tx: known['tx']!,
			tokens: known['tokenid']!,
			addresses: known['address']!
		};
		const kind = path.split('/').at(-2)!;
		const filled = path.replace('{chain}', known['chain']!).replace('{id}', ids[kind] ?? '');
		const url = new URL(filled, base);
		for (const { name, in: place, required } of operation.parameters) {
			if (place === 'query' && required) url.searchParams.set(name, known[name]!);
		}
		return url.href;
	}

	/** The notary approvals' addresses are in the description too, but are served by pages. */
	const ownPaths = () =>
		Object.entries(description.paths).filter(([path]) => path.startsWith('/api/v1/'));

	it('answers every address of its description in the shape that the description gives it', async () => {
		let rows = 0;
		for (const [path, { get: operation }] of ownPaths()) {
			const answer = await fetch(addressOf(path, operation));
			expect(answer.status, path).toBe(200);
			const media = operation.responses['200']!.content!;
			const type = answer.headers.get('content-type')!.split(';')[0]!;
			expect(Object.keys(media), path).toEqual([type]);
			if (type !== 'application/json') continue;
			const body: unknown = await answer.json();
			const { schema } = media[type]!;
			expect(() => z.fromJSONSchema(schema).parse(body), path).not.toThrow();
			if (Array.isArray(body)) rows += body.length;
		}
		expect(rows).toBeGreaterThan(100);
	});

	it('refuses in the shape of its description, and never fails, whatever stands in a parameter', async () => {
		const problem = z.fromJSONSchema(description.components.schemas['Problem']!);
		const strange = [
			'',
			'\0',
			'%',
			"' or 1=1 --",
			'‮',
			'😀'.repeat(32),
			'x'.repeat(5000),
			'-1',
			'1e9'
		];
		for (const [path, { get: operation }] of ownPaths()) {
			for (const { name, in: place } of operation.parameters) {
				for (const value of strange) {
					const url = new URL(addressOf(path, operation));
					if (place === 'query') url.searchParams.set(name, value);
					else if (value === '') continue;
					else if (name === 'chain') {
						url.pathname = url.pathname.replace('ALPHA', encodeURIComponent(value));
					} else url.pathname = url.pathname.replace(/[^/]+$/, encodeURIComponent(value));
					const answer = await fetch(url);
					expect([200, 400, 404], `${url.href}: ${String(failures.at(-1))}`).toContain(
						answer.status
					);
					const text = await answer.text();
					if (answer.status !== 200) {
						expect(problem.parse(JSON.parse(text))).toHaveProperty('error.requestId', 'r1');
					}
				}
			}
		}
		expect(failures).toEqual([]);
	});

	it('is the same compressed and plain, and says 304 without asking for rows', async () => {
		const url = `${base}/api/v1/chains/ALPHA/transactions?limit=1000`;
		const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
		const text = await plain.text();
		for (const encoding of ['gzip', 'br']) {
			const packed = await fetch(url, { headers: { 'accept-encoding': encoding } });
			expect(packed.headers.get('content-encoding')).toBe(encoding);
			expect(packed.headers.get('vary')).toBe('Accept-Encoding');
			expect(packed.headers.get('cache-control')).toBe('private, no-cache');
			expect(await packed.text()).toBe(text);
		}
		queries = 0;
		const etag = plain.headers.get('etag')!;
		const again = await fetch(url, { headers: { 'if-none-match': etag } });
		expect(again.status).toBe(304);
		expect(queries).toBe(1);
	});

	it('ends an export whose reader goes away, and reads no further ahead than the connection takes', async () => {
		const ghost = await ensureChain(index, 'GHOST', 0);
		for (let height = 0; height < MANY; height += 1000) {
			const blocks = Array.from({ length: 1000 }, (_, at) => ({
				chain: ghost.id,
				height: BigInt(height + at),
				hash: Buffer.from((height + at).toString(16).padStart(64, '0'), 'hex'),
				time: 1_700_000_000n,
				size: 300n,
				txs: 1n
			}));
			await index.insertInto('ix_blocks').values(blocks).execute();
		}
		const url = `${base}/api/v1/chains/GHOST/blocks.csv`;
		const whole = await (await fetch(url)).text();
		expect(whole.split('\r\n')).toHaveLength(MANY + 2);

		queries = 0;
		const request = get(url, { headers: { 'accept-encoding': 'identity' } });
		const [answer] = (await once(request, 'response')) as [IncomingMessage];
		answer.on('error', () => undefined);
		await once(answer, 'readable');
		// The reader stops reading; the server pauses this response and serves others.
		let before = -1;
		while (before !== queries) {
			before = queries;
			for (let turn = 0; turn < 5; turn++) await fetch(`${base}/api/openapi.json`);
		}
		const chunks = MANY / 1000;
		expect(queries / 2).toBeLessThan(chunks * 0.8);
		answer.destroy();
		await once(request, 'close');
		for (let turn = 0; turn < 5; turn++) await fetch(`${base}/api/openapi.json`);
		expect(queries).toBeLessThanOrEqual(before + 2);
		expect(failures).toEqual([]);
	});
});
