/** A shielded coin: one server of each kind is needed, and the node gets only the permitted ones. */
import { createServer, type Http2Server } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { stepProgress, stepWords } from '../../../src/routes/kdf/failureWords.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { createWorld, NODE, type World } from './world.ts';
import { listening } from '../../support/listening.ts';

/** Block 100 in a gRPC frame. */
const BLOCK = Buffer.from('00000000020864', 'hex');
/** In a private network that is not listed. */
const CLOSED = 'http://10.1.2.3:9067';
const Z_COIN = 'task::enable_z_coin';

async function lightwalletd(): Promise<{ server: Http2Server; url: string }> {
	const server = createServer();
	server.on('stream', (stream) => {
		stream.respond({ ':status': 200 }, { waitForTrailers: true });
		stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
		stream.end(BLOCK);
	});
	return { server, url: `http://127.0.0.1:${await listening(server)}` };
}

describeOnBothDatabases('activating a shielded coin', (database) => {
	let light: { server: Http2Server; url: string };
	let world: World;
	beforeEach(async () => {
		light = await lightwalletd();
		world = await createWorld(database, { lightServers: [light.url, CLOSED] });
	});
	afterEach(async () => {
		await world.close();
		light.server.close();
	});
	const sent = () => world.node.seen.find(({ method }) => method === `${Z_COIN}::init`)?.params;

	it('looks at both kinds of servers, follows the reading of the chain, and keeps where it began', async () => {
		const id = await world.begin('ARRR', Z_COIN, { sync_from: 'height', sync_height: '7' });
		await world.pass(0);
		expect(sent()).toMatchObject({
			ticker: 'ARRR',
			activation_params: {
				mode: {
					rpc: 'Light',
					rpc_data: { light_wallet_d_servers: [light.url], sync_params: { height: 7 } }
				}
			}
		});
		const blocks = { current_scanned_block: 40, latest_block: 100 };
		world.node.tasks.set(0, { status: 'InProgress', details: { BuildingWalletDb: blocks } });
		await world.pass(2);
		const step = JSON.parse((await world.row(id)).step!) as Plain;
		expect(stepWords(step)).toBe('Building the wallet: block 40 of 100');
		expect(stepProgress(step)).toEqual({ at: 40, last: 100 });
		world.node.tasks.set(0, {
			status: 'Ok',
			details: {
				ticker: 'ARRR',
				current_block: 100,
				wallet_balance: {
					wallet_type: 'Iguana',
					address: 'zs1address',
					balance: { spendable: '1.5', unspendable: '0' }
				},
				first_sync_block: { requested: 7, is_pre_sapling: true, actual: 20 }
			}
		});
		await world.pass(2);
		const row = await world.row(id);
		expect(row.state).toBe('active');
		expect(factsOf('ARRR', JSON.parse(row.result!) as Plain)).toMatchObject({
			lines: [{ address: 'zs1address', ticker: 'ARRR', spendable: '1.5' }],
			firstBlock: { requested: 7, actual: 20 }
		});
	});

	it('waits while no lightwalletd server answers, although an Electrum server does', async () => {
		light.server.close();
		const id = await world.begin('ARRR', Z_COIN, { light_server: [light.url] });
		await world.pass(0);
		expect((await world.row(id)).state).toBe('waiting');
		expect((await world.words(id)).what).toBe('The lightwalletd server does not answer.');
		expect(sent()).toBeUndefined();
	});

	it('sends the node nowhere when every server of a kind is in a private network', async () => {
		const id = await world.begin('ARRR', Z_COIN, { light_server: [CLOSED] });
		await world.pass(0);
		expect((await world.row(id)).state).toBe('failed');
		expect((await world.words(id)).what).toMatch(/private network/);
		expect(sent()).toBeUndefined();
		expect(await world.activations.isListed('ARRR', CLOSED)).toBe(true);
		expect(await world.activations.isListed('ARRR', 'http://elsewhere.example')).toBe(false);
	});

	it.each(['ZCashParamsNotFound', 'SaplingParamsInvalidChecksum'])(
		'says what the node needs on its disk when it answers %s',
		async (said) => {
			const id = await world.begin('ARRR', Z_COIN);
			await world.pass(0);
			const error = `Error on platform coin ARRR creation: ${said}`;
			world.node.tasks.set(0, {
				status: 'Error',
				details: {
					error,
					error_path: 'z_coin',
					error_trace: 'z_coin:1]',
					error_type: 'CoinCreationError',
					error_data: { ticker: 'ARRR', error: said }
				}
			});
			await world.pass(2);
			const words = await world.words(id);
			expect(words.what).toMatch(/proving keys of shielded coins/);
			expect(words.next).toMatch(/fetch-params .* zcash_params_path/);
			expect(words.said).toContain(error);
		}
	);

	it('ends at the node when it is cancelled', async () => {
		const id = await world.begin('ARRR', Z_COIN);
		await world.pass(0);
		await world.activations.cancel(id, 'ada');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('cancelled');
		expect(world.node.count(`${Z_COIN}::cancel`)).toBe(1);
		expect((await world.activations.active(NODE)).tickers).toEqual(new Set());
	});
});
