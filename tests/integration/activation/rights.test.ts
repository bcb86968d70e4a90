/** An activation that had to wait does not start for a member who may no longer activate. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureWords } from '#lib/messages/activation/failures.ts';
import { createRefusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { codeOf } from '../../support/codeOf.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import { newActivationId } from '#lib/server/kdf/activation/newActivationId.ts';
import { createWorld, NODE, type World } from './world.ts';

describeOnBothDatabases('an activation that waits', (database) => {
	let world: World;
	let auth: Auth;
	let admin: Account;
	let ruled: ReturnType<typeof ruledRights>;

	beforeEach(async () => {
		for (const table of ['policy_rules', 'policy_uses'] as const) {
			await database.db.deleteFrom(table).execute();
		}
		const { db } = database;
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
		const { audit } = auth;
		const refusals = createRefusals({ audit, count: () => undefined });
		ruled = ruledRights({ db, gateway: gatewayBefore(), audit, refusals });
		world = await createWorld(database, { audit, rights: ruled.rights });
	});
	afterEach(() => world.close());

	const waiting = async (person: Account): Promise<string> => {
		world.node.on('task::enable_utxo::init', () => ({ status: 502, text: '<html></html>' }));
		const id = await world.begin('KMD', 'task::enable_utxo', {}, person.name);
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
		if (lost === 'role') await auth.members.setRole(admin, oda.id, 'viewer');
		else await auth.members.disable(admin, oda.id);
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

	it('is not begun against a rule that was made while it waited, and what was counted of itself is not in its way', async () => {
		const denied = async (window: RuleBody['window']): Promise<void> => {
			const body: RuleBody = {
				who: { is: 'anyone' },
				wallet: null,
				kind: 'activation',
				asset: { is: 'any' },
				over: null,
				window,
				recipient: { is: 'anyone' },
				effect: { is: 'deny' }
			};
			await ruled.policies.change(null, { change: 'add', body });
		};
		const oda = await addPerson(database, 'operator');
		const counted = async (id: string): Promise<void> => {
			const call = await ruled.rights.asCall(oda.name, NODE, 'activation', null, id);
			await ruled.rights.recordSpend(call!);
		};
		await denied({ hours: 24, total: null, count: 2 });
		const id = await waiting(oda);
		await counted(id);
		await counted('another');
		await world.pass(5);
		expect([(await world.row(id)).attempt, calls()]).toEqual([2n, 2]);

		await denied(null);
		await world.pass(15);
		expect([(await world.row(id)).state, calls()]).toEqual(['failed', 2]);
		expect(await world.words(id)).toMatchObject({
			what: 'Rule 2 of the policies does not allow this any more.',
			next: 'An admin can change the rule on the Policies page. Then start the activation again.'
		});
		const [refused] = await auth.audit.list({ actor: oda.name, limit: 1 });
		expect(refused?.detail).toMatchObject({ why: 'policy' });
	});

	it('counts for no rule when it ended before its node was asked, and stays counted when it was asked', async () => {
		const body: RuleBody = {
			who: { is: 'anyone' },
			wallet: null,
			kind: 'activation',
			asset: { is: 'any' },
			over: null,
			recipient: { is: 'anyone' },
			effect: { is: 'deny' },
			window: { hours: 24, total: null, count: 1 }
		};
		await ruled.policies.change(null, { change: 'add', body });
		const oda = await addPerson(database, 'operator');
		const begin = async (coin: string): Promise<string> => {
			const id = newActivationId();
			const call = await ruled.rights.asCall(oda.name, NODE, 'activation', null, id);
			await ruled.rights.recordSpend(call!);
			const read = await world.fill(coin, 'task::enable_utxo');
			if (!read.ok) throw new Error(JSON.stringify(read.errors));
			const asked = { id, node: NODE, coin, method: 'task::enable_utxo', by: oda.name } as const;
			await world.activations.begin({ ...asked, params: read.params });
			await world.pass(0);
			return id;
		};
		const silent = await begin('GONE');
		for (const seconds of [5, 15, 45, 120, 300]) await world.pass(seconds);
		expect((await world.row(silent)).state).toBe('failed');
		const ended = await begin('GONE');
		await world.activations.cancel(ended, oda.name);
		await world.pass(0);
		expect((await world.row(ended)).state).toBe('cancelled');
		// Its servers responded, but a safety control blocks the call to the node.
		await world.safetyControls.turnOn('read-only', 'an incident', 'ada');
		const kept = await begin('KMD');
		expect((await world.row(kept)).state).toBe('starting');
		await world.activations.cancel(kept, oda.name);
		await world.pass(5);
		expect([(await world.row(kept)).state, calls()]).toEqual(['cancelled', 0]);
		await world.safetyControls.turnOff('read-only', null);
		const asked = await begin('KMD');
		await world.activations.cancel(asked, oda.name);
		await world.pass(0);
		expect([(await world.row(asked)).state, calls()]).toEqual(['cancelled', 1]);
		await expect(begin('DOC')).rejects.toMatchObject({ code: 'policy.denied' });
	});

	it('stays behind a refused password when who allows calls again is no admin any more', async () => {
		const stops = createKdfStops(database.db);
		await stops.stop(NODE, { reason: 'wrong', attemptsLeft: 9, since: 1 });
		const ida = await addPerson(database, 'admin');
		await auth.members.setRole(admin, ida.id, 'operator');
		expect(await codeOf(world.activations.confirm(NODE, ida))).toBe('account.not-admin');
		expect(await stops.get(NODE)).toMatchObject({ attemptsLeft: 9 });
		expect(await auth.audit.list({ action: 'node.confirmed' })).toEqual([]);
		await world.activations.confirm(NODE, admin);
		expect(await stops.get(NODE)).toBeNull();
	});

	it('is not begun with servers of no list for an operator who was an admin', async () => {
		const ida = await addPerson(database, 'admin');
		const servers = [{ url: `localhost:${world.electrum.port}`, protocol: 'TCP' }];
		const { id } = await world.activations.begin({
			node: NODE,
			coin: 'KMD',
			method: 'electrum',
			by: ida.name,
			params: { coin: 'KMD', servers, mm2: 1 }
		});
		await auth.members.setRole(admin, ida.id, 'operator');
		await world.pass(0);
		expect([(await world.row(id)).state, world.node.count('electrum')]).toEqual(['failed', 0]);
		expect((await world.words(id)).what).toBe(failureWords.notAllowedNow(ida.name, false).what);
	});
});
