import { expect, it } from 'vitest';
import { BURN_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { tokenHistory } from '#lib/server/chains/explorer/tokenHistory.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import {
	newLedger,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { keyOf, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { shared } from '../../support/shared.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, follow } from './support.ts';

/** More than the points of the supply chart. */
const BURNS = 502;
const SUPPLY = 1_000n;

describeOnBothDatabases('the supply of a token over time', (database) => {
	const index = shared(() => openIndex(database.options));

	it('ends with what circulates now, however often the token was burned', async () => {
		await clear(index);
		const ledger = newLedger();
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, SUPPLY));
		ledger.mine();
		const nobody = { ...keyOf('nobody'), pub: BURN_PUBKEY };
		for (let burned = 1n; burned <= BigInt(BURNS); burned++) {
			const outs = [
				{ value: 1n, script: tokenScript(BURN_PUBKEY) },
				{ value: SUPPLY - burned, script: tokenScript(MINER.pub) }
			];
			const coins = ledger.tokenCoins(tokenid, MINER.pub);
			const tx = tokenTransfer(ledger, tokenid, MINER, coins, outs, [nobody, MINER]);
			ledger.submit(tx, { signedHere: true });
			ledger.mine();
		}
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		const history = await tokenHistory(index, ledger.symbol, tokenid, new URLSearchParams());
		const circulating = SUPPLY - BigInt(BURNS);
		expect(history).toMatchObject({ circulating, burned: BigInt(BURNS) });
		expect(history!.supply.at(-1)).toMatchObject({ units: circulating });
		expect(history!.supply.length).toBe(500);
		expect(history!.supply[0]).toMatchObject({ units: circulating + 499n });
	});
});
