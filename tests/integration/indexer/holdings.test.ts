import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { ccScript, EVAL, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { BLOB, tokenCreateScript } from '#lib/chain/token.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { holderOf } from '#lib/server/chains/lists/holdings.ts';
import {
	FEE,
	newLedger,
	payment,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, BOB, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
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

	/** Units by holder, as the index has them. */
	const units = async (): Promise<Record<string, number>> => {
		const rows = await index.selectFrom('ix_holders').select(['holder', 'units']).execute();
		return Object.fromEntries(
			rows.filter(({ units: n }) => n > 0n).map(({ holder: key, units: n }) => [key, Number(n)])
		);
	};

	it('are the same after a part was put on sale: the order holds its units, and the rest its own', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const tokenid = ledger.submit(tokenCreation(ledger, MINER, 100n));
		ledger.mine();
		// As `tokenask` builds it: the units for sale at a key of the module of orders, which ALICE stands for.
		const onSale = [
			{ value: 10n, script: ccScript([ALICE.pub], [EVAL.assets, EVAL.tokens]) },
			{ value: FEE, script: ccScript([MINER.pub], [EVAL.assets]) },
			{ value: 90n, script: tokenScript(MINER.pub) }
		];
		const order = new Uint8Array([EVAL.assets, 0x73]);
		ledger.submit(
			tokenTransfer(
				ledger,
				tokenid,
				MINER,
				ledger.tokenCoins(tokenid, MINER.pub),
				onSale,
				[ALICE],
				{
					blobs: [{ id: BLOB.assets, data: order }]
				}
			)
		);
		ledger.mine();
		const rest = ledger.tokenCoins(tokenid, MINER.pub);
		expect(rest.map(({ value }) => value)).toEqual([90n]);
		const outs = [
			{ value: 50n, script: tokenScript(BOB.pub) },
			{ value: 40n, script: tokenScript(MINER.pub) }
		];
		ledger.submit(tokenTransfer(ledger, tokenid, MINER, rest, outs, [BOB]));
		ledger.mine();
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		expect(await units()).toEqual({ [ALICE.hex]: 10, [MINER.hex]: 40, [BOB.hex]: 50 });
	});

	it('are known of a token that is listed by the marker of early releases', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const payload = tokenCreateScript({
			owner: MINER.pub,
			name: 'OLD',
			description: '',
			blobs: []
		});
		const outs = [
			{ value: FEE, script: p2pkh(hash160(TOKENS_GLOBAL_PUBKEY)) },
			{ value: 7n, script: tokenScript(MINER.pub) },
			{ value: 0n, script: payload }
		];
		const tokenid = ledger.submit(payment(ledger, MINER, outs, { keepLast: true }));
		ledger.mine();
		expect(ledger.tokenList()).toContain(tokenid);
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		expect(await units()).toEqual({ [MINER.hex]: 7 });
	});
});
