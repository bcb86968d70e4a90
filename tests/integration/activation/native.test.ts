/** What a native daemon is told for a trading node. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kdfPortOver } from '#lib/server/kdf/activation/kdfPort.ts';
import { createNative } from '#lib/server/kdf/activation/native.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo } from '../transactions/support.ts';
import { ADDRESS, ok } from './scriptedNode.ts';
import { createWorld, NODE, type World } from './world.ts';

describeOnBothDatabases('a native daemon of a trading node', (database) => {
	let world: World;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	beforeEach(async () => {
		world = await createWorld(database);
	});
	afterEach(() => world.close());

	it('watches no address that is not on record, also when it never says that it does', async () => {
		world.node.on('get_public_key_hash', () =>
			ok({ public_key_hash: '05aab5342166f8594baf17a7d9bef5d567443327' })
		);
		const nodes = kdfPortOver(world.gateway);
		const native = createNative({ gateway, nodes, audit: world.audit, daemons: [] });
		const coin = (await world.activations.coins.find('KMD'))!;
		const lost = { method: 'importaddress', count: 1, phase: 'after' } as const;
		await net.control.fault('KMD', 'drop', lost);
		await expect(native.importAddress(NODE, coin, false, 'ada')).rejects.toMatchObject({
			code: expect.stringMatching(/^daemon\./) as string
		});
		const [imported] = await world.audit.list({ limit: 5 });
		expect(imported).toMatchObject({ actor: 'ada', action: 'address.imported', target: ADDRESS });
	});
});
