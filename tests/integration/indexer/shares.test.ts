import { expect, it } from 'vitest';
import { BURN_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { holders } from '#lib/server/chains/lists/holders.ts';
import {
	newLedger,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { BOB, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, follow } from './support.ts';
import { shared } from '../../support/shared.ts';

const SUPPLY = 1_000_000n;
const NOBODY = { ...BOB, pub: BURN_PUBKEY };

describeOnBothDatabases('shares of holders', (database) => {
	const index = shared(() => openIndex(database.options));

	it('add up to 100 percent after units were transferred and burned, whatever the page size', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, SUPPLY));
		ledger.mine();
		const give = (outs: readonly (readonly [typeof BOB, bigint])[]): string => {
			const coins = ledger.tokenCoins(tokenid, MINER.pub);
			const left =
				coins.reduce((sum, { value }) => sum + value, 0n) -
				outs.reduce((sum, [, units]) => sum + units, 0n);
			const all = [...outs, [MINER, left] as const];
			const tx = tokenTransfer(
				ledger,
				tokenid,
				MINER,
				coins,
				all.map(([key, value]) => ({ value, script: tokenScript(key.pub) })),
				outs.map(([key]) => key)
			);
			ledger.submit(tx);
			ledger.mine();
			return txidOf(tx);
		};
		const shares = async (limit: number): Promise<number[]> => {
			const found: number[] = [];
			let cursor: string | undefined;
			do {
				const page = await holders.read(index, {
					chain: ledger.symbol,
					filter: { tokenid },
					sort: '-units',
					limit,
					cursor
				});
				found.push(
					...page.rows.map((row) => Number((holders.wire(row) as { share: string }).share))
				);
				cursor = page.next ?? undefined;
			} while (cursor !== undefined);
			return found;
		};
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		expect(await shares(10)).toEqual([100]);
		give([[NOBODY, 15_000n]]);
		await sync!.catchUp();
		expect(await shares(10)).toEqual([100]);
		give([[BOB, 98_500n]]);
		await sync!.catchUp();
		expect(await shares(1)).toEqual([90, 10]);
		expect(await shares(10)).toEqual([90, 10]);
	});
});
