import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { holderOf } from '#lib/server/chains/lists/holdings.ts';
import {
	newLedger,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { BOB, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { shared } from '../../support/shared.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, follow } from './support.ts';

/** Payments to the miner's key after its token: more than the search goes through. */
const NEWER = 600;

describeOnBothDatabases('who holds tokens', (database) => {
	const index = shared(() => openIndex(database.options));

	const holder = async (of: Index, key: typeof MINER): Promise<string | null> => {
		const { id } = await of.selectFrom('ix_chains').select('id').executeTakeFirstOrThrow();
		return holderOf(of, id, addressOfPubkey(key.pub));
	};

	it('is found by an address whose coins moved many times since, also of what was indexed before', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, 100n));
		ledger.mine({ count: NEWER });
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		expect(await holder(index, MINER)).toBe(MINER.hex);
		expect(await holder(index, BOB)).toBeNull();

		const coins = ledger.tokenCoins(tokenid, MINER.pub);
		const outs = [
			{ value: 40n, script: tokenScript(BOB.pub) },
			{ value: 60n, script: tokenScript(MINER.pub) }
		];
		ledger.submit(tokenTransfer(ledger, tokenid, MINER, coins, outs, [BOB]));
		ledger.mine();
		await sync!.catchUp();
		expect(await holder(index, BOB)).toBe(BOB.hex);

		ledger.mine({ count: NEWER });
		await sync!.catchUp();
		// As an older release left the index.
		await sql`drop index ix_holders_address`.execute(index);
		await sql`alter table ix_holders drop column address`.execute(index);
		await sql`delete from schema_migrations where name = 'index_011_holder_addresses'`.execute(
			index
		);
		const newer = await openIndex(database.options);
		try {
			expect(await holder(newer, MINER)).toBe(MINER.hex);
			expect(await holder(newer, BOB)).toBe(BOB.hex);
		} finally {
			await newer.close();
		}
	});
});
