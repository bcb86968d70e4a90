import { beforeAll, describe, expect, test } from 'vitest';
import { parseCoins } from '#lib/chain/amount.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import {
	addressOn,
	carry,
	draftBurn,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	paidTo,
	placesOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

/** Results of the checks for absent indexes of a destination: missing optional indexes stop no migration. */
const WITHOUT_INDEXES = {
	txindex: 'ok',
	addressindex: 'warn',
	spentindex: 'warn',
	timestampindex: 'ok'
};
/** Indexes without which release 0.9.0 builds no burn. */
const BUILDING = ['addressindex', 'spentindex'];

describe.each(['fast', 'plain', 'seed'] as const)('on a network of the profile %s', (profile) => {
	describeOnBothDatabases('coins carried from ALPHA to BETA', (database) => {
		let to: string;
		const net = shared(() => startDevnet({ profile }));
		const gateway = shared(() => gatewayTo(placesOf(net)));
		beforeAll(async () => {
			to = await addressOn(net, 'BETA');
			if (profile === 'plain')
				await net.control.buildingIndexes('ALPHA', { addressIndex: true, spentIndex: true });
		});

		test.each(['1.15', '0.00000001', '8.2', '4.35', '999999.99999999'])(
			'%s coins arrive to the satoshi',
			async (amount) => {
				const migrations = migrationsOver(database.db, gateway);
				const drafted = await draftBurn(migrations, { address: to, amount });
				const id = idOfDraft(drafted);
				const checks = drafted.kind === 'drafted' ? drafted.checks : [];
				for (const chain of ['ALPHA', 'BETA']) {
					for (const [name, result] of Object.entries(WITHOUT_INDEXES)) {
						const found = checks.find((check) => check.id === `${name}-${chain}`);
						const isKept = name === 'txindex' || (chain === 'ALPHA' && BUILDING.includes(name));
						const state = profile === 'plain' && !isKept ? 'off' : 'on';
						expect(found?.message).toMatchObject({
							code: `index.${state}`,
							params: { index: name, chain }
						});
						expect(found?.result).toBe(state === 'off' ? result : 'ok');
					}
				}
				expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
				expect(await carry(net, migrations, id)).toBe('done');
				const { steps, row } = (await migrations.get(id))!;
				const txid = steps.get('import-confirmed')!.txid!;
				expect(await paidTo(net, 'BETA', txid, to)).toBe(parseCoins(amount));
				expect(row.lease_owner).toBeNull();
			}
		);
	});
});

describeOnBothDatabases('on a source whose daemon keeps no optional index', (database) => {
	const net = shared(() => startDevnet({ profile: 'plain' }));
	const gateway = shared(() => gatewayTo(placesOf(net)));

	test('what is made of selected UTXOs is drafted all the same: the daemon only converts it', async () => {
		const migrations = migrationsOver(database.db, gateway);
		const [utxo] = await net.rpc<{ txid: string; vout: number }[]>('ALPHA', 'listunspent');
		const drafted = await migrations.draftCustom(
			{
				source: 'ALPHA',
				destination: 'BETA',
				outputs: [`${utxo!.txid}:${utxo!.vout}`],
				recipients: `${await addressOn(net, 'BETA')} 0.5`,
				raw: '',
				policy: 'automatic'
			},
			'ada'
		);
		expect(drafted.kind).toBe('drafted');
	});

	test.each(BUILDING)('no burn is asked for while %s is off', async (off) => {
		await net.control.buildingIndexes('ALPHA', {
			addressIndex: off !== 'addressindex',
			spentIndex: off !== 'spentindex'
		});
		const migrations = migrationsOver(database.db, gateway);
		const address = await addressOn(net, 'BETA');
		const drafted = await draftBurn(migrations, { address, amount: '1' });
		expect(drafted).toMatchObject({ kind: 'refused' });
		const checks = drafted.kind === 'refused' ? drafted.checks : [];
		const failures = checks.filter(({ result }) => result === 'fail');
		expect(failures).toMatchObject([
			{
				field: 'source',
				message: { code: 'index.off', params: { index: off, chain: 'ALPHA', builds: true } }
			}
		]);
		const asked = net.rpc('ALPHA', 'migrate_createburntransaction', 'BETA', address, '1');
		await expect(asked).rejects.toMatchObject({
			code: -1,
			message:
				'You need to set -pubkey, or run setpukbey RPC, or imports are disabled on this chain.'
		});
	});
});
