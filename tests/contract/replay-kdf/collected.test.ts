/**
 * Responses of full trading nodes that the documentation project collected without their requests: devnet's
 * trading node is asked for each of them. Status, members, JSON types, error types and the texts of the older
 * protocol must match.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { fixturesUnder } from '../../../src/cli/fixtures.ts';
import { readExceptions } from '../replay/exceptions.ts';
import { shared } from '../../support/shared.ts';

interface Collected {
	status: number;
	body: unknown;
}

const COLLECTED = join(import.meta.dirname, '../fixtures/node/collected.json');

/** Collected responses by the number of the fixture and the name of the instance. */
const collected: ReadonlyMap<string, Collected> = new Map<string, Collected>(
	fixturesUnder(COLLECTED).flatMap(({ name: path, text }) => {
		const { instances } = JSON.parse(text) as { instances?: { [name: string]: Collected } };
		const number = basename(path).slice(0, 2);
		return Object.entries(instances ?? {}).map(
			([name, one]) => [`${number}-${name}`, one] as const
		);
	})
);
const exceptions = readExceptions(
	readFileSync(join(import.meta.dirname, 'collectedExceptions.txt'), 'utf8')
);

const played = new Map<string, Collected>();

async function call(method: string, more: object): Promise<Collected> {
	const response = await fetch(net.node.url, {
		method: 'POST',
		body: JSON.stringify({ userpass: net.node.password, method, ...more })
	});
	return { status: response.status, body: await response.json() };
}
const legacy = (method: string, more: object = {}) => call(method, more);
const v2 = (method: string, params: object) => call(method, { mmrpc: '2.0', params });

const servers = (ticker: string) => net.node.coins[ticker]!.electrum!;
const eth = (more: object = {}) => {
	const { nodes, swap_contract_address, fallback_swap_contract } = net.node.coins['ETH']!;
	return {
		ticker: 'ETH',
		nodes,
		swap_contract_address,
		fallback_swap_contract,
		erc20_tokens_requests: [{ ticker: 'USDC-ERC20' }, { ticker: 'USDT-ERC20' }],
		...more
	};
};
const enableEth = () => ({
	coin: 'ETH',
	urls: [net.node.coins['ETH']!.nodes![0]!.url],
	swap_contract_address: net.node.coins['ETH']!.swap_contract_address
});
const utxo = (ticker: string) => ({
	ticker,
	activation_params: { mode: { rpc: 'Electrum', rpc_data: { servers: servers(ticker) } } }
});
const zombie = (more: object) => ({
	ticker: 'ZOMBIE',
	activation_params: {
		mode: {
			rpc: 'Light',
			rpc_data: {
				electrum_servers: servers('KMD'),
				light_wallet_d_servers: net.node.coins['ZOMBIE']!.light_wallet_d_servers
			}
		},
		...more
	}
});

/** Starts a task and waits for its end. */
async function finished(family: string, params: object): Promise<{ init: Collected; id: number }> {
	const init = await v2(`task::${family}::init`, params);
	const id = (init.body as { result: { task_id: number } }).result.task_id;
	for (;;) {
		const { tasks } = await net.control.node();
		const state = tasks.find((task) => task.id === id)?.state;
		if (state === 'Ok' || state === 'Error') return { init, id };
	}
}
const status = (family: string, id: number) =>
	v2(`task::${family}::status`, { task_id: id, forget_if_finished: false });

async function ask(name: string, answer: Promise<Collected>): Promise<void> {
	played.set(name, await answer);
}

async function askSingle(): Promise<void> {
	await net.control.restartNode({ hd: false });
	await ask('01-any', legacy('version'));
	await ask('02-native-nonhd', legacy('electrum', { coin: 'KMD', servers: servers('KMD') }));
	await ask('03-native-nonhd', legacy('enable', enableEth()));
	await ask('04-any', legacy('enable', enableEth()));
	await ask('05-any', legacy('enable', { coin: 'MORTY' }));
	await ask('06-native-nonhd', legacy('get_enabled_coins'));
	const bad = { servers: servers('ALPHA'), coin: 'ALPHA' };
	await ask('19-zero', legacy('electrum', { ...bad, min_connected: 0 }));
	await ask('19-gt_max', legacy('electrum', { ...bad, min_connected: 2, max_connected: 1 }));
	await legacy('disable_coin', { coin: 'ETH' });
	await ask('07-native-nonhd', v2('enable_eth_with_tokens', eth()));
	await legacy('disable_coin', { coin: 'ETH', force_disable: true });
	await ask('08-native-nonhd', v2('enable_eth_with_tokens', eth({ get_balances: false })));
	await legacy('disable_coin', { coin: 'ETH', force_disable: true });
	await ask('10-any', v2('enable_eth_with_tokens', eth({ nft_req: {} })));
	const policy = { priv_key_policy: { type: 'ContextPrivKey' } };
	const { ticker, activation_params: params } = utxo('ALPHA');
	await ask(
		'11-any',
		v2('task::enable_utxo::init', { ticker, activation_params: { ...params, ...policy } })
	);
	const shielded = await finished('enable_z_coin', zombie({ zcash_params_path: '/params' }));
	await ask('13-ok', status('enable_z_coin', shielded.id));
	await ask('14-any', v2('task::enable_z_coin::cancel', { task_id: shielded.id }));
	await legacy('disable_coin', { coin: 'ZOMBIE' });
	await net.control.zcashParams(false);
	const failed = await finished('enable_z_coin', zombie({}));
	await ask('15-any', status('enable_z_coin', failed.id));
	await net.control.zcashParams(true);
	await net.control.kdfTasks({ hold: true });
	const held = await v2('task::enable_utxo::init', utxo('BETA'));
	const { task_id: id } = (held.body as { result: { task_id: number } }).result;
	await ask('16-any', status('enable_utxo', id));
	await net.control.kdfTasks({ hold: false });
	const tokens = (name: string) => ({ erc20_tokens_requests: [{ ticker: name }] });
	await ask('20-unknown_token', v2('enable_eth_with_tokens', eth(tokens('WALDO-ERC20'))));
	await ask('20-unexpected_platform', v2('enable_eth_with_tokens', eth({ ticker: 'QTUM' })));
	await ask(
		'20-unexpected_token',
		v2('enable_eth_with_tokens', eth({ ticker: 'AVAX', ...tokens('USDC-ERC20') }))
	);
}

async function askTree(): Promise<void> {
	await net.control.restartNode({ hd: true });
	await ask('02-native-hd', legacy('electrum', { coin: 'KMD', servers: servers('KMD') }));
	await ask('03-native-hd', legacy('enable', enableEth()));
	await ask('06-native-hd', legacy('get_enabled_coins'));
	await legacy('disable_coin', { coin: 'ETH' });
	await ask(
		'09-native-hd',
		v2('enable_eth_with_tokens', eth({ erc20_tokens_requests: [{ ticker: 'USDC-ERC20' }] }))
	);
	await ask('17-native-hd', v2('enable_erc20', { ticker: 'USDT-ERC20', activation_params: {} }));
	await net.control.kdfTasks({ hold: true });
	const held = await call('task::enable_utxo::init', { mmrpc: '2.0', params: utxo('SELF') });
	const { task_id: id } = (held.body as { result: { task_id: number } }).result;
	const cancel = { mmrpc: '2.0', id: 0, params: { task_id: id } };
	await ask('12-cancel', call('task::enable_utxo::cancel', cancel));
	await net.control.kdfTasks({ hold: false });
	const task = await finished('enable_utxo', utxo('ALPHA'));
	played.set('12-init', task.init);
	await ask('12-status', status('enable_utxo', task.id));
}

const net = shared(() => startDevnet({ profile: 'daemon-0.9.0', bare: true }));
beforeAll(async () => {
	await askSingle();
	await askTree();
});

const ADDRESS = /^(0x[0-9a-fA-F]{40}|R[1-9A-HJ-NP-Za-km-z]{33}|zs1.+)$/;
const TICKER = /^[A-Z][A-Z0-9]+(-[A-Z0-9]+)?$/;
const TRACE = /^((?:[A-Za-z0-9_]+:\d+\] |RPC call failed: )+)/;

/** A placeholder for a name that is an address or a ticker; other names unchanged. */
const nameOf = (name: string): string =>
	ADDRESS.test(name) ? '<address>' : TICKER.test(name) ? '<ticker>' : name;

/** A text of the older protocol without source positions, names and line numbers. */
const words = (text: string): string =>
	text
		.replace(TRACE, '')
		.replace(/\b[A-Za-z_]+:\d+\] /g, '')
		.replace(/\b(KMD|ETH|TOKEL|MORTY|MARTY)\b/g, '<ticker>');

/** The structure of a response: names, types, and the values that clients check. */
function shape(value: unknown, name = ''): unknown {
	if (Array.isArray(value)) {
		return [...new Set(value.map((item) => JSON.stringify(shape(item))))].sort();
	}
	if (typeof value === 'object' && value !== null) {
		const { mmrpc: isV2 } = value as { mmrpc?: unknown };
		return Object.fromEntries(
			Object.entries(value)
				.map(([member, inner]) => {
					const isText = member === 'error' && isV2 === undefined && name === '';
					return [nameOf(member), isText ? words(String(inner)) : shape(inner, member)] as const;
				})
				.sort(([a], [b]) => (a < b ? -1 : 1))
		);
	}
	if (['error_type', 'status', 'wallet_type', 'type', 'result'].includes(name)) {
		return typeof value === 'string' && !/^\d/.test(value) ? nameOf(value) : typeof value;
	}
	return value === null ? 'null' : typeof value;
}

describe('answers of full nodes that were collected elsewhere', () => {
	test('each is made of the same members, types and words', () => {
		const wrong = [...collected].flatMap(([name, expected]) => {
			if (exceptions.has(name)) return [];
			const answer = played.get(name);
			if (!answer) return [`${name} was not asked for`];
			const same =
				answer.status === expected.status &&
				JSON.stringify(shape(answer.body)) === JSON.stringify(shape(expected.body));
			return same
				? []
				: [
						`${name}: ${expected.status} ${JSON.stringify(shape(expected.body))} became ${answer.status} ${JSON.stringify(shape(answer.body))}`
					];
		});
		expect(wrong).toEqual([]);
	});

	test('nine of ten are asked for again, and no line of the list is for nothing', () => {
		const needless = [...exceptions.keys()].filter((name) => !collected.has(name));
		expect(needless).toEqual([]);
		const replayed = [...collected.keys()].filter((name) => !exceptions.has(name)).length;
		console.info(
			`collected elsewhere: replayed ${replayed} of ${collected.size}, exceptions ${exceptions.size}`
		);
		expect(replayed / collected.size).toBeGreaterThan(0.9);
	});
});
