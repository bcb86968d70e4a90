import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { createSources } from '#lib/server/chains/indexer/fetching.ts';
import { createIndexer, LEASE_BOUND } from '#lib/server/chains/indexer/indexer.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { createSource, type ChainSource } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { MEGABYTE } from '#lib/server/platform/disk/diskSpace.ts';
import { createClockGuard } from '#lib/server/platform/jobs/clock.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { between, gatewayTo } from '../transactions/support.ts';
import { clear, dump, freeLease, TestLease } from './support.ts';
import { shared } from '../../support/shared.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

const WORKER = fileURLToPath(
	new URL('../../../src/lib/server/chains/indexer/worker.ts', import.meta.url)
);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describeOnBothDatabases('the index of a running network', (database) => {
	let lease: TestLease;

	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const index = shared(() => openIndex(database.options));
	beforeAll(async () => {
		lease = new TestLease(index);
		expect(await lease.take()).toBe(true);
	});

	async function synced(chain: string): Promise<ChainSync> {
		const position = await ensureChain(index, chain, 0);
		const sync = new ChainSync(position, { index, lease, source: createSource(gateway, chain) });
		await sync.catchUp();
		return sync;
	}

	async function chainId(chain: string): Promise<bigint> {
		return (await ensureChain(index, chain, 0)).id;
	}

	it('says that a daemon is starting, though such a daemon answers batches', async () => {
		await net.control.fault('ALPHA', 'warm-up');
		try {
			const tip = createSource(gateway, 'ALPHA').tip();
			await expect(tip).rejects.toMatchObject({
				code: 'indexer.unreachable',
				message: expect.stringContaining('ALPHA is still starting') as string
			});
		} finally {
			await net.control.fault('ALPHA', 'none');
		}
	});

	it('is the same from a daemon that answers batches in disorder, in part, or not at all', async () => {
		const proxy = await between(net, 'ALPHA');
		const odd = gatewayTo(net, database, { ALPHA: { url: proxy.url } });
		const blocks = async (count: number): Promise<string[]> =>
			(await createSource(odd, 'ALPHA').blocks(0, count)).map(({ bytes }) =>
				Buffer.from(bytes).toString('hex')
			);
		const right = await blocks(9);
		const encodeDialect =
			(change: (answers: { id?: unknown }[]) => unknown) => (_: string, body: string) =>
				body.startsWith('[')
					? JSON.stringify(change(JSON.parse(body) as { id?: unknown }[]))
					: body;
		const asked = proxy.count('getblock');
		for (const change of [
			(answers: { id?: unknown }[]) => answers.toReversed(),
			(answers: { id?: unknown }[]) => answers.slice(1),
			(answers: { id?: unknown }[]) => answers.map(({ id, ...rest }) => ({ ...rest, id: `${id}` })),
			() => ({ result: null, error: { code: -32600, message: 'Params must be an array' } })
		]) {
			proxy.rewrite = encodeDialect(change);
			expect(await blocks(9)).toEqual(right);
		}
		expect(proxy.count('getblock')).toBeGreaterThan(asked);
		proxy.rewrite = (_method, body) => body.replace(/"result": ?/, '"id":7, "result" : ');
		expect(JSON.parse(await createSource(odd, 'ALPHA').verboseBlock(1))).toMatchObject({
			height: 1
		});
		proxy.rewrite = () => '[{"id":0,"result":null,"error":null}]';
		await expect(createSource(odd, 'ALPHA').tip()).rejects.toThrow('in a form that is not known');
		await odd.close();
		await proxy.stop();
	});

	it('holds the tokens, holders and balances that the daemons name', async () => {
		for (const chain of gateway.chains()) await synced(chain);
		for (const chain of ['ALPHA', 'BETA', 'GAMMA']) {
			const id = await chainId(chain);
			const tokens = await index
				.selectFrom('ix_tokens')
				.selectAll()
				.where('chain', '=', id)
				.execute();
			const ids = tokens.map(({ tokenid }) => Buffer.from(tokenid).toString('hex'));
			expect(ids.toSorted()).toEqual((await net.rpc<string[]>(chain, 'tokenlist')).toSorted());
			for (const [at, token] of tokens.entries()) {
				const facts = await net.rpc<Record<string, unknown>>(chain, 'tokeninfo', ids[at]);
				expect({
					name: token.name,
					description: token.description,
					owner: token.owner,
					supply: Number(token.supply)
				}).toEqual({
					name: facts['name'],
					description: facts['description'],
					owner: facts['owner'],
					supply: facts['supply']
				});
				const holders = await index
					.selectFrom('ix_holders')
					.selectAll()
					.where('chain', '=', id)
					.where('token', '=', token.seq)
					.execute();
				expect(holders).toHaveLength(Number(token.holders));
				// Burned units have no holder; the rest adds up to the created units.
				expect(holders.map(({ holder }) => holder)).not.toContain(bytesToHex(BURN_PUBKEY));
				const held = holders.reduce((sum, { units }) => sum + units, 0n);
				expect(held + token.burned).toBe(token.supply);
				for (const { holder, units } of holders) {
					const { balance } = await net.rpc<{ balance: number }>(
						chain,
						'tokenbalance',
						ids[at],
						holder
					);
					expect(Number(units), `${token.name} of ${holder}`).toBe(balance);
				}
			}
			const owner = addressOfPubkey(net.chains.get(chain)!.pubkey);
			const told = await net.rpc<{ balance: number; received: number }>(
				chain,
				'getaddressbalance',
				{ addresses: [owner] }
			);
			const known = await index
				.selectFrom('ix_addresses')
				.select(['balance', 'received'])
				.where('chain', '=', id)
				.where('address', '=', owner)
				.executeTakeFirstOrThrow();
			expect({ balance: Number(known.balance), received: Number(known.received) }).toEqual({
				balance: told.balance,
				received: told.received
			});
		}
	});

	it('joins the burns and imports of two chains and knows who notarized', async () => {
		const burns = await index.selectFrom('ix_burns').selectAll().execute();
		expect(burns.length).toBeGreaterThan(0);
		const beta = await chainId('BETA');
		const joined = burns.filter(({ import_chain }) => import_chain === beta);
		expect(joined.length).toBeGreaterThan(0);
		for (const burn of joined) {
			const row = await index
				.selectFrom('ix_imports')
				.selectAll()
				.where('chain', '=', burn.import_chain!)
				.where('seq', '=', burn.import_seq!)
				.executeTakeFirstOrThrow();
			expect(Buffer.from(row.burn_txid)).toEqual(Buffer.from(burn.txid));
			expect(row.value).toBe(burn.value);
		}
		const notarization = await index
			.selectFrom('ix_notarizations')
			.selectAll()
			.where('form', '=', 'back')
			.orderBy('seq', 'desc')
			.executeTakeFirstOrThrow();
		expect(notarization.signer_count).toBeGreaterThanOrEqual(11n);
		expect(notarization.signers.split(',')).toHaveLength(Number(notarization.signer_count));
	});

	it('follows new blocks, and takes back what the chain takes back', async () => {
		const sync = await synced('ALPHA');
		const { height } = await net.control.mine('ALPHA', 3);
		await sync.catchUp();
		expect(sync.height).toBe(height);
		const { removed } = await net.control.reorg('ALPHA', 2);
		await sync.catchUp();
		const gone = await index
			.selectFrom('ix_blocks')
			.select('height')
			.where(
				'hash',
				'in',
				removed.map((hash) => Buffer.from(hash, 'hex'))
			)
			.execute();
		expect(gone).toEqual([]);
		const row = await index
			.selectFrom('ix_chains')
			.selectAll()
			.where('name', '=', 'ALPHA')
			.executeTakeFirstOrThrow();
		expect(row.state).toBe('current');
		expect(row.reorgs).toBe(1n);
	});

	it('takes nothing back while a daemon has less of the same chain, and goes on when it has more', async () => {
		const { height } = await synced('ALPHA');
		const reorgs = async () =>
			(
				await index
					.selectFrom('ix_chains')
					.select('reorgs')
					.where('name', '=', 'ALPHA')
					.executeTakeFirstOrThrow()
			).reorgs;
		const before = { held: await dump(index), reorgs: await reorgs() };
		const source = createSource(gateway, 'ALPHA');
		const upTo = (tip: number): ChainSource => ({
			...source,
			tip: async () => (await source.hashAt(tip))!,
			height: () => Promise.resolve(tip),
			hashAt: (at) => (at > tip ? Promise.resolve(null) : source.hashAt(at))
		});
		const followed = async (from: ChainSource) =>
			new ChainSync(await ensureChain(index, 'ALPHA', 0), { index, lease, source: from }).catchUp();
		for (const tip of [0, height - 3]) {
			await expect(followed(upTo(tip))).rejects.toMatchObject({
				code: 'indexer.daemon-behind',
				params: { chain: 'ALPHA', tip, next: height + 1 }
			});
			expect(await dump(index)).toEqual(before.held);
		}
		// The daemon that returns blocks is now another one than the daemon that reported the tip.
		await net.control.mine('ALPHA', 1);
		let asked = source;
		const late: ChainSource = {
			...source,
			height: () => asked.height(),
			hashAt: (at) => asked.hashAt(at),
			blocks() {
				asked = upTo(height - 3);
				return Promise.resolve([]);
			}
		};
		await expect(followed(late)).rejects.toMatchObject({ code: 'indexer.daemon-behind' });
		expect(await dump(index)).toEqual(before.held);
		await followed(source);
		expect(await reorgs()).toBe(before.reorgs);
	});

	it('takes nothing back when the daemon of another chain answers at its address', async () => {
		await synced('ALPHA');
		const before = await dump(index);
		let behind = 'ALPHA';
		const forward = createServer((request, response) => {
			void (async () => {
				let body = '';
				for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
				const { url, user, password } = net.chains.get(behind)!;
				const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
				const answer = await fetch(url, { method: 'POST', headers: { authorization }, body });
				response.writeHead(answer.status, { 'content-type': 'application/json' });
				response.end(await answer.text());
			})();
		});
		const url = `http://127.0.0.1:${await listening(forward)}/`;
		const moved = gatewayTo(net, database, { ALPHA: { url } });
		const followed = async () =>
			new ChainSync(await ensureChain(index, 'ALPHA', 0), {
				index,
				lease,
				source: createSource(moved, 'ALPHA')
			}).catchUp();
		await followed();
		await net.control.mine('BETA', 60);
		behind = 'BETA';
		await expect(followed()).rejects.toMatchObject({
			code: 'indexer.unreachable',
			params: { call: { code: 'daemon.wrong-chain' } }
		});
		expect(await dump(index)).toEqual(before);
		await moved.close();
		await closeAtOnce(forward);
	});

	it('says what is in the way while the work queue is full, and goes on afterwards', async () => {
		await net.control.fault('GAMMA', 'work-queue-full');
		await freeLease(index);
		const indexer = createIndexer({
			index,
			chains: gateway.chains(),
			source: (chain) => createSource(gateway, chain),
			pollMs: 20
		});
		indexer.start();
		const state = () =>
			index
				.selectFrom('ix_chains')
				.selectAll()
				.where('name', '=', 'GAMMA')
				.executeTakeFirstOrThrow();
		await expect.poll(async () => (await state()).state, { timeout: 10_000 }).toBe('waiting');
		expect((await state()).problem).toContain('GAMMA');
		await net.control.fault('GAMMA', 'none');
		const { height } = await net.control.mine('GAMMA');
		indexer.nudge();
		await expect.poll(async () => Number((await state()).height), { timeout: 15_000 }).toBe(height);
		expect((await state()).problem).toBeNull();
		await indexer.stop();
		expect(await lease.take()).toBe(true);
	});

	it('waits while the disk has less room than its reserve, and goes on by itself', async () => {
		const reserve = 256 * MEGABYTE;
		let free = reserve - 1;
		let looks = 0;
		const told: unknown[] = [];
		await freeLease(index);
		const indexer = createIndexer({
			index,
			chains: ['GAMMA'],
			source: (chain) => createSource(gateway, chain),
			pollMs: 20,
			room: () => {
				looks += 1;
				return Promise.resolve({ free, reserve });
			},
			onError: (error) => told.push(error)
		});
		const before = await ensureChain(index, 'GAMMA', 0);
		const { height } = await net.control.mine('GAMMA', 2);
		indexer.start();
		const state = () =>
			index
				.selectFrom('ix_chains')
				.selectAll()
				.where('name', '=', 'GAMMA')
				.executeTakeFirstOrThrow();
		const problem = { code: 'indexer.no-room', params: { free, reserve } };
		await expect
			.poll(async () => (await state()).problem, { timeout: 10_000 })
			.toBe(JSON.stringify(problem));
		expect(await state()).toMatchObject({ state: 'waiting', height: BigInt(before.height) });
		if (index.dialect === 'sqlite') {
			const log = join(database.options.dataDir, 'index.sqlite-wal');
			await expect.poll(() => statSync(log).size).toBeLessThan(100_000);
		}
		// The problem is logged once, however often the indexer looks again.
		await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(2);
		expect(told).toHaveLength(1);
		free = reserve;
		await expect.poll(async () => Number((await state()).height), { timeout: 15_000 }).toBe(height);
		expect((await state()).problem).toBeNull();
		await indexer.stop();
		expect(await lease.take()).toBe(true);
	});

	it('lets one of two write: an owner that slept too long loses what it was about to write', async () => {
		let now = Date.now();
		await freeLease(index);
		const first = new TestLease(index, () => now);
		const second = new TestLease(index, () => now);
		expect(await first.take()).toBe(true);
		expect(await second.take()).toBe(false);
		const position = await ensureChain(index, 'BETA', 0);
		const source = createSource(gateway, 'BETA');
		const sleeper = new ChainSync(position, { index, lease: first, source });
		now += 60_000;
		expect(await second.take()).toBe(true);
		await net.control.mine('BETA');
		await expect(sleeper.catchUp()).rejects.toMatchObject({ code: 'lease.lost' });
		expect((await ensureChain(index, 'BETA', 0)).height).toBe(position.height);
		await second.release();
		expect(await lease.take()).toBe(true);
	});

	it('does not wait for a lease that a clock gave which was set back since', async () => {
		const now = Date.now();
		await freeLease(index);
		expect(await new TestLease(index, () => now + 3_600_000).take()).toBe(true);
		const guard = createClockGuard({ db: index, bounds: [LEASE_BOUND], clock: () => now });
		await guard.repair();
		expect(await new TestLease(index, () => now).take()).toBe(false);
		expect(await new TestLease(index, () => now + LEASE_BOUND.longest).take()).toBe(true);
		await freeLease(index);
		expect(await lease.take()).toBe(true);
	});

	it('resumes after a kill at any moment and ends as one that was never killed', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-killed-'));
		const options = { ...database.options, dataDir };
		if (database.options.url) await clear(index);
		const env = {
			...process.env,
			KOMODECK_DATA: dataDir,
			KOMODO_HOME: net.dir,
			DATABASE_URL: database.options.url ?? ''
		};
		await freeLease(index);
		const killed = await openIndex(options);
		const heights = async (): Promise<number> => {
			const rows = await killed.selectFrom('ix_chains').select('height').execute();
			return rows.reduce((sum, { height }) => sum + Number(height) + 1, 0);
		};
		const state = await net.control.state();
		const all = state.chains.reduce((sum, { height }) => sum + height + 1, 0);
		// A crash leaves the same rows in both databases, so only one of them runs all cases.
		const further = index.dialect === 'sqlite' ? 1 : Math.ceil(all / 2);
		let kills = 0;
		do {
			// As when the lease of the killed process has expired.
			await freeLease(killed);
			const before = await heights();
			const child: ChildProcess = spawn(process.execPath, [WORKER], {
				cwd: ROOT,
				env,
				stdio: 'ignore'
			});
			await expect
				.poll(heights, { timeout: 30_000, interval: 1 })
				.toBeGreaterThanOrEqual(Math.min(all, before + further));
			child.kill('SIGKILL');
			await once(child, 'exit');
			kills++;
		} while ((await heights()) < all);
		expect(kills).toBeGreaterThan(0);
		const after = await dump(killed);
		await killed.close();
		rmSync(dataDir, { recursive: true, force: true });
		await clear(index);
		await freeLease(index);
		expect(await lease.take()).toBe(true);
		for (const chain of gateway.chains()) await synced(chain);
		expect(after).toEqual(await dump(index));
	});

	it('asks for many blocks from a thread of their own, which gives the same ones and the same refusals', async () => {
		const before = process.env['KOMODO_HOME'];
		process.env['KOMODO_HOME'] = net.dir;
		const near = (chain: string): ChainSource => createSource(gateway, chain);
		const sources = createSources(near, (error) => {
			throw error;
		});
		try {
			const far = sources.source('ALPHA');
			const { height } = await net.control.mine('ALPHA', 120);
			const blocks = await far.blocks(height - 150, 150);
			expect(blocks).toHaveLength(150);
			expect(blocks).toEqual(await near('ALPHA').blocks(height - 150, 150));
			expect(await far.tip()).toBe(await near('ALPHA').tip());
			expect(await far.blocks(height + 1, 150)).toEqual([]);
			const nowhere = sources.source('NOWHERE');
			await expect(nowhere.blocks(0, 150)).rejects.toMatchObject({ code: 'indexer.no-daemon' });
		} finally {
			await sources.close();
			if (before === undefined) delete process.env['KOMODO_HOME'];
			else process.env['KOMODO_HOME'] = before;
		}
		expect(await sources.source('ALPHA').height()).toBeGreaterThan(0);
	});
});
