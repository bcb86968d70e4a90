/** An activation that had to wait begins for nobody who may not activate any more. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRefusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/policy/identity.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { neverSwitchedOff } from '../../support/permissive.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { createWorld, NODE, type World } from './world.ts';

describeOnBothDatabases('an activation that waits', (database) => {
	let world: World;
	let auth: Auth;
	let admin: Account;

	beforeEach(async () => {
		for (const table of ['activation_events', 'activations', 'kdf_stops'] as const) {
			await database.db.deleteFrom(table).execute();
		}
		const { db } = database;
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
		const gateway = createGateway({ daemons: [] }, { pollEvery: null, refusal: neverSwitchedOff });
		const { audit } = auth;
		const refusals = createRefusals({ audit, count: () => undefined });
		world = await createWorld(database, {
			audit,
			rights: ruledRights({ db, gateway, audit, refusals }).rights
		});
	});
	afterEach(() => world.close());

	const waiting = async (person: Account, change = {}): Promise<string> => {
		world.node.on('task::enable_utxo::init', () => ({ status: 502, text: '<html></html>' }));
		const id = await world.begin('KMD', 'task::enable_utxo', change, person.name);
		await world.pass(0);
		expect((await world.row(id)).state).toBe('waiting');
		return id;
	};
	const calls = (): number => world.node.count('task::enable_utxo::init');

	it('goes on for who still may', async () => {
		const id = await waiting(await addPerson(database, 'operator'));
		await world.pass(5);
		expect([(await world.row(id)).attempt, calls()]).toEqual([2n, 2]);
	});

	it.each(['role', 'account'] as const)('is not begun without the %s', async (lost) => {
		const oda = await addPerson(database, 'operator');
		const id = await waiting(oda);
		if (lost === 'role') await auth.people.setRole(admin, oda.id, 'viewer');
		else await auth.people.disable(admin, oda.id);
		await world.pass(5);
		expect([(await world.row(id)).state, calls()]).toEqual(['failed', 1]);
		expect(await world.words(id)).toMatchObject({
			what:
				lost === 'role'
					? `The role of ${oda.name}, who started this, does not allow it any more.`
					: `The account of ${oda.name}, who started this, is disabled.`,
			next: 'Another member who may activate coins can start it again.'
		});
	});

	it('is not begun with servers of no list for an operator who was an admin', async () => {
		const ida = await addPerson(database, 'admin');
		const servers = [{ url: `localhost:${world.electrum.port}`, protocol: 'TCP' }];
		const { id } = await world.activations.begin({
			...{ node: NODE, coin: 'KMD', method: 'electrum', by: ida.name },
			params: { coin: 'KMD', servers, mm2: 1 }
		});
		await auth.people.setRole(admin, ida.id, 'operator');
		await world.pass(0);
		expect([(await world.row(id)).state, world.node.count('electrum')]).toEqual(['failed', 0]);
		expect((await world.words(id)).what).toContain(`The role of ${ida.name}`);
	});
});
