/** The event stream of devnet's trading node, over real HTTP, byte for byte. */
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { KdfClient } from './kdfClient.ts';
import { shared } from '../../support/shared.ts';

let client: KdfClient;
const listeners: Listener[] = [];

interface Event {
	_type: string;
	message: { status?: string; details?: unknown } & Record<string, unknown>;
}

/** A listener that stores every byte. */
class Listener {
	text = '';
	ended = false;
	readonly response: Promise<IncomingMessage>;
	#wake: () => void = () => undefined;

	constructor(query: string, method = 'GET') {
		this.response = new Promise((resolve, reject) => {
			const sent = request(`${net.node.url}/event-stream${query}`, { method }, (response) => {
				response.setEncoding('utf8').on('data', (part: string) => {
					this.text += part;
					this.#wake();
				});
				const over = (): void => {
					this.ended = true;
					this.#wake();
				};
				response.on('end', over).on('error', over);
				resolve(response);
			});
			sent.on('error', reject);
			sent.end();
		});
		listeners.push(this);
	}

	get events(): Event[] {
		return this.text
			.split('\n\n')
			.slice(0, -1)
			.map((frame) => JSON.parse(frame.slice('data: '.length)) as Event);
	}

	async until(holds: () => boolean): Promise<void> {
		while (!holds()) {
			if (this.ended) throw new Error(`the stream ended: ${this.text}`);
			await new Promise<void>((resolve) => (this.#wake = resolve));
		}
	}

	async whole(): Promise<string> {
		while (!this.ended) await new Promise<void>((resolve) => (this.#wake = resolve));
		return this.text;
	}

	async close(): Promise<void> {
		(await this.response).destroy();
	}
}

const listen = async (id: number): Promise<Listener> => {
	const listener = new Listener(`?id=${id}`);
	await listener.response;
	return listener;
};

const electrum = async (ticker: string): Promise<string> =>
	`127.0.0.1:${(await net.control.node()).electrum.find((one) => one.ticker === ticker)!.ports.tcp}`;

const activation = async (ticker: string): Promise<object> => ({
	mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: await electrum(ticker) }] } },
	tx_history: true
});

const errorOf = async (method: string, params: object) => {
	const { status, body } = await client.v2(method, params as never);
	const { error, error_path, error_trace, error_type, error_data } = body as Record<
		string,
		unknown
	>;
	return { status, error, error_path, error_trace, error_type, error_data };
};

const net = shared(() => startDevnet({ bare: true }));
beforeAll(() => {
	client = new KdfClient(net, 'kdf');
});
afterEach(async () => {
	for (const listener of listeners.splice(0)) await listener.close().catch(() => undefined);
});

describe('the event stream of the trading node', () => {
	it('needs no password, has its own headers, and takes one connection for each number', async () => {
		const first = await listen(7);
		const { statusCode, headers } = await first.response;
		expect([
			statusCode,
			headers['content-type'],
			headers['cache-control'],
			headers['access-control-allow-origin']
		]).toEqual([200, 'text/event-stream', 'no-cache', '*']);
		const second = new Listener('?id=7', 'POST');
		expect((await second.response).statusCode).toBe(500);
		expect(await second.whole()).toBe('ID already in use');
		// An invalid id counts as 0.
		await new Listener('?id=-1').response;
		const taken = await new Listener('').response;
		expect(taken.statusCode).toBe(500);
		await first.close();
		for (;;) {
			const again = new Listener('?id=7');
			if ((await again.response).statusCode === 200) break;
			expect(await again.whole()).toBe('ID already in use');
		}
	});

	it('tells the listener that was named of each change of a task after the first, and nobody else', async () => {
		const [named, other] = [await listen(11), await listen(12)];
		const params = { ticker: 'KMD', activation_params: await activation('KMD'), client_id: 11 };
		const id = await client.init('enable_utxo', params);
		await named.until(() => named.events.some(({ message }) => message.status === 'Ok'));
		expect(named.text.split('\n\n')[0]).toBe(
			`data: {"_type":"TASK:${id}","message":{"status":"InProgress","details":"RequestingWalletBalance"}} `
		);
		const told = named.events.map(({ _type, message: { status, details } }) => [
			_type,
			status,
			typeof details === 'string' ? details : Object.keys(details as object)
		]);
		expect(told).toEqual([
			[`TASK:${id}`, 'InProgress', 'RequestingWalletBalance'],
			[`TASK:${id}`, 'InProgress', 'ActivatingCoin'],
			[`TASK:${id}`, 'Ok', ['ticker', 'current_block', 'wallet_balance']]
		]);
		expect(other.text).toBe('');
		// An event removes nothing: the result can still be read.
		expect((await client.status('enable_utxo', id)).status).toBe('Ok');
	});

	it('tells of a failed task with the error that status shows, and nothing of one that was ended', async () => {
		const listener = await listen(13);
		const servers = [{ url: '127.0.0.1:1' }];
		const mode = { rpc: 'Electrum', rpc_data: { servers } };
		const params = { ticker: 'ALPHA', activation_params: { mode }, client_id: 13 };
		const failed = await client.init('enable_utxo', params);
		await listener.until(() => listener.events.some(({ message }) => message.status === 'Error'));
		const { details } = await client.status('enable_utxo', failed);
		expect(listener.events.at(-1)).toEqual({
			_type: `TASK:${failed}`,
			message: { status: 'Error', details: JSON.parse(JSON.stringify(details)) as unknown }
		});
		const told = listener.events.length;
		await net.control.kdfTasks({ hold: true });
		const ended = await client.init('enable_utxo', params);
		await client.result('task::enable_utxo::cancel', { task_id: ended });
		await net.control.kdfTasks({ hold: false });
		expect(listener.events.slice(told).filter(({ _type }) => _type === `TASK:${ended}`)).toEqual(
			[]
		);
	});

	it('tells of balances that change, in the form of the documentation', async () => {
		const listener = await listen(21);
		const coin = { coin: 'KMD', client_id: 21 };
		expect(await client.result('stream::balance::enable', coin)).toEqual({
			streamer_id: 'BALANCE:KMD'
		});
		expect(await client.result('stream::tx_history::enable', coin)).toEqual({
			streamer_id: 'TX_HISTORY:KMD'
		});
		const { body } = await client.legacy('my_balance', { coin: 'KMD' });
		const { address, balance } = body as { address: string; balance: string };
		// Both streams have polled once before anything changes.
		await client.result('stream::heartbeat::enable', {
			config: { stream_interval_seconds: 0.3 },
			client_id: 21
		});
		await listener.until(() => listener.events.some(({ _type }) => _type === 'HEARTBEAT'));
		expect(listener.events.find(({ _type }) => _type === 'HEARTBEAT')!.message).toEqual({});
		await net.rpc('KMD', 'sendtoaddress', address, 1.5);
		const kinds = ['BALANCE:KMD', 'TX_HISTORY:KMD'];
		await listener.until(() =>
			kinds.every((kind) => listener.events.some(({ _type }) => _type === kind))
		);
		const [told] = listener.events.find(({ _type }) => _type === 'BALANCE:KMD')!
			.message as unknown as { ticker: string; address: string; balance: { spendable: string } }[];
		expect(told).toEqual({
			ticker: 'KMD',
			address,
			balance: { spendable: String(Number((Number(balance) + 1.5).toFixed(8))), unspendable: '0' }
		});
		expect(listener.events.find(({ _type }) => _type === 'TX_HISTORY:KMD')!.message).toMatchObject({
			coin: 'KMD',
			received_by_me: '1.5'
		});
		expect(
			await client.result('stream::disable', { streamer_id: 'BALANCE:KMD', client_id: 21 })
		).toEqual({ result: 'Success' });
	});

	it('refuses subscriptions in the words of the node', async () => {
		const enable = 'stream::balance::enable';
		expect(await errorOf(enable, { coin: 'LTC', client_id: 31 })).toEqual({
			status: 404,
			error: 'CoinNotFound',
			error_path: 'balance',
			error_trace: 'balance:47]',
			error_type: 'CoinNotFound',
			error_data: undefined
		});
		const unknown = { error: 'UnknownClient', error_data: 'UnknownClient' };
		expect(await errorOf(enable, { coin: 'KMD', client_id: 31 })).toEqual({
			...unknown,
			status: 400,
			error_path: 'balance',
			error_trace: 'balance:99]',
			error_type: 'EnableError'
		});
		const config = { stream_interval_seconds: 15 };
		expect(await errorOf(enable, { coin: 'KMD', config, client_id: 31 })).toMatchObject({
			status: 400,
			error: 'Invalid config provided. No config needed',
			error_trace: 'balance:60]',
			error_type: 'EnableError'
		});
		expect(await errorOf('stream::fee_estimator::enable', { coin: 'KMD', config })).toMatchObject({
			status: 501,
			error_type: 'CoinNotSupported'
		});
		expect(
			await errorOf('stream::disable', { streamer_id: 'BALANCE:KMD', client_id: 31 })
		).toMatchObject({ ...unknown, status: 400, error_type: 'DisableError' });
		const listener = await listen(31);
		expect(
			await errorOf('stream::disable', { streamer_id: 'BALANCE:KMD', client_id: 31 })
		).toMatchObject({ status: 400, error_type: 'DisableError', error_data: 'StreamerNotFound' });
		for (const [method, params, streamer] of [
			['stream::swap_status::enable', {}, 'SWAP_STATUS'],
			['stream::order_status::enable', {}, 'ORDER_STATUS'],
			['stream::orderbook::enable', { base: 'LTC', rel: 'KMD' }, 'ORDERBOOK_UPDATE:orbk/KMD:LTC'],
			['stream::network::enable', { config: {} }, 'NETWORK']
		] as const) {
			const given = { ...params, client_id: 31 };
			expect(await client.result(method, given)).toEqual({ streamer_id: streamer });
			expect(await errorOf(method, given)).toMatchObject({
				status: 400,
				error_type: 'EnableError',
				error_data: 'ClientAlreadyListening'
			});
		}
		expect(await errorOf('stream::disable', { streamer_id: 'NETWORK' })).toMatchObject({
			status: 400,
			error_type: 'InvalidRequest',
			error_data: 'missing field `client_id`'
		});
		expect(listener.text).toBe('');
	});

	it('ends with the node, and its subscriptions with it', async () => {
		const listener = await listen(41);
		await net.control.restartNode({});
		await expect(listener.until(() => false)).rejects.toThrow('the stream ended');
		const again = await listen(41);
		expect((await again.response).statusCode).toBe(200);
	});
});
