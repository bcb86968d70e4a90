/** Limits of API tokens, tested through the RPC API over HTTP with real daemons. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import type { NewApiToken } from '#lib/server/access/api-tokens/create.ts';
import { createTokenSpending } from '#lib/server/access/api-tokens/spending.ts';
import { createRefusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { createIdempotency } from '#lib/server/platform/idempotency/idempotency.ts';
import { createCallerAddress, type ProxyHeader } from '#lib/server/platform/net/callerAddress.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { createOnceCalls } from '#lib/server/rpc-proxy/http/onceCalls.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import { addressOn, gatewayTo, placesOf } from '../migration/support.ts';
import { permissiveCalls } from '../../support/permissive.ts';

const COIN = 100_000_000n;

interface Answer {
	status: number;
	result: unknown;
	message: string;
}

describeOnBothDatabases('limits of API tokens', (database) => {
	const net = shared(() => startDevnet());
	const auth = shared(() => authOver(database));
	const gateway = shared(() => gatewayTo(placesOf(net)));
	let wallets: Wallets;
	let person: Account;
	let free: string;
	/** An address that no wallet of ALPHA has. */
	let payee: string;
	let stranger: string;
	/** The API as reached directly, and behind a proxy. */
	let direct: RpcApiServer;
	let proxied: RpcApiServer;
	/** Runs before a call is measured, and while signed bytes are. */
	let beforehand: (() => Promise<unknown>) | null = null;
	/** Runs while a call is measured. */
	let meanwhile: (() => Promise<unknown>) | null = null;
	/** The safety control that is on. */
	let control: AppError<'safety.signatures-frozen'> | null = null;

	beforeAll(async () => {
		const { db } = database;
		const { audit } = auth;
		wallets = createWallets(db, audit);
		const refusals = createRefusals({ audit });
		const ruled = ruledRights({ db, gateway, audit, wallets, refusals }).rights;
		const rights: Rights = {
			...ruled,
			async measureSpend(...made) {
				await beforehand?.();
				return ruled.measureSpend(...made);
			},
			async measureCall(...made) {
				await beforehand?.();
				const measured = await ruled.measureCall(...made);
				await meanwhile?.();
				return measured;
			}
		};
		const tokenSpending = createTokenSpending(db);
		const serve = (proxy: ProxyHeader | null): Promise<RpcApiServer> =>
			serveRpcApi({
				...permissiveCalls(gateway, {
					audit,
					rights,
					refusals,
					tokenSpending,
					refusal: () => Promise.resolve(control)
				}),
				refusals,
				onceCall: createOnceCalls(createIdempotency({ db }), openOwnBudget),
				addressOf: createCallerAddress(proxy),
				identify: auth.identify
			});
		direct = await serve(null);
		proxied = await serve({ name: 'x-forwarded-for', depth: 1 });
		await gateway.probe();
		payee = await addressOn(net, 'BETA');
		stranger = addressOfPubkey(`02${'11'.repeat(32)}`);
	});
	afterAll(async () => {
		await Promise.all([direct.stop(), proxied.stop()]);
	});
	beforeEach(async () => {
		beforehand = null;
		meanwhile = null;
		control = null;
		person = await addPerson(database, 'operator');
		await wallets.set(null, person.id, { every: true, daemons: [] });
		free = await tokenWith({});
		for (let n = 0; n < 3; n += 1) await net.control.mine('ALPHA');
	});

	const tokenWith = async (limits: Partial<NewApiToken>): Promise<string> => {
		const wanted = { account: person, name: 'limited', role: 'operator', ...limits } as const;
		return (await auth.tokens.create(wanted, wanted.account)).token;
	};
	const call = async (
		token: string,
		method: string,
		params: unknown[] = [],
		chain = 'ALPHA'
	): Promise<Answer> => {
		const answer = await direct.post(chain, { id: 1, method, params }, token);
		const { result, error } = (await answer.json()) as {
			result: unknown;
			error: { message: string } | null;
		};
		return { status: answer.status, result, message: error?.message ?? '' };
	};

	/** An unsigned transaction that pays this many coins. */
	const built = async (to: string, coins: number): Promise<string> => {
		const { result } = await call(free, 'listunspent', [1]);
		const [input] = (result as { txid: string; vout: number; amount: number; spendable: boolean }[])
			.filter(({ spendable }) => spendable)
			.toSorted((a, b) => b.amount - a.amount);
		if (input === undefined || input.amount <= coins) throw new Error('There is nothing to send.');
		const change = await net.rpc<string>('ALPHA', 'getnewaddress');
		const rest = Number((input.amount - coins - 0.0001).toFixed(8));
		const made = await call(free, 'createrawtransaction', [
			[{ txid: input.txid, vout: input.vout }],
			{ [to]: coins, [change]: rest }
		]);
		return String(made.result);
	};
	const sign = (token: string, hex: string): Promise<Answer> =>
		call(token, 'signrawtransaction', [hex]);
	const hexOf = ({ result }: Answer): string => (result as { hex: string }).hex;

	test('a token is used from its networks only, whatever a header of the caller says', async () => {
		const token = await tokenWith({ addresses: ['192.0.2.0/24'] });
		const body = { id: 1, method: 'getblockcount', params: [] };
		const from = async (server: RpcApiServer, forwarded: string): Promise<number> => {
			const answer = await server.post('ALPHA', body, token, { 'x-forwarded-for': forwarded });
			await answer.text();
			return answer.status;
		};
		expect(await from(proxied, '192.0.2.1')).toBe(200);
		expect(await from(proxied, '198.51.100.7, 192.0.2.1')).toBe(200);
		expect(await from(proxied, '192.0.2.1, 198.51.100.7')).toBe(403);
		expect(await from(direct, '192.0.2.1')).toBe(403);
		const [event] = await auth.audit.list({ action: 'call.refused', limit: 1 });
		expect(event).toMatchObject({
			actor: person.name,
			detail: { why: 'token', token: 'limited', address: '198.51.100.7' }
		});
	});

	test('what a token takes counts also behind the inputs of many others', async () => {
		const token = await tokenWith({ amounts: [{ chain: 'ALPHA', each: 2n * COIN, day: null }] });
		const own = await net.rpc<string>('ALPHA', 'getnewaddress');
		const mine = String((await call(free, 'sendtoaddress', [own, 5])).result);
		await net.control.mine('ALPHA');
		const strangers = Array.from({ length: 256 }, (_, n) =>
			addressOfPubkey(`02${'ab'.repeat(30)}${n.toString(16).padStart(4, '0')}`)
		);
		const [from] = (
			(await call(free, 'listunspent', [1])).result as {
				txid: string;
				vout: number;
				amount: number;
				spendable: boolean;
				address: string;
			}[]
		)
			.filter(({ spendable, address }) => spendable && address !== own)
			.toSorted((a, b) => b.amount - a.amount);
		const paying = await call(free, 'createrawtransaction', [
			[{ txid: from!.txid, vout: from!.vout }],
			{
				...Object.fromEntries(strangers.map((address) => [address, 0.001])),
				[await net.rpc<string>('ALPHA', 'getnewaddress')]: Number((from!.amount - 0.26).toFixed(8))
			}
		]);
		const signed = await sign(free, String(paying.result));
		const sent = await call(free, 'sendrawtransaction', [hexOf(signed)]);
		const dust = String(sent.result);
		await net.control.mine('ALPHA');
		const { vout } = await net.rpc<{
			vout: { value: number; n: number; scriptPubKey: { addresses: string[] } }[];
		}>('ALPHA', 'getrawtransaction', dust, 1);
		const theirs = vout.filter(({ scriptPubKey }) =>
			strangers.includes(scriptPubKey.addresses[0]!)
		);
		expect(theirs).toHaveLength(256);
		const { vout: ownOutputs } = await net.rpc<{
			vout: { n: number; scriptPubKey: { addresses?: string[] } }[];
		}>('ALPHA', 'getrawtransaction', mine, 1);
		const at = ownOutputs.find(({ scriptPubKey }) => scriptPubKey.addresses?.[0] === own)!.n;
		const hidden = await call(free, 'createrawtransaction', [
			[...theirs.map(({ n }) => ({ txid: dust, vout: n })), { txid: mine, vout: at }],
			{ [payee]: 5.25 }
		]);
		const over = await sign(token, String(hidden.result));
		expect([over.status, over.message]).toEqual([403, expect.stringContaining('takes')]);
	});

	test('a transaction above the amount of a token is refused, composed by the daemon or brought along', async () => {
		const token = await tokenWith({ amounts: [{ chain: 'ALPHA', each: 2n * COIN, day: null }] });
		const over = await call(token, 'sendtoaddress', [payee, 2.00000001]);
		expect(over).toMatchObject({ status: 403, result: null });
		expect(over.message).toMatch(/at most 2 ALPHA with one transaction/);
		expect((await call(token, 'sendtoaddress', [payee, 2])).status).toBe(200);
		// Python's notation of small and large numbers.
		expect((await call(token, 'sendtoaddress', [payee, '3e+00'])).status).toBe(403);
		expect(await call(token, 'sendtoaddress', [payee, '1e-05'])).toMatchObject({ status: 200 });

		const hex = await built(payee, 2);
		const held = await sign(token, hex);
		expect(held).toMatchObject({ status: 403, result: null });
		const signed = hexOf(await sign(free, hex));
		expect((await call(token, 'sendrawtransaction', [signed])).status).toBe(403);
		const small = hexOf(await sign(token, await built(payee, 1.5)));
		expect((await call(token, 'sendrawtransaction', [small])).status).toBe(200);
	});

	test('a P2SH address that received coins before is paid again', async () => {
		const address = encodeAddress(new Uint8Array(20).fill(0x5c), SCRIPT_ADDRESS_VERSION);
		for (const amount of [1, 2]) {
			const sent = await call(free, 'sendtoaddress', [address, amount]);
			expect(sent).toMatchObject({ status: 200, message: '' });
			await net.control.mine('ALPHA');
		}
	});

	test('sends at the same moment, singly and in a batch, take no more than the day of a token', async () => {
		const amounts = [{ chain: '*', each: null, day: 5n * COIN }];
		const token = await tokenWith({ amounts });
		const all = await Promise.all(
			Array.from({ length: 12 }, () => call(token, 'sendtoaddress', [payee, 1]))
		);
		expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
			...Array.from({ length: 5 }, () => 200),
			...Array.from({ length: 7 }, () => 403)
		]);
		const other = await tokenWith({ amounts });
		const batch = Array.from({ length: 8 }, (_, id) => ({
			id,
			method: 'sendtoaddress',
			params: [payee, 1]
		}));
		const answers = (await (await direct.post('ALPHA', batch, other)).json()) as {
			error: unknown;
		}[];
		expect(answers.filter(({ error }) => error === null)).toHaveLength(5);
		// A replacement token inherits the remaining amount.
		const [listed] = await auth.tokens.list(person.id);
		const next = await auth.tokens.replace(person, listed?.id ?? '', 'now');
		expect((await call(next?.token ?? '', 'sendtoaddress', [payee, 1])).status).toBe(403);
	});

	test('beside signed bytes that are kept back, a batch answers what went out and what was read', async () => {
		const token = await tokenWith({ amounts: [{ chain: 'ALPHA', each: 2n * COIN, day: null }] });
		const batch = [
			{ id: 'signed', method: 'signrawtransaction', params: [await built(payee, 3)] },
			{ id: 'sent', method: 'sendtoaddress', params: [payee, 1] },
			{ id: 'read', method: 'getblockcount', params: [] }
		];
		const answer = await direct.post('ALPHA', batch, token);
		const [signed, sent, read] = (await answer.json()) as { result: unknown; error: unknown }[];
		expect(signed).toMatchObject({
			result: null,
			error: { message: expect.stringContaining('at most 2 ALPHA with one transaction') }
		});
		expect(read).toMatchObject({ result: expect.any(Number), error: null });
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toContain(sent!.result);
		const [refused] = await auth.audit.list({ action: 'call.refused', limit: 1 });
		expect(refused).toMatchObject({ actor: person.name, target: 'signrawtransaction' });
	});

	test('a chain that the amounts do not name gives nothing, and what cannot be measured is refused', async () => {
		const token = await tokenWith({ amounts: [{ chain: 'BETA', each: 2n * COIN, day: null }] });
		expect((await call(token, 'sendtoaddress', [payee, 0.1])).message).toMatch(/nothing on ALPHA/);
		const anywhere = await tokenWith({ amounts: [{ chain: '*', each: 2n * COIN, day: null }] });
		const beyond = await call(anywhere, 'sendtoaddress', [payee, '1e12']);
		expect(beyond).toMatchObject({ status: 403 });
		expect(beyond.message).toMatch(/cannot be told/);
		expect((await call(anywhere, 'sendmany', ['', { [payee]: 1 }])).status).toBe(404);
		expect((await call(anywhere, 'getblockcount')).status).toBe(200);
	});

	test('a token with recipients pays nobody else, by a composed send, by bytes or by what hides them', async () => {
		const token = await tokenWith({ recipients: [payee] });
		expect((await call(token, 'sendtoaddress', [payee, 0.1])).status).toBe(200);
		const other = await call(token, 'sendtoaddress', [stranger, 0.1]);
		expect(other).toMatchObject({ status: 403, result: null });
		expect(other.message).toContain(stranger);

		const toOther = await built(stranger, 0.1);
		expect(await sign(token, toOther)).toMatchObject({ status: 403, result: null });
		const signed = hexOf(await sign(free, toOther));
		expect((await call(token, 'sendrawtransaction', [signed])).status).toBe(403);
		const toPayee = hexOf(await sign(token, await built(payee, 0.1)));
		expect((await call(token, 'sendrawtransaction', [toPayee])).status).toBe(200);
		expect((await call(token, 'kvupdate', ['key', 'value', '1'])).status).toBe(403);
		// It creates units from coins, without a recipient in its outputs.
		expect((await call(token, 'tokencreate', ['T', '1'])).status).toBe(403);
	});

	test('a token uses the wallets of its list, and of those only what its member may', async () => {
		const token = await tokenWith({ wallets: ['BETA'] });
		const alpha = await call(token, 'sendtoaddress', [payee, 0.1]);
		expect(alpha).toMatchObject({ status: 403 });
		expect(alpha.message).toMatch(/other wallets/);
		expect((await call(token, 'getblockcount')).status).toBe(200);
		await wallets.set(null, person.id, { every: false, daemons: ['ALPHA'] });
		expect((await call(token, 'getnewaddress', [], 'BETA')).status).toBe(403);
	});

	test('a method beyond the list of a token is refused inside a batch, and the others go on', async () => {
		const token = await tokenWith({ methods: ['getblockcount'] });
		const batch = ['getblockcount', 'sendtoaddress', 'getinfo'].map((method, id) => ({
			id,
			method,
			params: []
		}));
		const answers = (await (await direct.post('ALPHA', batch, token)).json()) as {
			error: unknown;
		}[];
		expect(answers.map(({ error }) => error === null)).toEqual([true, false, false]);
	});

	test.each([
		['without limits', {}],
		['with amounts', { amounts: [{ chain: 'ALPHA', each: 5n * COIN, day: 5n * COIN }] }]
	])(
		'a token %s that is revoked while its call is measured sends nothing',
		async (_which, limits) => {
			const token = await tokenWith(limits);
			const [made] = await auth.tokens.list(person.id);
			meanwhile = () => auth.tokens.revoke(person.id, made!.id, null);
			const before = await net.rpc<string[]>('ALPHA', 'getrawmempool');
			const { status, message } = await call(token, 'sendtoaddress', [payee, 1]);
			expect([status, message]).toEqual([403, expect.stringContaining('was revoked')]);
			expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual(before);
		}
	);

	test('a member who is demoted before a call is measured sends nothing', async () => {
		beforehand = () => auth.members.setRole(null, person.id, 'viewer');
		const pending = await net.rpc<string[]>('ALPHA', 'getrawmempool');
		const { status, message } = await call(free, 'sendtoaddress', [payee, 1]);
		expect([status, message]).toEqual([404, expect.stringContaining('may not call')]);
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual(pending);
	});

	test.each([
		['the wallet is taken away', () => wallets.set(null, person.id, { every: false, daemons: [] })],
		['the member is demoted', () => auth.members.setRole(null, person.id, 'viewer')],
		[
			'a safety control is turned on',
			async () => {
				control = new AppError('safety.signatures-frozen', { by: 'ada', reason: 'a test' });
			}
		]
	])('signed bytes are kept back when %s while they are measured', async (_which, act) => {
		const hex = await built(payee, 1);
		beforehand = act;
		const { result, message } = await sign(free, hex);
		expect(result).toBeNull();
		expect(message).not.toBe('');
		beforehand = null;
		control = null;
		await auth.members.setRole(null, person.id, 'operator');
		await wallets.set(null, person.id, { every: true, daemons: [] });
		expect(hexOf(await sign(free, hex))).toMatch(/^[0-9a-f]+$/);
	});

	test.each([
		['a call', (one: unknown) => one],
		['a batch', (one: unknown) => [one]]
	])(
		'signed bytes of %s are kept back when the member is demoted while the daemon signs',
		async (_which, body) => {
			const hex = await built(payee, 1);
			const method = 'signrawtransaction';
			await net.control.fault('ALPHA', 'latency', { ms: 1_500, method, count: 1 });
			let isMeasured = false;
			meanwhile = () => Promise.resolve((isMeasured = true));
			const asked = direct.post('ALPHA', body({ id: 1, method, params: [hex] }), free);
			await vi.waitFor(() => {
				expect([isMeasured, gateway.health('ALPHA').inFlight]).toEqual([true, 1]);
			});
			await auth.members.setRole(null, person.id, 'viewer');
			const said = await (await asked).text();
			await auth.members.setRole(null, person.id, 'operator');
			expect(said).toContain('may not call');
			expect(said).not.toContain('"complete"');
		}
	);

	test.each([
		['by itself', 'a-held-call', (one: unknown) => one],
		['in a batch', 'a-held-batch', (one: unknown) => [one]]
	])(
		'a call whose signed bytes were kept back %s is made again with the same Idempotency-Key',
		async (_where, key, body) => {
			const request = body({
				id: 1,
				method: 'signrawtransaction',
				params: [await built(payee, 1)]
			});
			const keyed = async (): Promise<string> =>
				(await direct.post('ALPHA', request, free, { 'idempotency-key': key })).text();
			let measured = 0;
			beforehand = async () => {
				measured += 1;
				// The first time, the call is measured, and then what the daemon signed.
				if (measured < 2) return;
				control = new AppError('safety.signatures-frozen', { by: 'ada', reason: 'a test' });
			};
			expect(await keyed()).toContain('frozen by ada');
			expect(measured).toBe(2);
			beforehand = null;
			control = null;
			const released = await keyed();
			expect(released).toContain('"complete":true');
			expect(await keyed()).toBe(released);
		}
	);

	/**
	 * Occupies all places at the daemon for a while, from the moment a call was judged; `act` runs meanwhile.
	 */
	const whileItWaits = (act: () => Promise<unknown>): void => {
		let isFirst = true;
		meanwhile = async () => {
			if (!isFirst) return;
			isFirst = false;
			await net.control.fault('ALPHA', 'latency', { ms: 2_000, method: 'getblockhash', count: 4 });
			for (let height = 1; height <= 4; height += 1) {
				void gateway.call('ALPHA', 'getblockhash', [height]);
			}
			await vi.waitFor(() => expect(gateway.health('ALPHA').inFlight).toBe(4));
			// Not after a fixed time: on a busy machine that could be before the call was judged, which is
			// another case.
			const waits = (): void => expect(gateway.health('ALPHA').queued).toBeGreaterThan(0);
			void vi.waitFor(waits, { timeout: 2_000, interval: 20 }).then(act);
		};
	};
	const revoked = async (): Promise<void> => {
		const [made] = await auth.tokens.list(person.id);
		await auth.tokens.revoke(person.id, made!.id, null);
	};
	const demoted = (): Promise<unknown> => auth.members.setRole(null, person.id, 'viewer');
	const pay = (): { method: string; params: unknown[] } => ({
		method: 'sendtoaddress',
		params: [payee, 1]
	});

	test.each([
		['its token was revoked', revoked, 401, 'was not made'],
		['its member was demoted', demoted, 404, 'may not call']
	])('a call that waits for its place goes nowhere once %s', async (_what, act, status, words) => {
		const token = await tokenWith({});
		whileItWaits(act);
		const before = await net.rpc<string[]>('ALPHA', 'getrawmempool');
		const { method, params } = pay();
		const refused = await call(token, method, params);
		expect([refused.status, refused.message]).toEqual([status, expect.stringContaining(words)]);
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual(before);
	});

	test('of a batch that waits for its place what is still allowed goes out', async () => {
		const token = await tokenWith({});
		whileItWaits(demoted);
		const before = await net.rpc<string[]>('ALPHA', 'getrawmempool');
		const batch = [
			{ id: 'pay', ...pay() },
			{ id: 'read', method: 'getblockcount', params: [] }
		];
		const answer = await direct.post('ALPHA', batch, token);
		expect(await answer.json()).toMatchObject([
			{ id: 'pay', result: null, error: { message: expect.stringContaining('may not call') } },
			{ id: 'read', error: null }
		]);
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual(before);
	});

	/** In a batch, a call that was judged early waits for the rest. */
	const within = async (
		act: () => Promise<unknown>
	): Promise<{ errors: string[]; sent: number }> => {
		const token = await tokenWith({});
		let measured = 0;
		meanwhile = async () => {
			measured += 1;
			if (measured < 2) return;
			await act();
			await sleep(1_100);
		};
		const before = (await net.rpc<string[]>('ALPHA', 'getrawmempool')).length;
		const batch = ['sendtoaddress', 'signmessage', 'getblockcount'].map((method, id) => ({
			id,
			method,
			params:
				method === 'sendtoaddress' ? [payee, 1] : method === 'signmessage' ? [stranger, 'x'] : []
		}));
		const answer = await direct.post('ALPHA', batch, token);
		const lines = (await answer.json()) as { error: { message: string } | null }[];
		const after = (await net.rpc<string[]>('ALPHA', 'getrawmempool')).length;
		return { errors: lines.map(({ error }) => error?.message ?? ''), sent: after - before };
	};

	test('calls of a batch do not go out when their token is revoked while others are measured', async () => {
		const { errors, sent } = await within(async () => {
			const [made] = await auth.tokens.list(person.id);
			await auth.tokens.revoke(person.id, made!.id, null);
		});
		expect(errors).toEqual([
			expect.stringContaining('was not made'),
			expect.stringContaining('was revoked'),
			expect.stringContaining('was not made')
		]);
		expect(sent).toBe(0);
	});

	test('calls of a batch do not go out when their wallet is taken away while others are measured', async () => {
		const { errors, sent } = await within(() =>
			wallets.set(null, person.id, { every: false, daemons: [] })
		);
		expect(errors).toEqual([
			expect.stringContaining('Method not found'),
			expect.stringContaining('Method not found'),
			''
		]);
		expect(sent).toBe(0);
	});

	test('calls of a batch do not go out when their member is demoted while others are measured', async () => {
		const { errors, sent } = await within(() => auth.members.setRole(null, person.id, 'viewer'));
		expect(errors.slice(0, 2)).toEqual([
			expect.stringContaining('may not call'),
			expect.not.stringMatching(/^$/)
		]);
		expect(sent).toBe(0);
	});
});
