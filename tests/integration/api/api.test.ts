import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import { details } from '#lib/server/api/details.ts';
import { listAnswer } from '#lib/server/api/listAnswer.ts';
import { openApi } from '#lib/server/api/openapi.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { lists } from '#lib/server/chains/lists/lists.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { gatewayTo } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';
import { followDaemon, pauseWithProblem } from '../indexer/support.ts';

interface ListBody {
	rows: Record<string, unknown>[];
	next: string | null;
	previous: string | null;
}

interface ProblemBody {
	error: { code: string; message: string; field?: string; requestId: string };
}

describeOnBothDatabases('the JSON API', (database) => {
	let index: Index;
	let chains: string[];
	let tokenid: string;
	let follow: (chain: string) => Promise<void>;
	/** Has the indexer note that it cannot read the chain now. */
	let standStill: (chain: string) => Promise<void>;
	let close: () => Promise<void>;

	const net = shared(() => startDevnet());
	beforeAll(async () => {
		const gateway = gatewayTo(net, database);
		close = () => gateway.close();
		index = await openIndex(database.options);
		chains = gateway.chains();
		follow = (chain) => followDaemon(index, gateway, chain);
		standStill = (chain) => pauseWithProblem(index, gateway, chain);
		for (const chain of chains) await follow(chain);
		tokenid = (await net.rpc<string[]>('ALPHA', 'tokenlist'))[0]!;
	});
	afterAll(async () => {
		await close();
		await index.close();
	});

	function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
		const url = new URL(path, 'http://deck.test/api/v1/');
		const request = new Request(url, { headers });
		const common = { index, chains, request, url, requestId: 'r1' };
		const [, chain, kind, id] = /chains\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? [];
		if (chain && kind && id) {
			const detail = details.find(({ name }) => name === kind)!;
			return detailAnswer(detail.name, { ...common, chain, id });
		}
		const file = url.pathname.split('/').at(-1)!;
		const place = /chains\/([^/]+)\//.exec(url.pathname)?.[1];
		return listAnswer({ ...common, file, ...(place === undefined ? {} : { chain: place }) });
	}

	const json = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;

	it('gives the rows of a list, a page at a time, in the shape that its description promises', async () => {
		const first = await json<ListBody>('chains/ALPHA/blocks?limit=5');
		expect(first.rows).toHaveLength(5);
		const second = await json<ListBody>(`chains/ALPHA/blocks?limit=5&cursor=${first.next}`);
		const heights = [...first.rows, ...second.rows].map(({ height }) => Number(height));
		expect(heights).toEqual(heights.toSorted((a, b) => b - a));
		expect(new Set(heights).size).toBe(10);
		expect(first.previous).toBeNull();
		const back = await json<ListBody>(`chains/ALPHA/blocks?limit=5&before=${second.previous}`);
		expect(back.rows).toEqual(first.rows);
		const blocks = lists.find(({ name }) => name === 'blocks')!;
		for (const row of first.rows) expect(blocks.row.parse(row)).toEqual(row);
	});

	it('answers one block, transaction, token and address, each in the shape of its description', async () => {
		const block = await json<{ transactions: { txid: string }[] }>('chains/ALPHA/blocks/5');
		const { outputs } = await json<{ outputs: { address: string | null }[] }>(
			`chains/ALPHA/tx/${block.transactions[0]!.txid}`
		);
		const { address } = outputs.find((output) => output.address !== null)!;
		const ids = {
			blocks: '5',
			tx: block.transactions[0]!.txid,
			tokens: tokenid,
			addresses: address!
		};
		for (const { name, answer } of details) {
			const response = await ask(`chains/ALPHA/${name}/${ids[name]}`);
			expect(response.status, name).toBe(200);
			const body: unknown = await response.json();
			expect(answer.parse(body)).toEqual(body);
		}
	});

	it('says which parameter is wrong, and never fails on one', async () => {
		const wrong: [path: string, status: number, code: string, field?: string][] = [
			['chains/ALPHA/blocks?limit=0', 400, 'bad-parameter', 'limit'],
			['chains/ALPHA/blocks?limit=1001', 400, 'bad-parameter', 'limit'],
			['chains/ALPHA/blocks?limit=many', 400, 'bad-parameter', 'limit'],
			['chains/ALPHA/blocks?sort=hash', 400, 'bad-parameter', 'sort'],
			['chains/ALPHA/blocks?cursor=made-up', 400, 'bad-cursor', 'cursor'],
			['chains/ALPHA/blocks?before=made-up', 400, 'bad-cursor', 'before'],
			['chains/ALPHA/blocks?before=a&cursor=b', 400, 'bad-parameter', 'before'],
			['chains/ALPHA/blocks?from=-1', 400, 'bad-parameter', 'from'],
			['chains/ALPHA/blocks?__proto__=1', 400, 'bad-parameter'],
			['transfers?state=open&state=done', 400, 'bad-parameter', 'state'],
			['chains/ALPHA/blocks/5?form=1', 400, 'bad-parameter', 'form'],
			['chains/ALPHA/blocks/5?from=0&from=1', 400, 'bad-parameter', 'from'],
			[`chains/ALPHA/tokens/${'0'.repeat(64)}?from=0`, 400, 'bad-parameter', 'from'],
			['chains/ALPHA/tokens?imported=maybe', 400, 'bad-parameter', 'imported'],
			['chains/ALPHA/tokens?owner=02ff', 400, 'bad-parameter', 'owner'],
			[`chains/ALPHA/tokens?q=${'x'.repeat(10_000)}`, 400, 'bad-parameter', 'q'],
			['chains/ALPHA/holders', 400, 'bad-parameter', 'tokenid'],
			['chains/ALPHA/tokens.csv?cursor=x', 400, 'bad-cursor', 'cursor'],
			['chains/NOSUCH/blocks', 404, 'unknown-chain'],
			['chains/ALPHA/nosuch', 404, 'unknown-list'],
			['constructor', 404, 'unknown-list'],
			['chains/ALPHA/blocks/99999', 404, 'not-found'],
			['chains/ALPHA/blocks/minus', 400, 'bad-parameter'],
			['chains/ALPHA/tx/zz', 400, 'bad-parameter', 'txid'],
			[`chains/ALPHA/tx/${'0'.repeat(64)}`, 404, 'not-found'],
			['chains/ALPHA/addresses/nobody', 400, 'bad-parameter', 'address']
		];
		for (const [path, status, code, field] of wrong) {
			const response = await ask(path);
			const { error } = (await response.json()) as ProblemBody;
			expect({ status: response.status, code: error.code }, path.slice(0, 80)).toEqual({
				status,
				code
			});
			if (field !== undefined) expect(error.field, path.slice(0, 80)).toBe(field);
			expect(error.requestId).toBe('r1');
			expect(error.message.length).toBeGreaterThan(10);
		}
	});

	it('answers 304 until a block arrives', async () => {
		const path = 'chains/ALPHA/tokens?sort=name';
		const etag = (await ask(path)).headers.get('etag')!;
		expect(etag).toMatch(/^W\/"/);
		const again = await ask(path, { 'if-none-match': `"other", ${etag}` });
		expect(again.status).toBe(304);
		expect(await again.text()).toBe('');
		const file = path.replace('tokens', 'tokens.csv');
		const ofFile = (await ask(file)).headers.get('etag')!;
		expect(ofFile).not.toBe(etag);
		expect((await ask(file, { 'if-none-match': ofFile })).status).toBe(304);
		expect((await ask(`${path}&q=a`, { 'if-none-match': etag })).status).toBe(200);
		await net.control.mine('ALPHA');
		await follow('ALPHA');
		expect((await ask(path, { 'if-none-match': etag })).status).toBe(200);
		expect((await ask(file, { 'if-none-match': ofFile })).status).toBe(200);
	});

	it('answers a request for routes anew once the index of KMD stands still, in each format', async () => {
		const unknown = 'Notarizations are unknown: the index lacks blocks of KMD.';
		const paths = ['routes', 'routes.csv', 'routes.json'];
		const before = await Promise.all(paths.map((path) => ask(path)));
		for (const response of before) expect(await response.text()).not.toContain(unknown);
		await standStill('KMD');
		try {
			for (const [at, path] of paths.entries()) {
				const etag = before[at]!.headers.get('etag')!;
				const again = await ask(path, { 'if-none-match': etag });
				expect(again.status, path).toBe(200);
				expect(await again.text(), path).toContain(unknown);
			}
		} finally {
			await follow('KMD');
		}
	});

	it('exports the whole of a filter as CSV and as JSON, the same rows as page by page', async () => {
		const { rows } = await json<ListBody>('chains/KMD/transactions?kind=notarization&limit=1000');
		const file = await ask('chains/KMD/transactions.json?kind=notarization');
		expect(file.headers.get('content-disposition')).toBe(
			'attachment; filename="KMD-transactions.json"'
		);
		expect(await file.json()).toEqual(rows);
		const csv = await ask('chains/KMD/transactions.csv?kind=notarization');
		expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
		const lines = (await csv.text()).split('\r\n');
		expect(lines[0]).toBe('height,txid,kind,size,inputs,outputs,value,fee,time');
		expect(lines).toHaveLength(rows.length + 2);
		expect(lines[1]).toContain(String(rows[0]!['txid']));
		const none = await ask('chains/KMD/transactions.json?kind=shielded');
		expect(await none.json()).toEqual([]);
	});

	it('stops an export when its reader goes away', async () => {
		let reads = 0;
		const blocks = lists.find(({ name }) => name === 'blocks')!;
		const { exportList } = await import('#lib/server/chains/lists/exportList.ts');
		const endless = {
			...blocks,
			async read(from: Index, query: Parameters<typeof blocks.read>[1]) {
				reads++;
				const page = await blocks.read(from, query);
				return { ...page, next: 'again' };
			}
		};
		const query = { chain: 'ALPHA', filter: {}, sort: '-height', limit: 10 };
		const response = await exportList(
			index,
			{
				...endless,
				read: (from: Index, asked) => endless.read(from, { ...asked, cursor: undefined })
			},
			query,
			'csv',
			'W/"any"'
		);
		const reader = response.body!.getReader();
		await reader.read();
		await reader.read();
		await reader.cancel();
		const after = reads;
		await net.rpc('ALPHA', 'getblockcount');
		expect(reads).toBe(after);
		expect(reads).toBeLessThan(5);
	});
});

describe('the description of the API', () => {
	interface Operation {
		operationId: string;
		parameters: { name: string; in: string; required: boolean; schema: object }[];
		responses: Record<string, { description: string }>;
	}
	const document = openApi('http://deck.test') as {
		openapi: string;
		paths: Record<string, { get: Operation }>;
	};

	it('names every list with both its files, and every detail', () => {
		expect(document.openapi).toBe('3.1.0');
		const own = Object.keys(document.paths).filter((path) => path.startsWith('/api/v1/'));
		expect(own).toHaveLength(lists.length * 3 + details.length);
	});

	it('has an operation id of its own for each, a parameter for each place in its path, and an answer', () => {
		const ids = new Set<string>();
		for (const [path, { get }] of Object.entries(document.paths)) {
			expect(ids.has(get.operationId)).toBe(false);
			ids.add(get.operationId);
			const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const named = get.parameters.filter((parameter) => parameter.in === 'path');
			expect(named.map(({ name }) => name).toSorted()).toEqual(places.toSorted());
			expect(named.every(({ required }) => required)).toBe(true);
			const keys = get.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
			expect(new Set(keys).size).toBe(keys.length);
			expect(get.responses['200']?.description).toBeTruthy();
			if (!path.startsWith('/api/v1/')) continue;
			// A token with limits, a budget, a database that is away.
			expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['403', '429', '503']));
		}
	});
});
