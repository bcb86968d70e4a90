/** A page with as many outputs as fit into a transaction of a real chain, while other requests are served. */
import { expect, test } from 'vitest';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { insertRows } from '#lib/server/chains/indexer/bulk.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { describeOnSqlite } from '../../support/database.ts';

const OUTPUTS = 5_900;
const TXID = 'ab'.repeat(32);
const ADDRESS = 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2';
/** Maximum time without serving other requests on an otherwise idle machine. */
const MOST_IN_A_TURN = 500;

describeOnSqlite('a large transaction', (database) => {
	test('is read whole, and leaves others their turns meanwhile', async () => {
		const index = await openIndex(database.options);
		const seq = seqOf(3, 9);
		await index.write(async (trx) => {
			await insertRows(
				trx,
				'ix_chains',
				[
					'id',
					'name',
					'start_height',
					'height',
					'target_height',
					'state',
					'rate',
					'written_at',
					'reorgs',
					'tokens',
					'looked_at'
				],
				[[1, 'ALPHA', 0, 10, 10, 'current', 0, 1, 0, 0, 1]]
			);
			await insertRows(
				trx,
				'ix_blocks',
				['chain', 'height', 'hash', 'time', 'size', 'txs'],
				[[1, 3, Buffer.alloc(32, 1), 1, 200_000, 1]]
			);
			await insertRows(
				trx,
				'ix_txs',
				['chain', 'seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value', 'fee'],
				[[1, seq, Buffer.from(TXID, 'hex'), 'transfer', 200_000, 0, OUTPUTS, OUTPUTS, 1]]
			);
			await insertRows(
				trx,
				'ix_outputs',
				['chain', 'seq', 'n', 'value', 'type', 'address'],
				Array.from({ length: OUTPUTS }, (_, n) => [1, seq, n, 1, 'pubkeyhash', ADDRESS])
			);
		});
		let turns = 0;
		let over = false;
		const others = (): void => {
			turns += 1;
			if (!over) setImmediate(others);
		};
		setImmediate(others);
		const found = await indexedTransaction(index, 'ALPHA', TXID);
		over = true;
		await index.close();
		expect(found?.view.outputs.map(({ n }) => n)).toEqual(
			Array.from({ length: OUTPUTS }, (_, n) => n)
		);
		expect(turns).toBeGreaterThanOrEqual(Math.floor(OUTPUTS / MOST_IN_A_TURN));
	});
});
