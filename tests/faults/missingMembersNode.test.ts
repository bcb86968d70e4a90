/**
 * A trading node with incomplete results: each member of each result that pages and activations read is removed
 * once, then null, then a text. What is shown is the same but for what that member said, which is unknown then; only
 * a result that says nothing without the member is a failure. Activations end all the same.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { createActivations } from '#lib/server/kdf/activations.ts';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import { totalOf } from '#lib/server/kdf/holdings/holdings.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import { createCipher } from '#lib/server/platform/secrets/encrypt.ts';
import { gatewayBefore } from '../support/daemons.ts';
import { describeOnSqlite } from '../support/database.ts';
import { startDevnet } from '../support/devnet.ts';
import { nodeConfig, nodesBefore } from '../support/nodes.ts';
import { permissiveRights, UNJUDGED } from '../support/permissive.ts';
import { shared } from '../support/shared.ts';
import { membersOf } from './members.ts';

const NODE = 'node-1';
const PATH = "m/44'/141'/0'/0/0";
const BY = 'ada';

/** Results that say nothing without a member: the coin they are about, or the list of what they report. */
const NOTHING_WITHOUT: readonly RegExp[] = [
	/^get_enabled_coins coins(?:\.\*\.ticker)?$/,
	/^my_balance coin$/,
	/^account_balance (?:account_index|addresses)$/,
	/^my_tx_history (?:result\.)?(?:coin|transactions)$/,
	/^my_tx_history result$/,
	/^wc_get_sessions sessions$/
];

const OTHER = 'of another build';
/** What stands in the place of a member. */
const STRANGE = [undefined, null, OTHER];

/** Whether a value says that something is not known, or is the text that the node gave in its place. */
const isUnknown = (value: unknown): boolean =>
	['', 'without a name', null, undefined].includes(value as string | null | undefined) ||
	(typeof value === 'string' && value.includes(OTHER));

/**
 * Returns the places where a value says something else than the complete one. What is unknown says nothing, and
 * neither does a failure, where it is expected.
 */
function contradictions(whole: unknown, less: unknown, place: string): string[] {
	if (isUnknown(less) || Object.is(whole, less)) return [];
	if (typeof whole !== 'object' || typeof less !== 'object' || whole === null) {
		return [`${place}: ${String(less)} instead of ${String(whole)}`];
	}
	if (Array.isArray(whole) && whole.length !== (less as unknown[]).length) {
		return [`${place}: another number of entries`];
	}
	const names = new Set([...Object.keys(whole), ...Object.keys(less as object)]);
	return [...names].flatMap((name) =>
		contradictions(
			(whole as Record<string, unknown>)[name],
			(less as Record<string, unknown>)[name],
			`${place}.${name}`
		)
	);
}

describeOnSqlite('a trading node that leaves something out', (database) => {
	let time = Date.now();
	const net = shared(() => startDevnet({ bare: true }));
	const daemons = shared(() => gatewayBefore());
	const nodes = shared(() =>
		nodesBefore(nodeConfig({ id: NODE, url: net.node.url, password: net.node.password }))
	);
	const activations = shared(() =>
		createActivations({
			db: database.db,
			audit: createAudit(database.db, Buffer.alloc(32, 7)),
			cipher: createCipher([new Uint8Array(32).fill(7)]),
			gateway: daemons,
			nodes,
			rights: permissiveRights(daemons),
			refuseFormerAdmin: () => Promise.resolve(),
			config: {
				daemons: [],
				coinsFile: `${net.dir}/coins_config.json`,
				privateServers: readPrivateList('127.0.0.1', 'TEST')
			},
			devnet: true,
			clock: () => time
		})
	);

	/** The result of a method, as the node writes it. */
	async function resultOf(method: string, params: object, isV2: boolean): Promise<JsonValue> {
		const named = method === 'get_enabled_coins' ? {} : { params };
		const more = isV2 ? { mmrpc: '2.0', id: 1, ...named } : params;
		const body = JSON.stringify({ userpass: net.node.password, method, ...more });
		const answer = await fetch(net.node.url, { method: 'POST', body });
		const whole = parseJson(await answer.text());
		if (!isJsonObject(whole) || whole['error'] !== undefined) {
			throw new Error(`${method}: ${JSON.stringify(whole)}`);
		}
		return isV2 ? whole['result']! : whole;
	}

	/** The value, or how the call failed. */
	async function told<T>(call: Promise<T>): Promise<T | { failed: string }> {
		try {
			return await call;
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			return { failed: error.params.failure.kind };
		}
	}

	const coinOf = async (ticker: string) => (await activations.coins.find(ticker))!;

	/** Everything that pages show of a coin at the node. */
	async function shownOf(ticker: string) {
		activations.holdings.forget(NODE, ticker);
		const { coins } = await activations.coins.catalog();
		const coin = await coinOf(ticker);
		const { tickers, failure } = await activations.active(NODE);
		const look = await activations.look({
			node: NODE,
			coin,
			coins,
			tickers: new Set([ticker]),
			part: { account: 0, page: 1, history: 1 },
			waitMs: 5_000
		});
		const { holding, history, failure: unheld } = look;
		const file = await told(activations.holdings.file(NODE, ticker, 0));
		const sessions = await told(activations.remote.sessions(NODE));
		const signers = await activations.signers(NODE);
		const signer = await activations.signing.signer(NODE, coin, null);
		const signerAt = await activations.signing.signer(NODE, coin, PATH);
		const native = await activations.native.facts(NODE, coin, 'test');
		const total = holding === null ? null : totalOf(ticker, holding);
		const failures = [
			failure?.kind,
			unheld?.kind,
			history?.kind === 'failed' ? history.failure.kind : undefined,
			'failed' in file ? file.failed : undefined,
			'failed' in sessions ? sessions.failed : undefined
		].filter((kind) => kind !== undefined);
		const kept = history?.kind === 'kept' ? history.transactions : null;
		return {
			failures,
			tickers: tickers === null ? null : [...tickers],
			lines: holding?.lines,
			total: total === null || total.isPart ? null : total,
			further: holding?.further,
			history: kept,
			reading: history?.kind === 'kept' ? history.reading : null,
			file: 'failed' in file ? null : file.lines,
			sessions: 'failed' in sessions ? null : sessions,
			signers: tickers?.has(ticker) ? signers.coins.map((one) => one.ticker) : null,
			signer: signer.ok ? signer.signer : null,
			signerAt: signerAt.ok ? signerAt.signer : null,
			address: native.address
		};
	}

	type Asked = readonly [method: string, params: object, isV2: boolean];

	/** Removes each member of these results once, and returns what is then shown wrongly. */
	async function wrongWithout(
		asked: readonly Asked[],
		ticker: string
	): Promise<{ wrong: string[]; members: number }> {
		await net.control.kdfResults();
		const whole = await shownOf(ticker);
		expect(whole.failures).toEqual([]);
		const wrong: string[] = [];
		let members = 0;
		for (const [method, params, isV2] of asked) {
			const result = await resultOf(method, params, isV2);
			for (const member of new Set(membersOf(result))) {
				members += 1;
				for (const value of STRANGE) {
					const more = value === undefined ? {} : { value };
					await net.control.kdfResults({ method, path: member.split('.'), ...more });
					const { failures, ...less } = await shownOf(ticker);
					const { failures: _none, ...complete } = whole;
					const place = `${method} ${member} (${String(value)})`;
					wrong.push(...contradictions(complete, less, place));
					const isExpected = NOTHING_WITHOUT.some((known) => known.test(`${method} ${member}`));
					if (failures.length > 0 && !isExpected) wrong.push(`${place}: ${failures.join()}`);
				}
			}
		}
		await net.control.kdfResults();
		return { wrong, members };
	}

	const electrum = (ticker: string) => net.node.coins[ticker]!.electrum!;
	const ofKmd = { coin: 'KMD', limit: 10, paging_options: { PageNumber: 1 } };

	describe('with one address for each coin', () => {
		beforeAll(async () => {
			await net.control.restartNode({ hd: false });
			const kmd = { coin: 'KMD', servers: electrum('KMD'), mm2: 1, tx_history: true };
			await resultOf('electrum', kmd, false);
			const chains = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] };
			await resultOf('wc_new_connection', { required_namespaces: { eip155: chains } }, true);
			await net.control.agree();
		});

		test('is shown with all it says', async () => {
			const { wrong, members } = await wrongWithout(
				[
					['get_enabled_coins', {}, true],
					['my_balance', { coin: 'KMD' }, false],
					['my_tx_history', ofKmd, true],
					['get_public_key', {}, true],
					['get_public_key_hash', {}, true],
					['get_my_address', { coin: 'ETH' }, true],
					['wc_get_sessions', {}, true]
				],
				'KMD'
			);
			expect(wrong).toEqual([]);
			expect(members).toBeGreaterThan(40);
		}, 120_000);

		test('is believed what swaps wait for only where it says so', async () => {
			const swaps = async () => {
				const { coins } = await activations.coins.catalog();
				const asked = { node: NODE, coin: await coinOf('KMD'), coins, waitMs: 0 };
				const part = { account: 0, page: 1, history: 1 };
				return (await activations.look({ ...asked, tickers: new Set(['KMD']), part })).swaps;
			};
			const set = (confirmations: number) =>
				nodes.proxy(NODE, 'set_required_confirmations', { coin: 'KMD', confirmations }, null);
			await set(4);
			expect((await swaps())?.confirmations).toBe(4);
			for (const path of [['result', 'confirmations'], ['result', 'coin'], ['result']]) {
				await net.control.kdfResults({ method: 'set_required_confirmations', path });
				time += 1_000;
				expect((await set(9)).status).toBe(200);
				expect((await swaps())?.confirmations ?? null).toBeNull();
				await net.control.kdfResults();
				time += 1_000;
				await set(4);
			}
		});

		test('is believed that a disabled coin is gone only where it says so', async () => {
			const method = 'disable_coin';
			await resultOf('electrum', { coin: 'ALPHA', servers: electrum('ALPHA'), mm2: 1 }, false);
			await net.control.kdfResults({ method, path: ['result', 'cancelled_orders'] });
			expect(await activations.disable(NODE, 'ALPHA', false, BY, UNJUDGED)).toEqual({
				passive: false
			});
			await resultOf('electrum', { coin: 'ALPHA', servers: electrum('ALPHA'), mm2: 1 }, false);
			await net.control.kdfResults({ method, path: ['result', 'passivized'], value: 'x' });
			expect(await activations.disable(NODE, 'ALPHA', false, BY, UNJUDGED)).toEqual({
				passive: null
			});
			await net.control.kdfResults();
		});
	});

	describe('with an HD wallet', () => {
		beforeAll(async () => {
			await net.control.restartNode({ hd: true });
			const rpc_data = { servers: electrum('KMD') };
			const activation_params = { mode: { rpc: 'Electrum', rpc_data }, tx_history: true };
			const method = 'task::enable_utxo';
			await resultOf(`${method}::init`, { ticker: 'KMD', activation_params }, true);
			for (let status: JsonValue = null; status !== 'Ok'; await pause(20)) {
				const said = await resultOf(`${method}::status`, { task_id: 0 }, true);
				status = isJsonObject(said) ? (said['status'] ?? null) : null;
			}
		});

		test('is shown with all it says', async () => {
			const { wrong, members } = await wrongWithout(
				[
					['account_balance', { ...ofKmd, account_index: 0, chain: 'External' }, true],
					['my_tx_history', { ...ofKmd, target: { type: 'account_id', account_id: 0 } }, true]
				],
				'KMD'
			);
			expect(wrong).toEqual([]);
			expect(members).toBeGreaterThan(20);
		}, 120_000);
	});

	describe('that activates coins', () => {
		/** Activates a coin; returns its state and what its result says. */
		async function activated(
			ticker: string,
			method: 'electrum' | 'task::enable_utxo',
			params: { [name: string]: Plain }
		) {
			const asked = { node: NODE, coin: ticker, method, params, by: BY };
			const { id } = await activations.begin(asked);
			for (let looks = 0; looks < 400; looks++) {
				time += 1_000;
				await activations.advanceDue();
				const row = (await activations.get(id))!;
				if (row.open_key === null && row.forget_task === null) {
					const result = JSON.parse(row.result ?? 'null') as Plain;
					const { lines } = factsOf(ticker, result);
					return { state: row.state, lines: lines.length === 0 ? null : lines };
				}
				await pause(5);
			}
			throw new Error(`${ticker} is still being activated.`);
		}

		test.each(['electrum', 'task::enable_utxo'] as const)(
			'brings %s to its end, with what it says of its result',
			async (method) => {
				await net.control.restartNode({ hd: false });
				await net.control.kdfTasks({ paceMs: 1 });
				const servers = electrum('ALPHA') as unknown as Plain;
				const params: { [name: string]: Plain } =
					method === 'electrum'
						? { coin: 'ALPHA', servers, mm2: 1 }
						: {
								ticker: 'ALPHA',
								activation_params: { mode: { rpc: 'Electrum', rpc_data: { servers } } }
							};
				const disable = () => resultOf('disable_coin', { coin: 'ALPHA' }, false);
				const whole = await activated('ALPHA', method, params);
				expect(whole.state).toBe('active');
				const call = method === 'electrum' ? method : `${method}::status`;
				const paths =
					method === 'electrum'
						? ['address', 'balance', 'unspendable_balance', 'coin', 'required_confirmations']
						: [
								...['status', 'details', 'details.ticker', 'details.current_block'],
								...['details.wallet_balance', 'details.wallet_balance.wallet_type'],
								...['details.wallet_balance.address', 'details.wallet_balance.balance'],
								...['details.wallet_balance.balance.ALPHA.spendable']
							];
				const wrong: string[] = [];
				for (const path of paths) {
					await disable();
					// A task without a status is not over, as far as the node says.
					const value = path === 'status' ? { value: 'Pondering' } : {};
					await net.control.kdfResults({ method: call, path: path.split('.'), ...value });
					const run = activated('ALPHA', method, params);
					if (path === 'status') {
						await pause(200);
						await net.control.kdfResults();
					}
					const { state, lines } = await run;
					if (state !== 'active') wrong.push(`${path}: ${state}`);
					wrong.push(...contradictions(whole.lines, lines, path));
					await net.control.kdfResults();
				}
				expect(wrong).toEqual([]);
			},
			60_000
		);
	});
});
