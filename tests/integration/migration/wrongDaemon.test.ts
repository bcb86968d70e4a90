import { expect, test } from 'vitest';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addApprover,
	addressOn,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round
} from './support.ts';
import { shared } from '../../support/shared.ts';

const SEND = 'sendrawtransaction';

describeOnBothDatabases('a daemon that was exchanged for another chain', (database) => {
	const net = shared(() => startDevnet());
	const right = shared(() => gatewayTo(placesOf(net)));
	const alpha = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const beta = shared(() => startAlteringProxy(net.chains.get('BETA')!));

	/** A gateway in which another chain's daemon takes the place of one chain's. */
	function exchanged(chain: string, by: string, url: string): Gateway {
		const { user, password } = net.chains.get(by)!;
		return gatewayTo(
			placesOf(net).map((place) => (place.id === chain ? { ...place, url, user, password } : place))
		);
	}

	test('is sent neither a burn nor an import; with the right one back the coins arrive', async () => {
		const migrations = migrationsOver(database.db, right);
		const before = await burnsOf(net, 'ALPHA');
		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '0.75', policy: 'ask' });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });

		const wrongSource = exchanged('ALPHA', 'BETA', beta.url);
		await migrationsOver(database.db, wrongSource).advance(id);
		await wrongSource.close();
		const waits = (await migrations.get(id))!.row;
		expect(waits.state).toBe('burn-unknown');
		expect(waits.reason).toMatchObject({
			code: 'daemon.wrong-chain',
			params: { chain: 'ALPHA', name: 'BETA' }
		});
		expect(beta.count(SEND)).toBe(0);
		expect(await burnsOf(net, 'ALPHA')).toEqual(before);

		expect(await carry(net, migrations, id)).toBe('needs-approval');
		expect(await migrations.approveStep(id, await addApprover(database.db))).toBe('approved');
		const wrongTarget = exchanged('BETA', 'ALPHA', alpha.url);
		await migrationsOver(database.db, wrongTarget).advance(id);
		await wrongTarget.close();
		const held = (await migrations.get(id))!.row;
		expect(held.state).toBe('import-unknown');
		expect(held.reason).toMatchObject({
			code: 'daemon.wrong-chain',
			params: { chain: 'BETA', name: 'ALPHA' }
		});
		expect(alpha.count(SEND)).toBe(0);
		await round(net);
		expect(await importsOf(net, 'BETA', held.burn_txid!)).toEqual([]);

		expect(await carry(net, migrations, id)).toBe('done');
		expect(await importsOf(net, 'BETA', held.burn_txid!)).toHaveLength(1);
	});
});
