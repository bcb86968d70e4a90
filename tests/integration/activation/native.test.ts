/** What a native daemon must import for a trading node. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kdfPortOver, type KdfPort } from '#lib/server/kdf/calls/kdfPort.ts';
import type { Coins } from '#lib/server/kdf/coins/coins.ts';
import { createNative } from '#lib/server/kdf/activation/native.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo } from '../transactions/support.ts';
import { ADDRESS, ok, refused } from './scriptedNode.ts';
import { createWorld, NODE, type World } from './world.ts';

const unstopped = (): Promise<void> => Promise.resolve();
const KEY = '02031d4256c4bc9f99ac88bf3dba21773132281f65f9bf23a59928bce08961e2f3';

describeOnBothDatabases('a native daemon of a trading node', (database) => {
	let world: World;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	beforeEach(async () => {
		world = await createWorld(database);
	});
	afterEach(() => world.close());
	const nativeOf = (nodes: KdfPort, coins: Pick<Coins, 'catalog'> = world.activations.coins) =>
		createNative({ gateway, nodes, audit: world.audit, daemons: [], coins });
	const ofOneKey = (): void => {
		world.node.on('get_public_key_hash', () =>
			ok({ public_key_hash: '05aab5342166f8594baf17a7d9bef5d567443327' })
		);
		world.node.on('get_public_key', () => ok({ public_key: KEY }));
		world.node.on('get_my_address', () =>
			ok({ coin: 'ETH', wallet_address: '0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29' })
		);
	};

	it('is given no address of the key that only names a node with a wallet of many', async () => {
		const native = nativeOf(kdfPortOver(world.gateway));
		const coin = (await world.activations.coins.find('KMD'))!;
		const node = (hash: string, key: string, evm: string): void => {
			world.node.on('get_public_key_hash', () => ok({ public_key_hash: hash }));
			world.node.on('get_public_key', () => ok({ public_key: key }));
			world.node.on('get_my_address', () => ok({ coin: 'ETH', wallet_address: evm }));
		};
		ofOneKey();
		expect(await native.facts(NODE, coin, 'r')).toMatchObject({ address: ADDRESS });
		node(
			'efa6a43e1af2847419841144153183d9690e2136',
			'020202a4c51fd0b7d5049196a1ee69406241dd1bb83d84ed59cf86669831200588',
			'0x1737F1FaB40c6Fd3dc729B51C0F97DB3297CCA93'
		);
		const unknown = await native.facts(NODE, coin, 'r');
		expect(unknown).toMatchObject({ address: null, canImport: false });
		expect(unknown.checks.at(-1)?.mend).toMatch(/^Once the coin is active, .* its page shows/);
		await expect(native.importAddress(NODE, coin, false, 'ada', unstopped)).rejects.toMatchObject({
			code: 'activation.nothing-to-import'
		});
		// A node that currently does not say whether it has a single key or an HD wallet.
		for (const silent of ['get_public_key', 'get_my_address']) {
			ofOneKey();
			world.node.on(silent, () => 'hang');
			expect((await native.facts(NODE, coin, 'r')).address).toBeNull();
			await expect(native.importAddress(NODE, coin, false, 'ada', unstopped)).rejects.toMatchObject(
				{
					code: 'activation.nothing-to-import'
				}
			);
		}
		// Values that are not keys.
		node('05aab5342166f8594baf17a7d9bef5d567443327', `02${'f'.repeat(64)}`, `0x${'1'.repeat(40)}`);
		expect((await native.facts(NODE, coin, 'r')).address).toBeNull();
	});

	it('is given no address where nothing tells whether the node has one key or many', async () => {
		const nodes = kdfPortOver(world.gateway);
		const { coins } = world.activations;
		const coin = (await coins.find('KMD'))!;
		const noneOf = async (native: ReturnType<typeof createNative>): Promise<void> => {
			expect(await native.facts(NODE, coin, 'r')).toMatchObject({
				address: null,
				canImport: false
			});
			expect(await codeOf(native.importAddress(NODE, coin, false, 'ada', unstopped))).toBe(
				'activation.nothing-to-import'
			);
		};
		ofOneKey();
		const { coins: all, problems } = await coins.catalog();
		const withoutEvm = all.filter(({ protocol }) => protocol !== 'ETH');
		await noneOf(
			nativeOf(nodes, { catalog: () => Promise.resolve({ coins: withoutEvm, problems }) })
		);
		// The node's own coins file lacks an entry that ours has.
		for (const unknown of ['get_my_address', 'get_public_key']) {
			ofOneKey();
			world.node.on(unknown, () => refused('CoinConfigIsNotFound', 'ETH'));
			await noneOf(nativeOf(nodes));
		}
	});

	it('watches nothing for an admin who lost the right before the daemon was asked', async () => {
		ofOneKey();
		const native = nativeOf(kdfPortOver(world.gateway));
		const coin = (await world.activations.coins.find('KMD'))!;
		const stopped = (): Promise<void> => Promise.reject(new AppError('queue.kept'));
		await expect(native.importAddress(NODE, coin, false, 'ada', stopped)).rejects.toMatchObject({
			code: 'queue.kept'
		});
		expect(await gateway.call('KMD', 'validateaddress', [ADDRESS])).toMatchObject({
			iswatchonly: false
		});
	});

	it('watches no address that is not on record, also when it never says that it does', async () => {
		ofOneKey();
		const nodes = kdfPortOver(world.gateway);
		const native = nativeOf(nodes);
		const coin = (await world.activations.coins.find('KMD'))!;
		const lost = { method: 'importaddress', count: 1, phase: 'after' } as const;
		await net.control.fault('KMD', 'drop', lost);
		await expect(native.importAddress(NODE, coin, false, 'ada', unstopped)).rejects.toMatchObject({
			code: expect.stringMatching(/^daemon\./) as string
		});
		const [imported] = await world.audit.list({ limit: 5 });
		expect(imported).toMatchObject({ actor: 'ada', action: 'address.imported', target: ADDRESS });
	});
});
