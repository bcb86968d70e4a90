import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { kdfMethods } from '#lib/rpc/kdf/index.ts';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import { SAFETY_CONTROLS } from '#lib/server/access/policy/safety-controls/names.ts';
import {
	createSafetyControls,
	activeControlText,
	type SafetyControls
} from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { byToken, permissiveCalls } from '../../support/permissive.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import { shared } from '../../support/shared.ts';
import {
	addressOn,
	carry,
	configOf,
	draftedBurn,
	migrationsOver,
	placesOf
} from '../migration/support.ts';
import { senderOver } from '../transactions/support.ts';

describeOnBothDatabases('a thrown switch', (database) => {
	const net = shared(() => startDevnet());
	let audit: Audit;
	let safetyControls: SafetyControls;
	let gateway: Gateway;
	let server: RpcApiServer;
	/** Number of checks for a call, under way or where it leaves. */
	let asked = 0;
	/** Runs before the result of the check with that number. */
	let before: { ask: number; act: () => Promise<void> } | null = null;
	beforeAll(async () => {
		audit = createAudit(database.db, new Uint8Array(32));
		safetyControls = createSafetyControls(database.db, audit);
		const refusal: SafetyControls['refusal'] = async (method) => {
			asked += 1;
			if (before?.ask === asked) await before.act();
			return safetyControls.refusal(method);
		};
		gateway = createGateway({ daemons: configOf(placesOf(net)) }, { pollEvery: null, refusal });
		server = await serveRpcApi({
			...permissiveCalls(gateway, { audit, refusal }),
			identify: () => Promise.resolve(byToken({ id: 'a', name: 'ada', role: 'admin' }))
		});
	});
	afterEach(async () => {
		before = null;
		for (const name of SAFETY_CONTROLS) await safetyControls.turnOff(name, null);
	});
	afterAll(async () => {
		await server.stop();
		await gateway.close();
	});

	const post = async (body: unknown): Promise<{ status: number; text: string }> => {
		const answer = await fetch(`${server.url}/ALPHA`, {
			method: 'POST',
			body: JSON.stringify(body)
		});
		return { status: answer.status, text: await answer.text() };
	};
	const mempool = (): Promise<string[]> => net.rpc('ALPHA', 'getrawmempool');

	test('is on record with who threw it and why, and again when it is lifted', async () => {
		await safetyControls.turnOn('freeze', 'a wallet behaves oddly', 'ada');
		expect(await safetyControls.status()).toMatchObject({
			freeze: { by: 'ada', reason: 'a wallet behaves oddly' },
			'read-only': null
		});
		expect(await safetyControls.turnOff('freeze', null)).toMatchObject({ done: true });
		expect(await safetyControls.turnOff('freeze', null)).toMatchObject({ done: false });
		const rows = await audit.list({ limit: 2 });
		expect(rows.map(({ actor, action, target }) => [actor, action, target])).toEqual([
			['command line', 'switch.lifted', 'freeze'],
			['ada', 'switch.thrown', 'freeze']
		]);
	});

	test('is asked about for each call that could change something and once more before it leaves, and not for reads', async () => {
		const asks = async (body: unknown): Promise<number> => {
			asked = 0;
			expect((await post(body)).status).toBe(200);
			return asked;
		};
		const read = { method: 'getinfo', params: [] };
		const write = { method: 'getnewaddress', params: [] };
		expect(await asks(read)).toBe(0);
		expect(await asks(write)).toBe(2);
		expect(await asks([write, read, write])).toBe(4);
	});

	test('that was thrown anew for another reason is not lifted by a page of before', async () => {
		const shown = async () => activeControlText((await safetyControls.status()).freeze!);
		await safetyControls.turnOn('freeze', 'a drill', 'ada');
		const drill = await shown();
		await safetyControls.turnOff('freeze', null);
		await safetyControls.turnOn('freeze', 'a stolen laptop', 'ben');
		await expect(safetyControls.turnOff('freeze', null, drill)).rejects.toMatchObject({
			code: 'change.not-as-shown'
		});
		expect((await safetyControls.status()).freeze).toMatchObject({ by: 'ben' });
		const lifted = await safetyControls.turnOff('freeze', null, await shown());
		expect(lifted).toMatchObject({ done: true });
		expect(await safetyControls.turnOff('freeze', null, drill)).toMatchObject({ done: false });
	});

	test('counts on every server a moment later', async () => {
		const elsewhere = createSafetyControls(await database.openAnother(), audit);
		const refusal = () => safetyControls.refusal(daemonMethods.sendrawtransaction);
		expect(await refusal()).toBeNull();
		await elsewhere.turnOn('freeze', 'x', 'bob');
		await expect.poll(refusal).toMatchObject({
			code: 'safety.sends-frozen',
			params: { by: 'bob', reason: 'x' }
		});
		await elsewhere.turnOff('freeze', null);
		await expect.poll(refusal).toBeNull();
	});

	test('freezes every method of a daemon and of a trading node that signs, and no other', async () => {
		await safetyControls.turnOn('freeze', 'stop', 'ada');
		const all = [...Object.entries(daemonMethods), ...Object.entries(kdfMethods)];
		for (const [name, method] of all) {
			expect((await safetyControls.refusal(method)) !== null, name).toBe(method.signs);
		}
	});

	test('builds nothing for a review, which says why', async () => {
		const sender = senderOver(database, gateway, { audit });
		await safetyControls.turnOn('freeze', 'wait', 'ada');
		await expect(
			sender.createToken(
				'ALPHA',
				{ kind: 'token-create', name: 'F', supply: 1000n, description: '', data: '' },
				'ada'
			)
		).rejects.toThrow(/frozen by ada: wait/);
		await expect(sender.consolidate('ALPHA', 'ada')).rejects.toThrow(/frozen by ada: wait/);
	});

	test('leaves a reviewed transaction as it was, and it can be sent afterwards', async () => {
		const sender = senderOver(database, gateway, { audit });
		const request = {
			kind: 'token-create',
			name: 'FROZEN',
			supply: 1000n,
			description: 'd',
			data: ''
		} as const;
		const id = await sender.createToken('ALPHA', request, 'ada');
		await safetyControls.turnOn('freeze', 'wait', 'ada');
		await expect(sender.send(id, 'ada')).rejects.toThrow(/frozen by ada: wait/);
		expect(await sender.get(id)).toMatchObject({ state: 'reviewed' });
		expect(await mempool()).toEqual([]);
		await safetyControls.turnOff('freeze', null);
		await sender.send(id, 'ada');
		expect(await mempool()).toHaveLength(1);
		await net.control.mine('ALPHA');
	});

	test('holds a migration between burn and import, which then goes on by itself', async () => {
		const migrations = migrationsOver(database.db, gateway);
		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '2.5' });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		await migrations.advance(id);
		await safetyControls.turnOn('freeze', 'stop', 'ada');
		expect(await carry(net, migrations, id)).not.toBe('done');
		expect(JSON.stringify((await migrations.get(id))!.row.reason)).toContain('frozen by ada: stop');
		await safetyControls.turnOff('freeze', null);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('holds back what a batch had judged before, while its other calls were looked at', async () => {
		const elsewhere = createSafetyControls(await database.openAnother(), audit);
		const pay = { id: 's', method: 'sendtoaddress', params: [await addressOn(net, 'ALPHA'), 1] };
		const key = { id: 'k', method: 'getnewaddress', params: [] };
		const sent = (await mempool()).length;
		asked = 0;
		before = { ask: 2, act: () => elsewhere.turnOn('freeze', 'stop', 'bob') };
		expect(JSON.parse((await post([pay, key])).text)).toMatchObject([
			{ id: 's', result: null, error: { message: expect.stringContaining('frozen by bob: stop') } },
			{ id: 'k', result: null }
		]);
		expect(await mempool()).toHaveLength(sent);
		await safetyControls.turnOff('freeze', null);
		expect(JSON.parse((await post([pay, key])).text)).toMatchObject([
			{ id: 's', error: null },
			{ id: 'k', error: null }
		]);
		expect(await mempool()).toHaveLength(sent + 1);
	});

	test('refuses a send at the RPC API, alone and in a batch, and lets reads through', async () => {
		await safetyControls.turnOn('freeze', 'stop', 'ada');
		const send = { id: 's', method: 'sendrawtransaction', params: ['00'] };
		const read = { id: 'r', method: 'getblockcount', params: [] };
		const build = { id: 'b', method: 'tokencreate', params: ['x', '0.1', 'd'] };
		const draft = { id: 'd', method: 'createrawtransaction', params: [[], {}] };
		const alone = await post(send);
		expect(alone.status).toBe(503);
		expect(JSON.parse(alone.text)).toMatchObject({
			id: 's',
			error: { code: -32603, message: 'Sending was frozen by ada: stop.' }
		});
		const { status, text } = await post([read, send, build, draft]);
		expect(status).toBe(200);
		expect(JSON.parse(text)).toMatchObject([
			{ id: 'r', error: null },
			{ id: 's', error: { message: 'Sending was frozen by ada: stop.' } },
			{ id: 'b', error: { message: 'Sending and signing were frozen by ada: stop.' } },
			{ id: 'd', error: null }
		]);
		await safetyControls.turnOn('read-only', 'no changes', 'ada');
		expect(JSON.parse((await post([read, build])).text)).toMatchObject([
			{ id: 'r', error: null },
			{ id: 'b', error: { message: 'This console was made read-only by ada: no changes.' } }
		]);
	});
});
