/** An index that does not have all blocks of a chain: it is still behind. */
import { expect, it } from 'vitest';
import { p2pk } from '#lib/chain/script.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { COIN, pay } from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { newNetwork, notarize } from '../../../src/devnet/ledger/testkit/network.ts';
import { shared } from '../../support/shared.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, follow } from './support.ts';

const TARGET = 3_000_000;

describeOnBothDatabases('a part of a chain in the index', (database) => {
	const index = shared(() => openIndex(database.options));

	it('counts confirmations up to the tip of the daemon, and does not know what later blocks notarize', async () => {
		await clear(index);
		const { kmd, alpha } = newNetwork();
		alpha.mine();
		const notarized = alpha.height;
		notarize(kmd, alpha);
		const txid = pay(alpha, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]);
		const { height } = alpha;
		const [sync] = await follow(index, [alpha]);
		await sync!.catchUp();
		const name = alpha.symbol;
		const block = (at: number) => indexedBlock(index, name, String(at));
		expect(await block(height)).toMatchObject({ confirmations: 1, notarized, next: null });
		await index
			.updateTable('ix_chains')
			.set({ target_height: BigInt(TARGET), state: 'behind' })
			.where('name', '=', name)
			.execute();
		const counted = (at: number) => ({
			confirmations: TARGET - at + 1,
			rawConfirmations: TARGET - at + 1
		});
		expect(await block(height)).toMatchObject({
			...counted(height),
			notarized: null,
			next: String(height + 1)
		});
		expect((await indexedTransaction(index, name, txid))!.mined).toMatchObject(counted(height));
		// What the index already knows as notarized stays so.
		expect(await block(1)).toMatchObject({ ...counted(1), notarized });
	});
});
