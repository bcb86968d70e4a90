/** Calls through the console: the RPC API's policy, the event before the call, and the member's own history. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Account, Member } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { createConsole, type Console } from '#lib/server/rpc-proxy/console/console.ts';
import { MOST_CALLS } from '#lib/server/rpc-proxy/console/history.ts';
import { createCallBudget } from '#lib/server/access/calls/budget.ts';
import { consoleOutcomes, pastOutcomeWords } from '#lib/messages/consoleOutcomes.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, bySession } from '../../support/members.ts';
import { permissiveCalls } from '../../support/permissive.ts';
import { answer, echo, rpcLine, ScriptedUpstream } from '../../support/upstream.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';

const CANARY = 'a canary of a passphrase';
const KEY = 'UwYdTKRP5k5fCBcEUVvVKdSMCSPMLPzq1LCzmMFsSoPLLdS7Ht3F';

describeOnBothDatabases('a call by the console', (database) => {
	let daemon: ScriptedUpstream;
	let gateway: Gateway;
	let auth: Auth;
	let console: Console;
	const people = new Map<Role, Account>();

	beforeAll(async () => {
		daemon = await new ScriptedUpstream().start();
		daemon.on('getbalance', (seen, response) =>
			answer(response, rpcLine('200000000.00000001', echo(seen)))
		);
		daemon.on('getblock', (seen, response) =>
			answer(response, rpcLine('null', echo(seen), '{"code":-5,"message":"Block not found"}'), 500)
		);
		daemon.on('tokeninfo', (seen, response) =>
			answer(response, rpcLine('{"result":"error","error":"no"}', echo(seen)))
		);
		for (const method of ['sendrawtransaction', 'kvupdate', 'validateaddress']) {
			daemon.on(method, (seen, response) => answer(response, rpcLine('"ok"', echo(seen))));
		}
		gateway = gatewayBefore(daemonConfig(daemon));
		auth = await authOver(database);
		for (const role of ['viewer', 'operator', 'admin'] as const) {
			people.set(role, await addPerson(database, role));
		}
		console = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit: auth.audit })
		});
	});
	afterEach(async () => {
		for (const { id } of people.values()) await console.history.clear(id);
	});
	afterAll(async () => {
		await gateway.close();
		await daemon.stop();
	});

	const idOf = (role: Role): string => people.get(role)!.id;
	const call = (role: Role, method: string, params: string[] = [], via: Console = console) =>
		via.call(bySession(people.get(role)!), {
			method: method as 'getinfo',
			daemon: 'ALPHA',
			params,
			requestId: 'r',
			who: () => bySession(people.get(role)!)
		});

	test('gives the daemon’s digits and bytes, and how long it took', async () => {
		const outcome = await call('viewer', 'getbalance');
		expect(outcome).toMatchObject({
			kind: 'answered',
			status: 200,
			tree: { kind: 'number', text: '200000000.00000001' },
			error: null
		});
		expect(outcome.kind === 'answered' && outcome.raw).toContain('200000000.00000001');
		expect(outcome.kind === 'answered' && outcome.ms).toBeGreaterThan(0);
	});

	test('is refused to a role that may not, before anything is recorded or sent', async () => {
		const rows = (await auth.audit.list()).length;
		for (const [role, method] of [
			['viewer', 'sendrawtransaction'],
			['operator', 'stop'],
			['admin', 'dumpprivkey']
		] as const) {
			expect(await call(role, method, ['"00"'])).toMatchObject({ kind: 'refused' });
		}
		expect(daemon.count('sendrawtransaction')).toBe(0);
		expect((await auth.audit.list()).length).toBe(rows);
	});

	test('that can change something is in the audit log before it goes out', async () => {
		const seen: number[] = [];
		const before = (await auth.audit.list({ action: 'rpc.sendrawtransaction' })).length;
		daemon.on('sendrawtransaction', async (request, response) => {
			seen.push((await auth.audit.list({ action: 'rpc.sendrawtransaction' })).length);
			answer(response, rpcLine('"ok"', echo(request)));
		});
		await call('operator', 'sendrawtransaction', ['"00"']);
		expect(seen).toEqual([before + 1]);
		const [row] = await auth.audit.list({ action: 'rpc.sendrawtransaction' });
		expect(row).toMatchObject({ target: 'ALPHA', detail: { console: true, via: 'session' } });
	});

	test('shares the budget of the RPC API', async () => {
		const budget = createCallBudget(openOwnBudget, { callsPer10s: 2 });
		const limited = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit: auth.audit }),
			budget
		});
		await budget.takeCalls(bySession(people.get('viewer')!), 1);
		expect(await call('viewer', 'getbalance', [], limited)).toMatchObject({ kind: 'answered' });
		expect(await call('viewer', 'getbalance', [], limited)).toMatchObject({ kind: 'limited' });
		expect(await call('operator', 'getbalance', [], limited)).toMatchObject({ kind: 'answered' });
	});

	test('is stopped by a switch, with its sentence', async () => {
		const off = createConsole({
			db: database.db,
			...permissiveCalls(gateway, {
				audit: auth.audit,
				refusal: ({ access }) =>
					Promise.resolve(
						access === 'broadcast'
							? new AppError('safety.sends-frozen', { by: 'ada', reason: 'stop' })
							: null
					)
			})
		});
		const count = daemon.count('sendrawtransaction');
		expect(await call('operator', 'sendrawtransaction', ['"00"'], off)).toEqual({
			kind: 'refused',
			sentence: 'Sending was frozen by ada: stop.'
		});
		expect(await call('operator', 'getbalance', [], off)).toMatchObject({ kind: 'answered' });
		expect(daemon.count('sendrawtransaction')).toBe(count);
	});

	test('says in words that no answer came, and that something may have happened', async () => {
		daemon.on('sendrawtransaction', (_request, _response, socket) => void socket.destroy());
		const outcome = await call('operator', 'sendrawtransaction', ['"00"']);
		expect(outcome).toMatchObject({ kind: 'failed', safe: expect.stringContaining('not known') });
		const [past] = await console.history.list(idOf('operator'));
		expect(past?.outcome).toEqual({ code: 'failed', params: { error: 'daemon.truncated' } });
		daemon.on('sendrawtransaction', (seen, response) =>
			answer(response, rpcLine('"ok"', echo(seen)))
		);
	});

	test('whose response is withheld is not told as one that was not sent, and is on the list', async () => {
		const first = bySession(people.get('operator')!);
		daemon.on('listunspent', (seen, response) => answer(response, rpcLine('[]', echo(seen))));
		/** Calls by an operator who is `next` when the daemon responds. */
		const readAs = (next: Member | null) => {
			let looks = 0;
			return console.call(first, {
				method: 'listunspent',
				daemon: 'ALPHA',
				params: [],
				requestId: 'r',
				who: () => (looks++ === 0 ? first : next)
			});
		};
		expect(await readAs(null)).toEqual({
			kind: 'refused',
			sentence: consoleOutcomes.late,
			withheld: true
		});
		expect(await readAs(bySession(people.get('viewer')!))).toMatchObject({
			kind: 'refused',
			withheld: true
		});
		const list = await console.history.list(idOf('operator'));
		expect(list.map(({ method, outcome }) => [method, outcome.code])).toEqual([
			['listunspent', 'held-back'],
			['listunspent', 'held-back']
		]);
	});

	describe('is on the person’s own list', () => {
		test('with its method, daemon, parameters and outcome, newest first', async () => {
			await call('viewer', 'getbalance', ['""', '1']);
			await call('viewer', 'getblock', ['"7"']);
			await call('viewer', 'tokeninfo', [`"${'ab'.repeat(32)}"`]);
			const list = await console.history.list(idOf('viewer'));
			const facts = list.map(({ method, outcome, params }) => ({ method, outcome, params }));
			expect(facts).toHaveLength(3);
			expect(facts).toEqual(
				expect.arrayContaining([
					{ method: 'getbalance', outcome: { code: 'answered', params: {} }, params: '["",1]' },
					{
						method: 'getblock',
						outcome: { code: 'error', params: { error: '-5' } },
						params: '["7"]'
					},
					{
						method: 'tokeninfo',
						outcome: { code: 'failed', params: { error: null } },
						params: `["${'ab'.repeat(32)}"]`
					}
				])
			);
			expect(list.every(({ daemon: id, at }) => id === 'ALPHA' && at > 0)).toBe(true);
		});

		test('with the words of its outcome, also as an earlier release stored them', async () => {
			await call('viewer', 'getblock', ['"7"']);
			const row = { account_id: idOf('viewer'), method: 'getinfo', daemon: 'ALPHA', ms: 1 };
			const before = ['answered', 'held back', 'failed', 'status 500', 'error -8'];
			await database.db
				.insertInto('console_history')
				.values(
					before.map((outcome, at) => ({ ...row, id: `before-${at}`, at, outcome, params: null }))
				)
				.execute();
			const list = await console.history.list(idOf('viewer'));
			expect(list.map(({ outcome }) => pastOutcomeWords(outcome))).toEqual([
				'error -5',
				...before.toReversed()
			]);
			expect(list.at(-1)?.outcome.code).toBe('answered');
			const rows = await database.db.selectFrom('console_history').select('outcome').execute();
			expect(rows.map(({ outcome }) => outcome)).toContain(
				'{"code":"error","params":{"error":"-5"}}'
			);
		});

		test('which nobody else sees, by list or by id', async () => {
			await call('operator', 'getbalance');
			const [mine] = await console.history.list(idOf('operator'));
			expect(await console.history.list(idOf('admin'))).toEqual([]);
			expect(await console.history.get(idOf('admin'), mine!.id)).toBeNull();
			expect(await console.history.get(idOf('operator'), mine!.id)).toEqual(mine);
			await console.history.clear(idOf('admin'));
			expect(await console.history.list(idOf('operator'))).toHaveLength(1);
		});

		test('without the parameters of a method that takes secrets, and without a key anywhere', async () => {
			await call('operator', 'kvupdate', ['"k"', '"v"', '"1"', JSON.stringify(CANARY)]);
			await call('operator', 'validateaddress', [JSON.stringify(KEY)]);
			await call('operator', 'sendrawtransaction', [`"${'ab'.repeat(5_000)}"`]);
			const rows = await database.db.selectFrom('console_history').selectAll().execute();
			expect(rows.map(({ params }) => params)).toEqual([null, null, null]);
			const audit = JSON.stringify(await auth.audit.list());
			expect(audit).not.toContain(CANARY);
			expect(audit).not.toContain(KEY);
		});

		test('until two hundred later ones have pushed it off', async () => {
			const add = (role: Role, at: number): Promise<void> =>
				console.history.add(idOf(role), {
					method: 'getinfo',
					daemon: 'ALPHA',
					ms: 1.6,
					outcome: { code: 'answered', params: {} },
					params: '[]',
					at
				});
			await add('admin', 1);
			for (let at = 1; at <= MOST_CALLS + 3; at += 1) await add('viewer', at);
			const list = await console.history.list(idOf('viewer'));
			expect(list).toHaveLength(MOST_CALLS);
			expect([list[0]?.at, list.at(-1)?.at]).toEqual([MOST_CALLS + 3, 4]);
			expect(list[0]?.ms).toBe(2);
			expect(await console.history.list(idOf('admin'))).toHaveLength(1);
		});
	});
});
