/**
 * Scripts may end and answer a task of a member's activation under the same rules as pages: not while another
 * member has it in hand.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRefusals } from '#lib/server/access/audit/refusals.ts';
import { VISITOR, type Account } from '#lib/server/access/identity/identity.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { readAuthorization } from '#lib/server/access/requests/identify.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { byToken, permissiveCalls } from '../../support/permissive.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import { taskError } from './scriptedNode.ts';
import { createWorld, NODE, type World } from './world.ts';

const wantsPin = { status: 'UserActionRequired', details: 'EnterTrezorPin' };

describeOnBothDatabases('a task of another member', (database) => {
	let world: World;
	let auth: Auth;
	let server: RpcApiServer;
	let people: Account[];
	let id: string;

	beforeEach(async () => {
		const { db } = database;
		auth = await authOver(database);
		const { audit } = auth;
		const wallets = createWallets(db, audit);
		people = [];
		for (const name of ['oda', 'ola', 'olga']) {
			const person = await addPerson(database, 'operator', name);
			await wallets.set(null, person.id, { every: name === 'olga', daemons: [] });
			people.push(person);
		}
		const gateway = gatewayBefore();
		const refusals = createRefusals({ audit, count: () => undefined });
		const { rights } = ruledRights({ db, gateway, audit, refusals, wallets });
		world = await createWorld(database, { audit, rights });
		server = await serveRpcApi({
			...permissiveCalls(gateway, {
				audit,
				rights,
				refusals,
				workOf: (node, task) => world.activations.workOf(node, task)
			}),
			nodes: world.gateway,
			identify: (headers) => {
				const name = readAuthorization(headers.get('authorization'))?.token;
				const account = people.find((one) => one.name === name);
				return Promise.resolve(account === undefined ? VISITOR : byToken(account));
			}
		});
		id = await world.begin('KMD', 'task::enable_utxo', {}, 'oda');
		await world.pass(0);
	});
	afterEach(async () => {
		await server.stop();
		await world.close();
		await database.db.deleteFrom('accounts').where('name', 'in', ['oda', 'ola', 'olga']).execute();
	});

	async function ask(by: string, verb: string, more: object = {}, family = 'enable_utxo') {
		const method = `task::${family}::${verb}`;
		const response = await fetch(`${server.url}/${NODE}`, {
			method: 'POST',
			body: JSON.stringify({ mmrpc: '2.0', method, params: { task_id: 0, ...more }, id: 1 }),
			headers: { authorization: `Bearer ${by}` }
		});
		const { error } = (await response.json()) as { error?: string };
		return { status: response.status, error };
	}
	const start = (by: string, ticker: string) => {
		const activation_params = { mode: { rpc: 'Native' } };
		return ask(by, 'init', { task_id: undefined, ticker, activation_params });
	};
	const pin = { user_action: { action_type: 'TrezorPin', pin: '1234' } };
	const counts = (verb: string): number => world.node.count(`task::enable_utxo::${verb}`);

	it('is ended by its member, and by who may use every wallet, and by nobody else', async () => {
		expect(await ask('ola', 'cancel')).toEqual({
			status: 403,
			error:
				'Method is not allowed: oda has this in hand: only they, an admin, and who may use every wallet may end it.'
		});
		expect(counts('cancel')).toBe(0);
		// A task without an activation here can be cancelled by any operator.
		expect((await ask('ola', 'cancel', {}, 'enable_bch')).status).toBe(200);
		world.node.tasks.set(0, { status: 'InProgress', details: 'ActivatingCoin' });
		expect((await ask('olga', 'cancel')).status).toBe(200);
		world.node.tasks.set(0, { status: 'InProgress', details: 'ActivatingCoin' });
		expect((await ask('oda', 'cancel')).status).toBe(200);
	});

	it('is not taken for one of a script that a restarted node begins under the same id', async () => {
		world.node.restart();
		expect((await start('ola', 'DOC')).status).toBe(200);
		const row = await world.row(id);
		expect([row.state, row.open_key]).toEqual(['void', null]);
		const events = await world.activations.events(id);
		expect(events.at(-1)!.message).toEqual({ code: 'task.lost', params: { task: 0 } });
		world.node.tasks.set(0, wantsPin);
		await world.pass(2);
		expect((await world.row(id)).state).toBe('void');
		// A later task of the same run does not void this one.
		world.node.tasks.clear();
		const next = await world.begin('KMD', 'task::enable_utxo', {}, 'oda');
		await world.pass(0);
		expect((await start('ola', 'LTC')).status).toBe(200);
		expect((await world.row(next)).state).toBe('running');
	});

	it('keeps its result for its member', async () => {
		world.node.tasks.set(0, taskError('Internal', 'the moon is full', 'the moon is full'));
		expect((await ask('ola', 'status')).status).toBe(403);
		expect((await ask('ola', 'status', { forget_if_finished: false })).status).toBe(200);
		await world.pass(2);
		expect((await world.row(id)).state).toBe('failed');
		expect((await world.words(id)).what).toContain('the moon is full');
		// The task is over, so no member has it in hand.
		world.node.tasks.set(0, taskError('Internal', 'no', 'no'));
		expect((await ask('ola', 'status')).status).toBe(200);
	});

	it('is answered by others only while nobody has its pad', async () => {
		world.node.tasks.set(0, wantsPin);
		await world.pass(2);
		await world.activations.pads.take(id, 'oda');
		expect(await ask('ola', 'user_action', pin)).toEqual({
			status: 403,
			error: 'Method is not allowed: oda has the PIN pad of this task now.'
		});
		expect(counts('user_action')).toBe(0);
		expect((await ask('oda', 'user_action', pin)).status).toBe(200);
		await world.pass(100);
		expect((await ask('ola', 'user_action', pin)).status).toBe(200);
	});
});
