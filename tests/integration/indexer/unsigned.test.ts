/** Notarizations with daemons that do not know the notaries of the network. */
import { beforeAll, expect, it, vi } from 'vitest';
import { notarizationPage } from '#lib/messages/pages/notarizations.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readTransaction } from '#lib/server/chains/explorer/transaction.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { Recall } from '#lib/server/chains/indexer/recall.ts';
import { createSource, type ChainSource } from '#lib/server/chains/indexer/source.ts';
import { listAnswer } from '#lib/server/api/listAnswer.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { readChainFacts } from '#lib/server/chains/lists/chainRoutes.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { gatewayTo } from '../transactions/support.ts';
import { launchProduct } from '../../support/product.ts';
import { TestLease } from './support.ts';
import { shared } from '../../support/shared.ts';

describeOnBothDatabases(
	'the index of daemons without the notaries of their network',
	(database) => {
		const net = shared(() => startDevnet({ profile: 'plain' }));
		const gateway = shared(() => gatewayTo(net, database));
		const index = shared(() => openIndex(database.options));
		let lease: TestLease;

		beforeAll(async () => {
			lease = new TestLease(index);
			expect(await lease.take()).toBe(true);
		});

		async function follow(
			chain: string,
			source: ChainSource,
			recall = new Recall()
		): Promise<void> {
			const position = await ensureChain(index, chain, 0);
			await new ChainSync(position, { index, lease, source, recall }).catchUp();
		}
		const notarizations = () =>
			index.selectFrom('ix_notarizations').select(['signers', 'signer_count']).execute();

		it('holds every notarization that their own search finds, without signers', async () => {
			await follow('KMD', createSource(gateway, 'KMD'));
			const rows = await notarizations();
			const { chains } = await net.control.state();
			expect(rows.length).toBeGreaterThanOrEqual(chains.length - 1);
			expect(new Set(rows.map(({ signer_count }) => signer_count))).toEqual(new Set([0n]));
			const listed = await gateway.call('KMD', 'getNotarisationsForBlock', [1]);
			expect(listed).toMatchObject({ KMD: [], LABS: [] });
		});

		it('tells who pays in a pending transaction, of which such a daemon tells no input, and how much', async () => {
			const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'BETA')!;
			const txid = await net.rpc<string>('KMD', 'sendtoaddress', address, 2.5);
			const read = () => readTransaction(new PageClient(gateway, 'test'), 'KMD', txid, index);
			const { view, mined } = await vi.waitFor(read, 20_000);
			const waiting = await net.rpc<Record<string, { fee: number }>>('KMD', 'getrawmempool', true);
			expect(mined.height).toBeNull();
			const sum = (all: readonly { value: bigint | null }[]): bigint =>
				all.reduce((total, { value }) => total + value!, 0n);
			const left = sum(view.inputs) - sum(view.outputs);
			expect(formatCoins(left)).toBe(waiting[txid]!.fee.toFixed(8));
			expect(view.headline).toEqual({
				code: 'payment',
				paid: { value: 250_000_000n, ticker: 'KMD' },
				to: [address],
				hasData: false
			});
		});

		it('is not said to hold notarizations that nobody signed', async () => {
			const { txid } = await index
				.selectFrom('ix_notarizations')
				.select('txid')
				.limit(1)
				.executeTakeFirstOrThrow();
			const id = Buffer.from(txid).toString('hex');
			const product = await launchProduct({
				env: {
					KOMODECK_DATA: database.dataDir,
					KOMODO_HOME: net.dir,
					KOMODECK_PUBLIC: '1',
					DATABASE_URL: database.options.url ?? ''
				}
			});
			try {
				for (const page of [`tx/${id}`, `notarizations/${id}`]) {
					const answer = await fetch(`${product.url}/chains/KMD/${page}`);
					const html = await answer.text();
					expect(html).toContain(notarizationPage.signers.unknown);
					expect(html).not.toContain('0 of 64');
				}
			} finally {
				await product.stop();
			}
		});

		it('asks a daemon that fails again and again for signers more and more seldom, and searches nothing again', async () => {
			let now = 0;
			const recall = new Recall(() => now);
			const asked: number[] = [];
			const source = createSource(gateway, 'KMD');
			const forgetful: ChainSource = {
				...source,
				notarized: () => Promise.reject(new Error('It is in the index.')),
				signers(heights) {
					asked.push(now);
					expect(heights.length).toBeLessThanOrEqual(50);
					return asked.length === 3
						? Promise.reject(new AppError('indexer.failed'))
						: source.signers(heights);
				}
			};
			for (; now < 900_000; now += 20_000) {
				await follow('KMD', forgetful, recall).catch((error: unknown) => {
					if (!isAppError(error, 'indexer')) throw error;
				});
			}
			expect(asked).toEqual([0, 60_000, 180_000, 420_000]);
		});

		it('learns the signers when a daemon that is followed anew knows them', async () => {
			const source = createSource(gateway, 'KMD');
			const knowing: ChainSource = {
				...source,
				signers: async () => {
					const rows = await index.selectFrom('ix_notarizations').select('txid').execute();
					return new Map(rows.map(({ txid }) => [Buffer.from(txid).toString('hex'), [7, 3, 11]]));
				}
			};
			const url = new URL('http://localhost/api/v1/chains/KMD/notarizations');
			const ask = (etag: string) => {
				const request = new Request(url, { headers: { 'if-none-match': etag } });
				const asked = { index, request, url, chain: 'KMD', chains: ['KMD'], requestId: 'test' };
				return listAnswer({ ...asked, file: 'notarizations' });
			};
			const etag = (await ask('')).headers.get('etag')!;
			await follow('KMD', source);
			expect((await ask(etag)).status).toBe(304);
			await follow('KMD', knowing);
			// The list changes without a new block.
			expect((await ask(etag)).status).toBe(200);
			expect(new Set((await notarizations()).map(({ signers }) => signers))).toEqual(
				new Set(['3,7,11'])
			);
		});

		it('takes the cross-chain id from the daemon where no notarization tells it', async () => {
			await follow('ALPHA', createSource(gateway, 'ALPHA'));
			await index.deleteFrom('ix_notarizations').execute();
			const facts = await readChainFacts(index);
			expect(facts.find(({ name }) => name === 'ALPHA')).toMatchObject({
				ccid: 777,
				notarizations: 0
			});
		});

		it('invalidates the routes that scripts know when a daemon tells another cross-chain id, and only then', async () => {
			const source = createSource(gateway, 'ALPHA');
			const followTelling = (ccid: number) =>
				follow('ALPHA', { ...source, ccid: () => Promise.resolve(ccid) });
			const url = new URL('http://localhost/api/v1/routes');
			const ask = (etag: string) => {
				const request = new Request(url, { headers: { 'if-none-match': etag } });
				const asked = { index, request, url, chains: ['ALPHA', 'KMD'], requestId: 'test' };
				return listAnswer({ ...asked, file: 'routes' });
			};
			await followTelling(777);
			const etag = (await ask('')).headers.get('etag')!;
			await followTelling(777);
			expect((await ask(etag)).status).toBe(304);
			await followTelling(778);
			expect((await ask(etag)).status).toBe(200);
		});
	}
);
