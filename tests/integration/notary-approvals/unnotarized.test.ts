import { expect, test } from 'vitest';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { approveBy, gatewayToAll, giveFromOutside, NOTARIES, roomOver } from './support.ts';
import { shared } from '../../support/shared.ts';
import { addressOn, draftBurn, idOfDraft } from '../migration/support.ts';

describeOnBothDatabases('a destination that is not notarized yet', (database: TestDatabase) => {
	const net = shared(() => startDevnet({ bare: true }));
	const gateway = shared(() => gatewayToAll(net));

	test('is reached by the backup route only: asked for from the start, published with the burn', async () => {
		const room = roomOver(database.db, gateway);
		const input = { address: await addressOn(net, 'BETA'), amount: '1.15' };
		const refused = await draftBurn(room.migrations, input);
		expect(refused).toMatchObject({ kind: 'refused' });
		const drafted = await draftBurn(room.migrations, { ...input, approvals: true });
		const id = idOfDraft(drafted);
		const checks = drafted.kind === 'drafted' ? drafted.checks : [];
		const warned = checks.filter(({ result }) => result === 'warn').map((one) => one.id);
		expect(warned).toContain('destination-notarizations');
		const row = async () => (await room.migrations.get(id))!.row;
		const txid = (await row()).burn_txid!;
		// Nothing is published before the burn is confirmed by a member.
		expect(await room.notaryApprovals.published(txid)).toBeNull();
		expect(await room.migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		await room.migrations.advance(id);
		// Before a block holds the burn, its bytes are not published.
		expect(await room.notaryApprovals.published(txid)).toBeNull();
		await net.control.mine('ALPHA');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('backup-collecting');
		expect((await room.notaryApprovals.waiting()).burns.map(({ burn }) => burn.burnTxid)).toContain(
			txid
		);
		for (const notary of NOTARIES) {
			await giveFromOutside(room, txid, await approveBy(net, notary, txid));
		}
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('done');
	});

	test('is reached by no burn that lost its inputs, and such a burn is not taken back to notarizations', async () => {
		const room = roomOver(database.db, gateway);
		const address = await addressOn(net, 'BETA');
		const id = idOfDraft(
			await draftBurn(room.migrations, { address, amount: '1.15', approvals: true })
		);
		const view = async () => (await room.migrations.get(id))!;
		expect(await room.migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		// The same wallet spends its input meanwhile.
		const { txid, vout } = parseTransaction((await view()).steps.get('burn')!.hex!).vin[0]!;
		const { value } = await net.rpc<{ value: number }>('ALPHA', 'gettxout', txid, vout);
		const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [{ txid, vout }], {
			[await addressOn(net, 'ALPHA')]: (value - 0.0001).toFixed(8)
		});
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', raw);
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		await room.migrations.advance(id);
		await net.control.mine('ALPHA', 10);
		await net.control.notarize('ALPHA');
		await room.migrations.advance(id);
		expect((await view()).row).toMatchObject({ state: 'stuck', path: 'backup' });
		expect(await room.migrations.withdraw(id, 'ada')).toBe(false);
		expect((await view()).row.state).toBe('stuck');
	});

	test('is reached by a burn of chosen outputs too, and such a burn can be taken back to notarizations', async () => {
		const room = roomOver(database.db, gateway);
		const { daemons } = await net.control.state();
		const { address } = daemons.find(({ id }) => id === 'BETA')!;
		const unspent = await net.rpc<
			{ txid: string; vout: number; amount: number; spendable: boolean }[]
		>('ALPHA', 'listunspent');
		const largest = unspent
			.filter(({ spendable }) => spendable)
			.sort((a, b) => b.amount - a.amount)[0]!;
		const drafted = await room.migrations.draftCustom(
			{
				source: 'ALPHA',
				destination: 'BETA',
				raw: '',
				policy: 'automatic',
				outputs: [`${largest.txid}:${largest.vout}`],
				recipients: `${address}, 0.25`,
				approvals: true
			},
			'ada'
		);
		const id = idOfDraft(drafted);
		const view = async () => (await room.migrations.get(id))!;
		expect((await view()).row.path).toBe('backup');
		expect((await view()).burn!.inputs[0]).toMatchObject({ txid: largest.txid });
		expect(await room.migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		await room.migrations.advance(id);
		await net.control.mine('ALPHA');
		await room.migrations.advance(id);
		expect((await view()).row.state).toBe('backup-collecting');
		expect(await room.migrations.withdraw(id, 'ada')).toBe(true);
		expect((await view()).row.path).toBe('custom');
		expect(await room.migrations.publish(id, 'ada')).toBe(true);
		const txid = (await view()).row.burn_txid!;
		for (const notary of NOTARIES) {
			await giveFromOutside(room, txid, await approveBy(net, notary, txid));
		}
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await view()).row.state).toBe('done');
	});
});
