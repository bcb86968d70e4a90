import { describe, expect, test } from 'vitest';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import {
	approveBy,
	gatewayToAll,
	giveFromOutside,
	importsOf,
	NOTARIES,
	publishedBurn,
	roomOver
} from './support.ts';
import { shared } from '../../support/shared.ts';

/** Builds and sends an approval like a notary operator on the page. */
async function approveHere(room: ReturnType<typeof roomOver>, burnTxid: string, daemon: string) {
	const found = (await room.notaryApprovals.published(burnTxid))!;
	const built = await room.notaryApprovals.approve(found, daemon, 'nora');
	if (!('send' in built)) throw new Error(JSON.stringify(built));
	const sent = await room.sender.send(built.send, 'nora');
	await room.notaryApprovals.sent(burnTxid);
	return { send: built.send, sent };
}

describe.each(['fast', 'seed'] as const)('the backup route on the profile %s', (profile) => {
	describeOnBothDatabases(
		'three approvals from here and two from outside',
		(database: TestDatabase) => {
			const net = shared(() => startDevnet({ profile }));
			const gateway = shared(() => gatewayToAll(net));

			test('a burn is published, five notaries approve it, and the coins arrive to the satoshi', async () => {
				const room = roomOver(database.db, gateway);
				const { id, txid, address } = await publishedBurn(net, room, '1.15');
				const stateOf = async () => (await room.migrations.get(id))!.row;
				await room.migrations.advance(id);
				expect(await stateOf()).toMatchObject({
					state: 'backup-collecting',
					path: 'backup',
					reason: { code: 'approvals.awaited', params: { counted: 0, pending: 0, unknown: 0 } }
				});
				expect(
					(await room.notaryApprovals.waiting()).burns.map(({ burn }) => burn.burnTxid)
				).toContain(txid);

				for (const daemon of NOTARIES.slice(0, 3)) {
					expect((await approveHere(room, txid, daemon)).sent).toBe('broadcast');
				}
				await net.control.mine('BETA');
				await room.migrations.advance(id);
				expect((await stateOf()).reason).toEqual({
					code: 'approvals.awaited',
					params: { counted: 3, pending: 0, unknown: 0 }
				});

				const fourth = await approveBy(net, NOTARIES[3]!, txid);
				expect(await giveFromOutside(room, txid, fourth)).toMatchObject({
					kind: 'kept',
					status: 'pending',
					counted: 3
				});
				await net.control.mine('BETA');
				const fifth = await approveBy(net, NOTARIES[4]!, txid);
				await giveFromOutside(room, txid, fifth);
				await room.migrations.advance(id);
				expect((await stateOf()).reason).toEqual({
					code: 'approvals.awaited',
					params: { counted: 4, pending: 1, unknown: 0 }
				});
				await net.control.mine('BETA');
				await room.migrations.advance(id);
				expect((await stateOf()).state).toBe('import-pending');
				await net.control.mine('BETA');
				await room.migrations.advance(id);
				expect((await stateOf()).state).toBe('done');

				const [imported, ...others] = await importsOf(gateway, txid);
				expect(others).toEqual([]);
				const view = (await room.migrations.get(id))!;
				expect(view.steps.get('import-confirmed')!.txid).toBe(imported);
				const unspent = await net.rpc<{ txid: string; address: string; amount: number }[]>(
					'BETA',
					'listunspent'
				);
				expect(unspent.filter((one) => one.txid === imported)).toEqual([
					expect.objectContaining({ address, amount: 1.15 })
				]);
				const late = await room.notaryApprovals.check(
					(await room.notaryApprovals.published(txid))!.burn
				);
				expect(late.txOutProof).toBeNull();
				expect(late.own.filter(({ result }) => result === 'fail')).toEqual([
					{
						id: 'unused',
						result: 'fail',
						message: { code: 'import.found', params: { chain: 'BETA', txid: imported } }
					}
				]);
				const { burn, approvals, counted } = (await room.notaryApprovals.published(txid))!;
				expect(counted).toBe(5);
				expect(burn.open).toBe(false);
				expect(new Set(approvals.map(({ notary }) => notary)).size).toBe(5);
				expect(approvals.map(({ givenBy }) => givenBy)).toEqual([
					'nora',
					'nora',
					'nora',
					null,
					null
				]);
				expect(
					await room.notaryApprovals.give(txid, fifth, { address: '203.0.113.9', account: null })
				).toMatchObject({ kind: 'refused', code: 'closed' });
			});
		}
	);
});
