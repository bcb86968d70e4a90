import { describe, expect, it, vi } from 'vitest';
import {
	createGateway,
	readsOnly,
	type GatewayOptions
} from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { startDevnet } from '../../support/devnet.ts';
import { between, type Between } from '../transactions/support.ts';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { readMempool } from '#lib/server/chains/explorer/mempool.ts';
import { readAddress } from '#lib/server/chains/explorer/address.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readBlock } from '#lib/server/chains/explorer/block.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { readHolder } from '#lib/server/chains/explorer/holder.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { readQuery, search } from '#lib/server/chains/explorer/search.ts';
import { readToken } from '#lib/server/chains/explorer/tokens.ts';
import { readTransaction } from '#lib/server/chains/explorer/transaction.ts';
import { shared } from '../../support/shared.ts';

const asking = () => new PageClient(gateway, 'test');
const someToken = async (): Promise<string> => (await asking().call('ALPHA', 'tokenlist', []))[0]!;

const nothing = () => Promise.resolve(null);
/** A gateway that reaches ALPHA through a proxy. */
const gatewayBetween = (
	{ url }: Between,
	limits: NonNullable<GatewayOptions['limits']> = {},
	pollEvery?: GatewayOptions['pollEvery']
): Gateway => {
	const config = loadConfig({ KOMODO_HOME: net.dir });
	const daemons = config.daemons.map((one) => (one.id === 'ALPHA' ? { ...one, url } : one));
	return createGateway(
		{ ...config, daemons },
		{
			refusal: readsOnly,
			limits,
			...(pollEvery === undefined ? {} : { pollEvery })
		}
	);
};

const net = shared(() => startDevnet());
const gateway = shared(async () => {
	const created = createGateway(loadConfig({ KOMODO_HOME: net.dir }), { refusal: readsOnly });
	// A page waits only briefly, also for the first response of a daemon.
	await created.probe();
	return created;
});

/** A page waits only this long for a daemon; a busy machine may take longer. */
const WITHIN_MS = 20_000;
/** For pages of one chain whose index makes no progress. */
const SAME_TIP = { tip: null, ofMany: false };

describe('a running chain', () => {
	it('lists its newest blocks downward', async () => {
		const list = await blockList(asking(), 'ALPHA', 5);
		expect(list.lines.map((line) => line.height)).toEqual(
			[0, 1, 2, 3, 4].map((back) => list.tip - back)
		);
		expect((await blockList(asking(), 'ALPHA', 5, 2)).lines.map((line) => line.height)).toEqual([
			2, 1, 0
		]);
	});

	it('says of what waits for a block what it is, and asks for each of it once', async () => {
		const proxy = await between(net, 'ALPHA');
		const counted = gatewayBetween(proxy);
		const pubkey = net.chains.get('ALPHA')!.pubkey;
		const txids: string[] = [];
		// Kinds are kept by txid; on a devnet of another test, these amounts make no transaction with the same txid.
		for (const amount of [1.0137, 2.0137, 3.0137]) {
			txids.push(await net.rpc<string>('ALPHA', 'sendtoaddress', addressOfPubkey(pubkey), amount));
		}
		const look = () => readMempool(new PageClient(counted, 'test'), 'ALPHA');
		const [first, second] = [await look(), await look()];
		expect(first.lines.filter(({ txid }) => txids.includes(txid))).toHaveLength(3);
		expect(first.lines.every(({ kind }) => kind === 'transfer')).toBe(true);
		expect(second).toEqual(first);
		expect(proxy.count('getrawmempool')).toBe(2);
		expect(proxy.count('getrawtransaction')).toBe(first.lines.length);
		await net.control.mine('ALPHA');
		await counted.close();
		await proxy.stop();
	});

	it('is shown as it was seconds ago while its daemon takes its time, and as it is once that answered', async () => {
		const proxy = await between(net, 'ALPHA');
		const slow = gatewayBetween(proxy);
		const glance = async (tip = 'first') =>
			chainGlance(new PageClient(slow, 'test'), 'ALPHA', false, nothing, { tip, ofMany: false });
		await expect.poll(async () => (await glance()).state).toBe('fresh');
		const before = await glance();
		const answered = Promise.withResolvers<null>();
		const held = Promise.withResolvers<null>();
		// Held from before the block on: on a slow machine, a read that begins before it ends after it.
		proxy.rewrite = async (_, body) => {
			held.resolve(null);
			await answered.promise;
			return body;
		};
		await net.control.mine('ALPHA');
		expect(await glance()).toEqual(before);
		await held.promise;
		// A page that a new block in the index requests waits for the response.
		const called = glance('second');
		expect(await glance()).toEqual(before);
		answered.resolve(null);
		proxy.rewrite = null;
		const height = (before.data?.height ?? 0) + 1;
		expect((await called).data?.height).toBe(height);
		await expect.poll(async () => (await glance()).data?.height).toBe(height);
		await slow.close();
		await proxy.stop();
	});

	it('holds up no page once its daemon has been silent for a while, and is shown anew when that answers', async () => {
		const proxy = await between(net, 'ALPHA');
		const silent = gatewayBetween(proxy, { awayAfterMs: 0 });
		const height = async () => {
			const client = new PageClient(silent, 'test');
			const began = performance.now();
			const piece = await client.piece('ALPHA', 'height', () =>
				client.call('ALPHA', 'getblockcount', [])
			);
			return { piece, took: performance.now() - began };
		};
		await expect.poll(async () => (await height()).piece.state).toBe('fresh');
		const answered = Promise.withResolvers<null>();
		proxy.rewrite = async (_, body) => {
			await answered.promise;
			return body;
		};
		// The first page detects the offline daemon.
		expect((await height()).took).toBeGreaterThan(500);
		const next = [await height(), await height(), await height()];
		expect(Math.min(...next.map(({ took }) => took))).toBeLessThan(400);
		expect(next.map(({ piece }) => piece.state)).toEqual(['stale', 'stale', 'stale']);
		answered.resolve(null);
		proxy.rewrite = null;
		await expect.poll(async () => (await height()).piece.state).toBe('fresh');
		await silent.close();
		await proxy.stop();
	});

	it('is asked once a second by pages of many chains while its daemon gives no answer, and again once it is online', async () => {
		const proxy = await between(net, 'ALPHA');
		const lost = gatewayBetween(proxy, {}, null);
		await lost.probe();
		const began = Date.now();
		/** Reads like the overview, this many milliseconds after the first time. */
		const glance = async (afterMs: number) => {
			const client = new PageClient(lost, 'test', began + afterMs);
			return chainGlance(client, 'ALPHA', false, nothing, { tip: null, ofMany: true });
		};
		expect((await glance(0)).state).toBe('fresh');
		proxy.rewrite = () => 'no daemon';
		// Such old data is outdated, so the page waits for new data.
		const first = await glance(6_000);
		expect(first.state).toBe('stale');
		const asked = proxy.count('getinfo');
		expect(await glance(6_900)).toEqual(first);
		await glance(7_100);
		// The other request of the summary may fail before this one was sent.
		await expect.poll(() => proxy.count('getinfo')).toBe(asked + 1);
		proxy.rewrite = null;
		await lost.probe();
		expect((await glance(7_200)).state).toBe('fresh');
		expect(proxy.count('getinfo')).toBeLessThan(asked + 4);
		await lost.close();
		await proxy.stop();
	});

	it('shows a block the same by height and by hash', async () => {
		const byHeight = await readBlock(asking(), 'ALPHA', '3', 1, 50);
		expect(byHeight.transactions[0]?.kind).toBe('coinbase');
		const byHash = await readBlock(asking(), 'ALPHA', byHeight.hash, 1, 50);
		expect(byHash).toEqual(byHeight);
	});

	it('tells a token’s creation apart, with the fee that its inputs leave', async () => {
		const { view, mined, bytes } = await readTransaction(asking(), 'ALPHA', await someToken());
		expect(view.kind).toBe('token-create');
		expect(view.fee).toBe(10_000n);
		expect(mined.height).toBeGreaterThan(0);
		expect(bytes.json).toContain('"txid": "');
	});

	it('says what a key holds and its ten address facts', async () => {
		const tokenid = await someToken();
		const { owner } = await readToken(asking(), 'ALPHA', tokenid);
		const holder = await readHolder(asking(), 'ALPHA', tokenid, owner!);
		expect(holder.balance).toBeGreaterThan(0n);
		expect(holder.facts.length).toBe(5);
		for (const fact of holder.facts) expect(fact.address).toMatch(/^R/);
		// Token units are satoshi of outputs that the daemon's own balance of the key leaves out.
		const own = holder.facts.find(({ kind }) => kind === 'key-tokens')!;
		expect(own.coins).toBeGreaterThanOrEqual(holder.balance);
		const lies = await readAddress(asking(), 'ALPHA', own.address);
		expect(own.coins).toBe(lies.conditionBalance);
	});

	it('adds up what lies at an address', async () => {
		const { view } = await readTransaction(
			asking(),
			'ALPHA',
			(await readBlock(asking(), 'ALPHA', '3', 1, 1)).transactions[0]!.txid
		);
		const address = view.outputs[0]!.address!;
		const lies = await readAddress(asking(), 'ALPHA', address);
		expect(lies.received).toBeGreaterThanOrEqual(lies.balance);
		expect(
			lies.unspent.filter((line) => !line.condition).reduce((sum, line) => sum + line.value, 0n)
		).toBe(lies.balance);
	});
});

describe('a P2SH address', () => {
	it('has each output once, and none of crypto-conditions', async () => {
		const address = encodeAddress(new Uint8Array(20).fill(0x5c), SCRIPT_ADDRESS_VERSION);
		await net.rpc('ALPHA', 'sendtoaddress', address, 1.15);
		await net.control.mine('ALPHA');
		expect(await readAddress(asking(), 'ALPHA', address)).toMatchObject({
			balance: 115_000_000n,
			conditionBalance: 0n,
			unspent: [{ value: 115_000_000n, condition: false }],
			total: 1
		});
	});
});

describe('a search', () => {
	it('for a height finds the block on every chain that has it', async () => {
		const { hits, problems } = await search(asking(), readQuery('3'));
		expect(hits.map((hit) => hit.chain)).toEqual(gateway.chains());
		expect(problems).toEqual([]);
	});

	it('for a token’s id finds token and transaction, on its chain only', async () => {
		const { hits } = await search(asking(), readQuery(await someToken()));
		expect(hits.map((hit) => [hit.chain, hit.what])).toEqual([
			['ALPHA', 'token'],
			['ALPHA', 'transaction']
		]);
	});

	it('for a chain’s name finds the chain', async () => {
		const { hits } = await search(asking(), readQuery('beta'));
		expect(hits).toMatchObject([{ what: 'chain', href: '/chains/BETA' }]);
	});
});

/** The index has no data. */

it('shows what was known while a daemon is down', async () => {
	const before = await chainGlance(asking(), 'GAMMA', false, nothing, SAME_TIP);
	expect(before.state).toBe('fresh');
	await net.control.fault('GAMMA', 'down');
	await chainGlance(asking(), 'GAMMA', false, nothing, SAME_TIP);
	// Its failed request may still have been running.
	await expect.poll(() => asking().daemon('GAMMA')?.health.state).toBe('down');
	const during = await chainGlance(asking(), 'GAMMA', false, nothing, SAME_TIP);
	expect(during).toMatchObject({ state: 'stale', data: { height: before.data?.height } });
	expect(during.problem?.words).toMatch(/^GAMMA .* Showing the last known data\.$/);
	const unread = await asking().piece('GAMMA', 'never read', () =>
		asking().call('GAMMA', 'tokenlist', [])
	);
	expect(unread.state).toBe('missing');
	const other = await chainGlance(asking(), 'BETA', false, nothing, SAME_TIP);
	expect(other.state).toBe('fresh');
	const { hits, problems } = await search(asking(), readQuery('3'));
	expect(hits.map((hit) => hit.chain)).not.toContain('GAMMA');
	expect(problems.length).toBe(1);
});

it('does not show something older when the daemon answers that there is no such thing', async () => {
	const client = asking();
	await client.piece('ALPHA', 'thing', () => client.call('ALPHA', 'getblockcount', []));
	const refused = await client.piece('ALPHA', 'thing', async () => {
		await client.call('ALPHA', 'getblockhash', [99_999_999]);
		return 0;
	});
	expect(refused).toMatchObject({ state: 'missing', problem: { code: 'daemon.rpc-error' } });
});

it('shows a block as it was read while its daemon says that it has pruned it, and does not say that there is none', async () => {
	const proxy = await between(net, 'ALPHA');
	const pruned = gatewayBetween(proxy);
	const hash = await net.rpc<string>('ALPHA', 'getblockhash', 1);
	const read = (what: string) => {
		const client = new PageClient(pruned, 'test');
		return client.piece('ALPHA', what, () => readBlock(client, 'ALPHA', hash, 1, 50));
	};
	await vi.waitFor(async () => expect((await read('block')).state).toBe('fresh'), WITHIN_MS);
	const error = { code: -32_603, message: 'Block not available (pruned data)' };
	proxy.rewrite = (method, body) =>
		method === 'getblock'
			? JSON.stringify({ ...(JSON.parse(body) as object), result: null, error })
			: body;
	const problem = {
		code: 'failed',
		words: expect.stringContaining('can no longer read this block') as string
	};
	await vi.waitFor(async () => {
		expect(await read('another block')).toMatchObject({ state: 'missing', problem });
		expect(await read('block')).toMatchObject({ state: 'stale', data: { hash } });
		const found = await search(new PageClient(pruned, 'test'), readQuery(hash), ['ALPHA']);
		expect(found).toMatchObject({ hits: [], problems: [problem] });
	}, WITHIN_MS);
	await pruned.close();
	await proxy.stop();
});
