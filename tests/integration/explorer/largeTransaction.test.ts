/** A transaction with more outputs than a page can show at once. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertRows } from '#lib/server/chains/indexer/bulk.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { launchProduct, type Product } from '../../support/product.ts';

const OUTPUTS = 100_000;
const TXID = 'ab'.repeat(32);

describeOnSqlite('a transaction with very many outputs', (database) => {
	let net: Devnet;
	let product: Product;
	beforeAll(async () => {
		net = await startDevnet({ manual: true });
		product = await launchProduct({
			flags: [],
			env: {
				KOMODECK_DATA: database.dataDir,
				KOMODO_HOME: net.dir,
				KOMODECK_PUBLIC: '1',
				KOMODECK_REQUESTS: '1000000'
			}
		});
		const index = await openIndex(database.options);
		const chain = await vi.waitFor(
			() =>
				index
					.selectFrom('ix_chains')
					.select('id')
					.where('name', '=', 'ALPHA')
					.where('height', '>', 5n)
					.executeTakeFirstOrThrow(),
			{ timeout: 30_000 }
		);
		const seq = seqOf(3, 9);
		await index.write(async (trx) => {
			await insertRows(
				trx,
				'ix_txs',
				['chain', 'seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value', 'fee'],
				[[chain.id, seq, Buffer.from(TXID, 'hex'), 'transfer', 3_400_000, 0, OUTPUTS, OUTPUTS, 1]]
			);
			await insertRows(
				trx,
				'ix_outputs',
				['chain', 'seq', 'n', 'value', 'type', 'address'],
				Array.from({ length: OUTPUTS }, (_, n) => [
					chain.id,
					seq,
					n,
					1,
					'pubkeyhash',
					'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'
				])
			);
		});
		await index.close();
	}, 120_000);
	afterAll(async () => {
		await product.stop();
		await net.stop();
	});

	it('opens with some of them at a time, and tells of all what they are worth', async () => {
		const page = async (number: number): Promise<string> => {
			const answer = await fetch(`${product.url}/chains/ALPHA/tx/${TXID}?page=${number}`);
			expect(answer.status).toBe(200);
			const text = await answer.text();
			expect(text.length).toBeLessThan(2_000_000);
			return text;
		};
		const [first, last, beyond] = [await page(1), await page(500), await page(1_000)];
		for (const text of [first, last, beyond]) {
			expect(text).toContain(`Outputs (${OUTPUTS})`);
			expect(text).toContain('0.001');
		}
		expect(first).toContain('Page 1 of 500');
		expect(first.match(/data-n="/g)).toHaveLength(200);
		expect(first).toContain('data-n="199"');
		expect(last).toContain('data-n="99999"');
		expect(beyond).toContain('Page 500 of 500');
	});
});
