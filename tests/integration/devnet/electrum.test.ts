import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeAddress } from '#lib/chain/address.ts';
import { blockHash, parseHeader } from '#lib/chain/block.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import { startDevnet } from '../../support/devnet.ts';
import type { TradingNodeState } from '../../support/devnetControl.ts';
import { ElectrumSocket } from './electrumSocket.ts';
import { shared } from '../../support/shared.ts';

let server: TradingNodeState['electrum'][number];
let tcp: ElectrumSocket;
let address: string;

const scriptHash = (text: string): string =>
	createHash('sha256')
		.update(p2pkh(decodeAddress(text).hash))
		.digest()
		.reverse()
		.toString('hex');

const net = shared(() => startDevnet({ bare: true }));
beforeAll(async () => {
	server = (await net.control.node()).electrum.find(({ ticker }) => ticker === 'ALPHA')!;
	tcp = await ElectrumSocket.open(server.ports.tcp, 'tcp');
	const { daemons } = await net.control.state();
	address = daemons.find(({ id }) => id === 'ALPHA')!.address;
});
afterAll(async () => {
	tcp.close();
});

interface Unspent {
	tx_hash: string;
	tx_pos: number;
	height: number;
	value: number;
}

describe('the Electrum server of a chain', () => {
	test('greets in the clear and with TLS, and refuses protocols that it does not speak', async () => {
		expect(await tcp.call('server.version', 'test', ['1.2', '1.4'])).toEqual([
			expect.stringContaining('ElectrumX'),
			'1.4'
		]);
		await expect(tcp.call('server.version', 'test', '2.0')).rejects.toThrow('unsupported protocol');
		const ssl = await ElectrumSocket.open(server.ports.ssl, 'ssl');
		expect(await ssl.call('server.features')).toMatchObject({
			hosts: { '127.0.0.1': { tcp_port: server.ports.tcp, ssl_port: server.ports.ssl } },
			protocol_min: '1.4'
		});
		ssl.close();
		await expect(tcp.call('server.nonsense')).rejects.toThrow('unknown method');
	});

	test('gives the headers of the chain', async () => {
		const { height } = await net.control.mine('ALPHA');
		const tip = await tcp.call<{ hex: string; height: number }>('blockchain.headers.subscribe');
		expect(tip.height).toBe(height);
		const hash = await net.rpc('ALPHA', 'getblockhash', height);
		expect(blockHash(parseHeader(tip.hex))).toBe(hash);
		const many = await tcp.call<{ hex: string; count: number; max: number }>(
			'blockchain.block.headers',
			height - 1,
			10
		);
		expect(many).toMatchObject({ count: 2, max: 2016 });
		expect(many.hex.endsWith(tip.hex)).toBe(true);
		await expect(tcp.call('blockchain.block.header', height + 1)).rejects.toThrow('out of range');
	});

	test('knows what an address has, before and after it is spent, and tells subscribers', async () => {
		const hash = scriptHash(address);
		const before = await tcp.call<Unspent[]>('blockchain.scripthash.listunspent', hash);
		const utxos = await net.rpc<{ txid: string; satoshis: number }[]>('ALPHA', 'getaddressutxos', {
			addresses: [address]
		});
		expect(before.map(({ tx_hash: id, value }) => [id, value]).sort()).toEqual(
			utxos.map(({ txid, satoshis }) => [txid, satoshis]).sort()
		);
		const total = before.reduce((sum, { value }) => sum + value, 0);
		expect(await tcp.call('blockchain.scripthash.get_balance', hash)).toEqual({
			confirmed: total,
			unconfirmed: 0
		});
		const status = await tcp.call('blockchain.scripthash.subscribe', hash);
		expect(status).toMatch(/^[0-9a-f]{64}$/);

		const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', address, 1);
		const told = await tcp.told();
		expect(told.method).toBe('blockchain.scripthash.subscribe');
		expect(told.params[0]).toBe(hash);
		expect(told.params[1]).not.toBe(status);
		const { unconfirmed } = await tcp.call<{ unconfirmed: number }>(
			'blockchain.scripthash.get_balance',
			hash
		);
		// The change goes to a script of the key itself, which is a different script.
		expect(unconfirmed).toBeLessThan(0);
		expect(await tcp.call('blockchain.scripthash.get_mempool', hash)).toEqual([
			{ tx_hash: txid, height: 0, fee: expect.any(Number) }
		]);
		const hex = await tcp.call<string>('blockchain.transaction.get', txid);
		expect(txidOf(parseTransaction(hex))).toBe(txid);

		const { height } = await net.control.mine('ALPHA');
		const history = await tcp.call<{ tx_hash: string; height: number }[]>(
			'blockchain.scripthash.get_history',
			hash
		);
		expect(history.at(-1)).toEqual({ tx_hash: txid, height });
		expect(await tcp.call('blockchain.transaction.get_merkle', txid, height)).toMatchObject({
			block_height: height,
			pos: 1,
			merkle: [expect.any(String)]
		});
	});

	test('takes a transaction for its chain, and says why it takes another not', async () => {
		const [coin] = await net.rpc<{ txid: string; vout: number; amount: number }[]>(
			'ALPHA',
			'listunspent'
		);
		const raw = await net.rpc<string>(
			'ALPHA',
			'createrawtransaction',
			[{ txid: coin!.txid, vout: coin!.vout }],
			{ [address]: Number((coin!.amount - 0.0001).toFixed(8)) }
		);
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', raw);
		await expect(tcp.call('blockchain.transaction.broadcast', raw)).rejects.toThrow(
			'rejected by network rules'
		);
		const txid = await tcp.call('blockchain.transaction.broadcast', hex);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([txid]);
		await expect(tcp.call('blockchain.transaction.get', 'ab'.repeat(32))).rejects.toThrow(
			'No information available'
		);
	});

	test('is gone when it is switched off, and comes back', async () => {
		const socket = await ElectrumSocket.open(server.ports.tcp, 'tcp');
		const ended = socket.ended();
		await net.control.electrum('ALPHA', { up: false, line: 'tcp' });
		await ended;
		await expect(ElectrumSocket.open(server.ports.tcp, 'tcp')).rejects.toThrow('ECONNREFUSED');
		await net.control.electrum('ALPHA', { up: true });
		const again = await ElectrumSocket.open(server.ports.tcp, 'tcp');
		expect(await again.call('server.ping')).toBeNull();
		again.close();
	});
});
