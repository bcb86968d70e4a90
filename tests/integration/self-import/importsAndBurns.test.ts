import { expect, test } from 'vitest';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readBlockImports } from '#lib/server/chains/explorer/blockImports.ts';
import { parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { walletBurns, type WalletBurn } from '#lib/server/cross-chain/transfers/walletBurns.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { between, gatewayTo } from '../transactions/support.ts';
import { followDaemon } from '../indexer/support.ts';
import { shared } from '../../support/shared.ts';

const COIN = 100_000_000n;

interface Built {
	SourceTxHex: string;
	ImportTxHex: string;
}

describeOnBothDatabases('imports of a block and burns of a wallet', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const index = shared(() => openIndex(database.options));

	/** Reads like a page, with a separate client. */
	const read = (chain: string, id: string) =>
		readBlockImports(new PageClient(gateway, 'test'), index, chain, id);

	const follow = (chain: string): Promise<void> => followDaemon(index, gateway, chain);

	/** The block of the newest import of a chain, according to the index. */
	async function newest(chain: string): Promise<string> {
		await follow(chain);
		const { height } = await index
			.selectFrom('ix_imports as i')
			.innerJoin('ix_chains as c', 'c.id', 'i.chain')
			.select('i.seq as height')
			.where('c.name', '=', chain)
			.orderBy('i.seq', 'desc')
			.executeTakeFirstOrThrow();
		return String(height / 65_536n);
	}

	test('a self-import is worth what it created, though the daemon says nothing of it', async () => {
		const found = await read('SELF', await newest('SELF'));
		expect(found).toMatchObject({
			created: 500n * COIN,
			daemonTotal: 500n * COIN,
			indexTotal: 500n * COIN,
			imports: [
				{ kind: 'self-import', created: 500n * COIN, fee: 0n, daemon: { amount: 0n, source: null } }
			]
		});
	});

	test('an import of coins is worth its payout, without the fee that the daemon counts in', async () => {
		const { imports, created, daemonTotal, indexTotal } = await read('BETA', await newest('BETA'));
		const [one] = imports;
		expect(imports).toHaveLength(1);
		expect(one).toMatchObject({ kind: 'coins', fee: 10_000n, burn: { source: 'ALPHA' } });
		expect(one!.daemon).toEqual({ amount: 0n, exportAmount: created + 10_000n, source: 'ALPHA' });
		expect([created, daemonTotal, indexTotal]).toEqual([one!.payouts[0]!.value, created, created]);
	});

	test('amounts that the daemon leaves out are unknown, beside those that are decoded here', async () => {
		const id = await newest('BETA');
		const proxy = await between(net, 'BETA');
		const other = gatewayTo(net, database, { BETA: { url: proxy.url } });
		try {
			proxy.rewrite = (method, body) =>
				method === 'getimports'
					? body.replaceAll(/"(amount|TotalImported)": ?[\d.]+/g, '"$1":null')
					: body;
			const found = await readBlockImports(new PageClient(other, 'test'), index, 'BETA', id);
			const whole = await read('BETA', id);
			expect(found).toEqual({
				...whole,
				daemonTotal: null,
				imports: whole.imports.map((one) => ({
					...one,
					daemon: { ...one.daemon, amount: null, exportAmount: null }
				}))
			});
		} finally {
			await other.close();
			await proxy.stop();
		}
	});

	test('two imports of a block are added up, by hash as by height', async () => {
		const to = await net.rpc<string>('ALPHA', 'getnewaddress');
		for (const amount of ['1.15', '0.00000001']) {
			const { SourceTxHex, ImportTxHex } = await net.rpc<Built>('SELF', 'selfimport', to, amount);
			await net.rpc('SELF', 'sendrawtransaction', SourceTxHex);
			await net.rpc('SELF', 'sendrawtransaction', ImportTxHex);
		}
		const { tip, height } = await net.control.mine('SELF');
		const before = await read('SELF', tip);
		expect(before).toMatchObject({ height, indexTotal: null, onChain: true });
		// The daemon parses 1.15 as one satoshi less.
		expect(before.created).toBe(115_000_000n);
		expect(before.imports.map(({ created }) => created).sort()).toEqual([1n, 114_999_999n]);
		await follow('SELF');
		const after = await read('SELF', String(height));
		expect(after).toEqual({
			...before,
			indexTotal: before.created,
			imports: before.imports.map((one) => ({ ...one, index: one.created }))
		});
	});

	/** Sends a burn of 1.15 from ALPHA to BETA; returns its txid. */
	async function burn(): Promise<string> {
		const to = await net.rpc<string>('BETA', 'getnewaddress');
		const built = await net.rpc<{ BurnTxHex: string }>(
			'ALPHA',
			'migrate_createburntransaction',
			'BETA',
			to,
			'1.15'
		);
		return net.rpc('ALPHA', 'sendrawtransaction', built.BurnTxHex);
	}

	test('the burns of a wallet are told newest first with what became of each', async () => {
		const mined = await burn();
		await net.control.mine('ALPHA');
		const waiting = await burn();
		const told = () => gateway.call('ALPHA', 'getwalletburntransactions', ['10']);
		const isLost = async (txid: string): Promise<boolean> =>
			(await gateway.call('ALPHA', 'gettransaction', [txid])).rawconfirmations < 0;
		const all = { index, db: database.db, chains: gateway.chains(), isLost };
		const before = await walletBurns(all, 'ALPHA', await told());
		// Burns that no index has seen are not called open.
		expect(before.map(({ status }) => status)).not.toContain('open');

		await follow('ALPHA');
		await follow('BETA');
		const burns = await walletBurns(all, 'ALPHA', await told());
		expect(burns.slice(0, 2)).toMatchObject([
			{ txid: waiting, status: 'waiting', import: null, migration: null },
			{ txid: mined, status: 'open', burned: 115_009_999n, arrives: 114_999_999n }
		]);
		const changed = async (member: string): Promise<WalletBurn> => {
			const wire = parseJson(
				JSON.stringify(await net.rpc('ALPHA', 'getwalletburntransactions', '10'))
			) as Record<string, JsonValue>[];
			const spoiled = wire.map((one) => ({ ...one, [member]: null }));
			const read = decodeTolerantly('getwalletburntransactions', spoiled)!;
			return (await walletBurns(all, 'ALPHA', read)).find(({ txid }) => txid === mined)!;
		};
		const whole = burns.find(({ txid }) => txid === mined)!;
		const unvalued = { ...whole, burned: null, arrives: null };
		// Without its token it is no burn of coins: the amount counts units.
		expect(await changed('tokenid')).toEqual(unvalued);
		expect(await changed('burnedAmount')).toEqual(unvalued);
		expect(await changed('targetCCid')).toEqual({ ...whole, targetCcid: null });
		expect(await changed('targetSymbol')).toEqual({ ...whole, target: null, status: 'unknown' });
		const done = burns.filter(({ status }) => status === 'imported');
		expect(done.length).toBeGreaterThan(0);
		expect(done[0]).toMatchObject({ target: 'BETA', import: { chain: 'BETA' }, token: null });
		const newestOnly = await gateway.call('ALPHA', 'getwalletburntransactions', ['1']);
		expect((await walletBurns(all, 'ALPHA', newestOnly)).map(({ txid }) => txid)).toEqual([
			waiting
		]);

		// The wallet remembers a burn that no block holds any more.
		await net.control.mine('ALPHA');
		await net.control.reorg('ALPHA', 1, true, true);
		await follow('ALPHA');
		const after = await walletBurns(all, 'ALPHA', await told());
		expect(after.find(({ txid }) => txid === waiting)).toMatchObject({ status: 'lost' });
		expect(after.find(({ txid }) => txid === mined)).toMatchObject({ status: 'open' });
	});

	test('a burn counts as not imported only if the index has every block of a configured destination', async () => {
		const txid = await burn();
		await net.control.mine('ALPHA');
		await follow('ALPHA');
		await follow('BETA');
		const told = await gateway.call('ALPHA', 'getwalletburntransactions', ['10']);
		const all = { index, db: database.db, isLost: () => Promise.resolve(false) };
		const statusAmong = async (chains: string[]) =>
			(await walletBurns({ ...all, chains }, 'ALPHA', told)).find((one) => one.txid === txid)
				?.status;
		const beta = (change: { start_height?: number; state?: string }) =>
			index.updateTable('ix_chains').set(change).where('name', '=', 'BETA').execute();
		expect(await statusAmong(['ALPHA', 'BETA'])).toBe('open');
		expect(await statusAmong(['ALPHA'])).toBe('unconfigured');
		await beta({ start_height: 2 });
		expect(await statusAmong(['ALPHA', 'BETA'])).toBe('unseen');
		await beta({ start_height: 0, state: 'behind' });
		expect(await statusAmong(['ALPHA', 'BETA'])).toBe('unseen');
		await beta({ state: 'current' });
	});

	test('a block that was taken back is said to be, and one that never was is refused', async () => {
		const { tip } = await net.control.mine('SELF');
		await net.control.reorg('SELF', 1);
		expect(await read('SELF', tip)).toMatchObject({ onChain: false });
		await expect(read('SELF', 'ab'.repeat(32))).rejects.toMatchObject({
			code: 'daemon.rpc-error'
		});
	});
});
