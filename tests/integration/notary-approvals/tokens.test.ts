import { describe, expect, test } from 'vitest';
import { feedBurn } from '#lib/server/cross-chain/notary-approvals/feed.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { approveBy, gatewayToAll, giveFromOutside, NOTARIES, roomOver } from './support.ts';
import { shared } from '../../support/shared.ts';
import { draftedBurn } from '../migration/support.ts';

const NFT_DATA = 'f17b22617274223a226b6f6d6f6465636b227d';

describe.each(['fast', 'seed'] as const)('tokens on the backup route, profile %s', (profile) => {
	describeOnBothDatabases('from ALPHA to BETA', (database: TestDatabase) => {
		const net = shared(() => startDevnet({ profile }));
		const gateway = shared(() => gatewayToAll(net));
		const room = shared(() => roomOver(database.db, gateway));

		/** Creates a token on ALPHA, burns one unit of it for BETA and publishes the burn. */
		async function publish(name: string, supply: string, data: string) {
			const { hex } = await gateway.call(
				'ALPHA',
				'tokencreate',
				data === '' ? [name, supply, 'it travels'] : [name, supply, 'it travels', data]
			);
			const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
			await net.control.mine('ALPHA');
			const address = net.chains.get('BETA')!.pubkey;
			const id = await draftedBurn(room.migrations, { address, amount: '1', tokenid });
			await room.migrations.confirm(id, 'ada', null);
			await room.migrations.advance(id);
			await net.control.mine('ALPHA');
			await room.migrations.advance(id);
			const published = await room.migrations.publish(id, 'ada');
			const txid = (await room.migrations.get(id))!.row.burn_txid!;
			return { id, tokenid, txid, published };
		}

		test('a non-fungible token arrives whole, with its data and where it came from', async () => {
			const { id, tokenid, txid } = await publish('Deed', '0.00000001', NFT_DATA);
			const found = (await room.notaryApprovals.published(txid))!;
			expect(feedBurn(found, 'https://deck.example')).toMatchObject({ tokenid, amount: '1' });
			const check = await room.notaryApprovals.check(found.burn);
			expect([...check.daemon, ...check.own].filter(({ result }) => result === 'fail')).toEqual([]);
			for (const notary of NOTARIES) {
				await giveFromOutside(room, txid, await approveBy(net, notary, txid));
			}
			await net.control.mine('BETA');
			await room.migrations.advance(id);
			await net.control.mine('BETA');
			await room.migrations.advance(id);
			const { row, steps } = (await room.migrations.get(id))!;
			expect(row.state).toBe('done');
			const imported = steps.get('import-confirmed')!.txid!;
			expect(await gateway.call('BETA', 'tokeninfo', [imported])).toMatchObject({
				name: 'Deed',
				data: NFT_DATA,
				sourceTokenId: tokenid
			});
			const owner = net.chains.get('BETA')!.pubkey;
			const { balance } = await gateway.call('BETA', 'tokenbalance', [imported, owner]);
			expect(balance).toBe(1n);
		});

		test('a fungible token is not published: notaries could not approve it', async () => {
			const { txid, published } = await publish('Coins of its own', '0.00001', '');
			expect(published).toBe(false);
			expect(await room.notaryApprovals.published(txid)).toBeNull();
		});
	});
});
