/**
 * Calls to a trading node through the console: the RPC API's policy, the member's history, and secrets that are
 * not stored.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { kdfMethods, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { kdfParamMessage } from '#lib/messages/methods/kdfParams.ts';
import { kdfParamsOf } from '#lib/rpc/kdf/parameters.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import { createConsole, type Console } from '#lib/server/rpc-proxy/console/console.ts';
import {
	callableAtNode,
	kdfCatalogueFor,
	kdfExampleOf
} from '#lib/server/rpc-proxy/console/kdf/catalogue.ts';
import { kdfTypedFrom, readKdfForm } from '#lib/server/rpc-proxy/console/kdf/form.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, bySession } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { ScriptedKdf } from '../../support/tradingNode.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { nodeConfig, nodesBefore } from '../../support/nodes.ts';
import { permissiveCalls } from '../../support/permissive.ts';

const NODE = 'trading-node';
const PASSWORD = 'Canary_Pass_1!';
const PIN = '918273645';
const SEED = 'tank abandon bind salon remove wisdom net size aspect direct source fossil';

const VERIFY = '{"coin":"KMD","message":"m","signature":"s","address":"a"}';

type Members = { readonly [name: string]: JsonValue };
const members = (text: string): Members => parseJson(text) as Members;

describeOnBothDatabases('a call to a trading node by the console', (database) => {
	let node: ScriptedKdf;
	let nodes: KdfGateway;
	let console: Console;
	const daemons = gatewayBefore();
	const people = new Map<Role, Account>();

	const auth = shared(() => authOver(database));
	const nodesAt = (url: string): KdfGateway =>
		nodesBefore(nodeConfig({ id: NODE, url, password: PASSWORD, dialect: 'kdf' }), {
			stops: createKdfStops(database.db),
			audit: auth.audit
		});
	beforeAll(async () => {
		for (const role of ['viewer', 'operator', 'notary', 'admin'] as const) {
			people.set(role, await addPerson(database, role));
		}
		node = await new ScriptedKdf(PASSWORD).start();
		node
			.on('my_balance', () => ({
				result: {
					coin: 'KMD',
					balance: '200000000.00000001',
					unspendable_balance: '0',
					address: 'R'
				}
			}))
			.on('get_enabled_coins', () => ({ result: { coins: [{ ticker: 'KMD' }] } }))
			.on('sign_message', ({ message }) =>
				message === 'no'
					? { status: 500, type: 'InternalError', error: 'Internal error: No such coin: KMD' }
					: { result: { signature: 'H' } }
			)
			.on('electrum', () => ({ result: { result: 'success' } }))
			.on('task::enable_utxo::user_action', (params) => ({
				status: 400,
				type: 'InvalidRequest',
				error: `Error parsing request: invalid type: string "${JSON.stringify(params)}"`,
				data: JSON.stringify(params)
			}));
		nodes = nodesAt(node.upstream.url);
		console = createConsole({
			db: database.db,
			...permissiveCalls(daemons, {
				audit: auth.audit,
				listed: ({ url }) => Promise.resolve(url === 'listed.example:1')
			}),
			nodes
		});
	});
	afterEach(() => {
		node.seen.length = 0;
	});
	afterAll(async () => {
		await nodes.close();
		await daemons.close();
		await node.stop();
		await auth.audit.stop();
	});

	const call = (method: KdfMethod, params: string, role: Role = 'operator') =>
		console.callKdf(bySession(people.get(role)!), {
			method,
			node: NODE,
			params: members(params),
			requestId: 'r-1',
			who: () => bySession(people.get(role)!)
		});
	const history = (role: Role = 'operator') => console.history.list(people.get(role)!.id);

	it('gives the answer of either envelope as a tree and as it came, and stands on the person’s list', async () => {
		const older = await call('my_balance', '{"coin":"KMD"}', 'viewer');
		expect(older).toMatchObject({ kind: 'answered', status: 200, error: null, explained: null });
		if (older.kind !== 'answered') throw new Error('no answer');
		expect(older.raw).toContain('"balance":"200000000.00000001"');
		expect(older.tree?.children?.map(({ name, text }) => [name, text])).toContainEqual([
			'balance',
			'200000000.00000001'
		]);
		const newer = await call('get_enabled_coins', '{}', 'viewer');
		if (newer.kind !== 'answered') throw new Error('no answer');
		expect(newer.tree?.children?.[0]).toMatchObject({ name: 'coins', kind: 'list', text: '1' });
		expect(node.seen.map(({ method }) => method).slice(-2)).toEqual([
			'my_balance',
			'get_enabled_coins'
		]);
		const [second, first] = await history('viewer');
		expect(first).toMatchObject({
			method: 'node/my_balance',
			daemon: NODE,
			outcome: { code: 'answered', params: {} },
			params: '{"coin":"KMD"}'
		});
		expect(second).toMatchObject({ method: 'node/get_enabled_coins', params: '{}' });
	});

	it('explains a refusal of the node, and puts what changes something on record before it goes out', async () => {
		const refused = await call('sign_message', '{"coin":"KMD","message":"no"}');
		expect(refused).toMatchObject({
			kind: 'answered',
			status: 500,
			tree: null,
			error: { code: 'InternalError', message: 'Internal error: No such coin: KMD' }
		});
		if (refused.kind === 'answered') expect(refused.explained).not.toBeNull();
		const [row] = await auth.audit.list({ action: 'rpc.sign_message' });
		expect(row).toMatchObject({ target: NODE, detail: { access: 'sign', coin: 'KMD' } });
		expect((await history())[0]).toMatchObject({
			outcome: { code: 'error', params: { error: 'InternalError' } }
		});
	});

	it('refuses what the RPC API refuses, and sends nothing', async () => {
		const server = (url: string): string => `{"coin":"KMD","servers":[{"url":"${url}"}]}`;
		expect(await call('electrum', server('listed.example:1'))).toMatchObject({ kind: 'answered' });
		node.seen.length = 0;
		for (const [method, params, role, sentence] of [
			['sign_message', '{"coin":"KMD","message":"x"}', 'viewer', /^The role viewer may not call/],
			['disable_coin', '{"coin":"KMD"}', 'operator', /^The role operator may not call/],
			['electrum', server('evil.example:1'), 'operator', /are for admins\.$/],
			['my_balance', '{}', 'viewer', /coin/],
			['show_priv_key', '{"coin":"KMD"}', 'admin', /may not call/]
		] as const) {
			const outcome = await call(method, params, role);
			expect(outcome).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(sentence) });
		}
		expect(node.seen).toEqual([]);
	});

	it('says what is not known when no answer comes, and keeps the call on the list', async () => {
		node.upstream.on('*', (_, response) => void response.destroy());
		for (const method of ['my_balance', 'verify_message'] as const) {
			const params = method === 'my_balance' ? '{"coin":"KMD"}' : VERIFY;
			const outcome = await call(method, params, 'notary');
			expect(outcome).toMatchObject({
				kind: 'failed',
				what: expect.stringMatching(/broke off\.$/),
				safe: expect.stringMatching(/^The call was sent and no answer came/)
			});
			expect((await history('notary'))[0]).toMatchObject({ outcome: { code: 'failed' }, params });
		}
		node.serve();
	});

	it('that reaches no node is on the list, too', async () => {
		const away = nodesAt('http://127.0.0.1:1');
		const own = createConsole({
			db: database.db,
			...permissiveCalls(daemons, { audit: auth.audit }),
			nodes: away
		});
		const outcome = await own.callKdf(bySession(people.get('notary')!), {
			method: 'get_enabled_coins',
			node: NODE,
			params: {},
			requestId: 'r-2',
			who: () => bySession(people.get('notary')!)
		});
		expect(outcome).toMatchObject({ kind: 'failed' });
		expect((await history('notary'))[0]).toMatchObject({
			method: expect.stringContaining('get_enabled_coins'),
			outcome: { code: 'failed' }
		});
		await away.close();
	});

	it('keeps no PIN, passphrase, seed, key or password: not in the list, the answer, or the log of acts', async () => {
		const kept = async (method: KdfMethod, params: string) => {
			const outcome = await call(method, params, 'admin');
			const [row] = await history('admin');
			return { outcome: JSON.stringify(outcome), params: row?.params };
		};
		const action = (inner: string): string => `{"task_id":1,"user_action":${inner}}`;
		const pin = await kept(
			'task::enable_utxo::user_action',
			action(`{"action_type":"TrezorPin","pin":"${PIN}"}`)
		);
		expect(pin.params).toBeNull();
		expect(pin.outcome).not.toContain(PIN);
		const words = await kept(
			'task::enable_utxo::user_action',
			action(`{"action_type":"TrezorPassphrase","passphrase":"a canary of words"}`)
		);
		expect(words.params).toBeNull();
		expect(words.outcome).not.toContain('a canary of words');
		const message = (text: string): string => JSON.stringify({ coin: 'KMD', message: text });
		for (const text of [
			SEED,
			`my seed: ${SEED.toUpperCase().replaceAll(' ', ', ')}`,
			'UwYdTKRP5k5fCBcEUVvVKdSMCSPMLPzq1LCzmMFsSoPLLdS7Ht3F',
			'0x809465b17d0a4ddb3e4c69e8f23c2cabad868f51f8bed5c765ad1d6516c3306f',
			`the password is ${PASSWORD}`,
			'https://node.example/v3/8a7b6c5d4e3f'
		]) {
			expect((await kept('sign_message', message(text))).params).toBeNull();
		}
		const long =
			'Nothing of the kind: it is a text about the weather in the north, and it may well be kept.';
		expect((await kept('sign_message', message(long))).params).toBe(message(long));
		const rows = await database.db.selectFrom('console_history').selectAll().execute();
		const log = await auth.audit.list({ limit: 500 });
		const everything = JSON.stringify([rows, log], (_, value: unknown) =>
			typeof value === 'bigint' ? String(value) : value
		);
		for (const secret of [PIN, 'a canary of words', 'tank abandon', PASSWORD, '8a7b6c5d4e3f']) {
			expect(everything).not.toContain(secret);
		}
	});

	it('hides a short PIN where the answer repeats it, and leaves the rest of the answer as it is', async () => {
		const callWith = async (pin: string) => {
			const action = `{"action_type":"TrezorPin","pin":"${pin}"}`;
			const outcome = await call(
				'task::enable_utxo::user_action',
				`{"task_id":21,"user_action":${action}}`,
				'admin'
			);
			if (outcome.kind !== 'answered') throw new Error('no answer');
			const [row] = await history('admin');
			return { outcome, listed: row?.outcome };
		};
		for (const pin of ['2', '12', '2121', '212121']) {
			node.on('task::enable_utxo::user_action', () => ({
				status: 400,
				type: 'InvalidRequest',
				error: `Error parsing request: invalid value: string "${pin}", of 2.0`,
				data: { pin, height: 3_212_121, rate: '0.212121' }
			}));
			const { outcome, listed } = await callWith(pin);
			expect(outcome.error).toMatchObject({
				code: 'InvalidRequest',
				message: 'Error parsing request: invalid value: string "•••", of 2.0'
			});
			expect(outcome.raw).toContain('"error_data":{"pin":"•••","height":3212121,"rate":"0.');
			expect(outcome.raw).toContain('"mmrpc":"2.0"');
			expect(listed).toEqual({ code: 'error', params: { error: 'InvalidRequest' } });
			node.on('task::enable_utxo::user_action', () => ({ result: 'success' }));
			const good = await callWith(pin);
			expect(good.outcome).toMatchObject({ error: null, tree: { text: 'success' } });
		}
	});

	it('offers each role just what it may call, and a form and an example for each of them', () => {
		const keysFor = (role: Role): KdfMethod[] =>
			kdfCatalogueFor(role).flatMap(({ methods }) => methods.map(({ method }) => method));
		const viewer = keysFor('viewer');
		expect(viewer).toContain('my_balance');
		expect(viewer).toContain('legacy:get_enabled_coins');
		expect(viewer).not.toContain('sign_message');
		expect(keysFor('operator')).toContain('sign_message');
		expect(keysFor('operator')).not.toContain('disable_coin');
		expect(callableAtNode('admin', 'show_priv_key')).toBeNull();
		expect(callableAtNode('admin', 'constructor')).toBeNull();
		const admin = keysFor('admin');
		expect(new Set(admin).size).toBe(admin.length);
		const all = Object.keys(kdfMethods) as KdfMethod[];
		expect(admin.length).toBe(all.filter((key) => kdfMethods[key].access !== 'never').length);
		for (const method of admin) {
			for (const dialect of ['kdf', 'seed'] as const) {
				const undescribed = kdfParamsOf(method, dialect).filter(
					({ name }) => kdfParamMessage(method, name) === ''
				);
				expect([method, undescribed.map(({ name }) => name)]).toEqual([method, []]);
				const example = kdfExampleOf(method, dialect);
				if (example === null) throw new Error(`${method} has no example`);
				// The form parses the values that the example fills in.
				const typed = kdfTypedFrom(method, dialect, example);
				if (typed === null) throw new Error(`the example of ${method} does not fit its form`);
				expect([method, readKdfForm(method, dialect, 'fields', typed)]).toEqual([
					method,
					{ params: members(example) }
				]);
			}
		}
	});

	it('names what is wrong at its field, and repeats nothing of a secret', () => {
		const read = (method: KdfMethod, typed: Record<string, string>, way = 'fields') =>
			readKdfForm(method, 'kdf', way, typed);
		expect(read('my_balance', { 'p.coin': ' KMD\t' })).toEqual({ params: { coin: 'KMD' } });
		expect(read('sign_message', { 'p.coin': 'KMD', 'p.message': ' a\r\nb ' })).toEqual({
			params: { coin: 'KMD', message: ' a\nb ' }
		});
		expect(read('my_balance', {})).toEqual({
			errors: { 'p.coin': { code: 'console.required', params: {} } }
		});
		expect(read('task::enable_utxo::status', { 'p.task_id': '1.5' })).toEqual({
			errors: { 'p.task_id': { code: 'console.not-a-whole-number', params: {} } }
		});
		expect(read('electrum', { 'p.coin': 'KMD', 'p.servers': '[{"url":1}]' })).toMatchObject({
			errors: {
				'p.servers': {
					code: 'console.mismatch',
					params: { place: '0.url', fault: expect.any(String) }
				}
			}
		});
		const bad = read('task::enable_utxo::user_action', {
			'p.task_id': '1',
			'p.user_action': `{"action_type":"TrezorPin","pin":"${PIN}x"}`
		});
		expect(bad).toHaveProperty('errors');
		expect(JSON.stringify(bad)).not.toContain(PIN);
		expect(read('my_balance', { written: '[1]' }, 'written')).toEqual({
			errors: { written: { code: 'console.not-an-object', params: {} } }
		});
		expect(read('my_balance', { written: '{"coin":1}' }, 'written')).toMatchObject({
			errors: {
				written: {
					code: 'console.mismatch',
					params: { place: expect.stringContaining('coin'), fault: expect.any(String) }
				}
			}
		});
	});
});
