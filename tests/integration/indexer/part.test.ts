/** An index that does not have all blocks of a chain: it is still behind, or starts at a later block than the first. */
import { expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { p2pk } from '#lib/chain/script.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { tokenHistory } from '#lib/server/chains/explorer/tokenHistory.ts';
import { exportList } from '#lib/server/chains/lists/exportList.ts';
import { listQuery } from '#lib/server/chains/lists/listQuery.ts';
import { walletHistory } from '#lib/server/chains/lists/walletHistory.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import { COIN, newLedger, pay, tokenCreation } from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { newNetwork, notarize } from '../../../src/devnet/ledger/testkit/network.ts';
import { shared } from '../../support/shared.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, follow, ledgerSource } from './support.ts';

const TARGET = 3_000_000;
const LEASE = { renew: () => Promise.resolve() };

describeOnBothDatabases('a part of a chain in the index', (database) => {
	const index = shared(() => openIndex(database.options));
	const readFrom = async (ledger: Ledger, start: number): Promise<void> => {
		const chain = await ensureChain(index, ledger.symbol, start);
		const source = ledgerSource(ledger);
		await new ChainSync(chain, { index, source, lease: LEASE }).catchUp();
	};

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

	it('has the supply of a token that older coins paid for, and no balance after a transaction', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const start = ledger.height + 1;
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, 100n));
		ledger.mine();
		await readFrom(ledger, start);
		const history = await tokenHistory(index, ledger.symbol, tokenid, new URLSearchParams());
		expect(history).toMatchObject({ circulating: 100n, holderCount: 1n });

		const given = new URLSearchParams({ address: addressOfPubkey(MINER.pub) });
		const query = listQuery(walletHistory, ledger.symbol, given);
		const { rows } = await walletHistory.read(index, query);
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.map(({ balance }) => balance)).toEqual(rows.map(() => null));
		const file = await (await exportList(index, walletHistory, query, 'csv', null)).text();
		expect(
			file
				.trim()
				.split(/\r?\n/)
				.slice(1)
				.every((line) => line.endsWith(','))
		).toBe(true);

		// From its first block, which only the genesis block precedes, it is whole.
		await readFrom(ledger, 1);
		const whole = await walletHistory.read(index, query);
		expect(whole.rows[0]!.balance).toBeGreaterThan(0n);
	});

	it('is read again where an earlier release left tokens without supply', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.mine();
		const start = ledger.height + 1;
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, 100n));
		ledger.mine();
		await readFrom(ledger, start);
		await index.updateTable('ix_chains').set({ rules: 2n }).execute();
		await index.updateTable('ix_tokens').set({ supply: 0n }).execute();
		await readFrom(ledger, start);
		const history = await tokenHistory(index, ledger.symbol, tokenid, new URLSearchParams());
		expect(history).toMatchObject({ circulating: 100n });
	});
});
