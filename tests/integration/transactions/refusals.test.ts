import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { nftScript, tokenScript } from '#lib/chain/cryptocondition.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import type { Sender } from '#lib/server/wallet/transactions/sender.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	creation,
	gatewayTo,
	made,
	refusal,
	reviewed,
	senderOver,
	transfer,
	sharedSender
} from './support.ts';

describeOnBothDatabases('what is refused before anything is sent', (database) => {
	let bob: string;
	let tokenid: string;
	const opened: Gateway[] = [];
	const { net, proxy, gateway, sender } = sharedSender(database);
	beforeAll(async () => {
		bob = net.chains.get('BETA')!.pubkey;
		tokenid = await made(net, sender);
	});
	afterAll(async () => {
		for (const one of [gateway, ...opened]) await one.close();
	});

	const create = (more = {}) => sender.createToken('ALPHA', creation(more), 'ada');
	const move = (units = 10n) => sender.moveToken('ALPHA', transfer(tokenid, bob, units), 'ada');

	/** The refusal of an action that must create no review, and send nothing. */
	async function refusedWithout(act: () => Promise<unknown>) {
		const [rows, sent] = [await sender.list(), proxy.count('sendrawtransaction')];
		const error = await refusal(net, act());
		expect(await sender.list()).toEqual(rows);
		expect(proxy.count('sendrawtransaction')).toBe(sent);
		return error;
	}

	/** A sender whose ALPHA daemon has a deviating configuration. */
	function senderWith(change: Partial<DaemonConfig>): Sender {
		const other = gatewayTo(net, database, { ALPHA: change });
		opened.push(other);
		return senderOver(database, other);
	}

	test.each<[string, { locked?: boolean; hasKey?: boolean }, object]>([
		['a locked wallet', { locked: true }, { locked: false }],
		['a wallet without the key', { hasKey: false }, { hasKey: true }]
	])('%s signs neither units nor a creation', async (what, change, back) => {
		await net.control.wallet('ALPHA', change);
		try {
			// Without its key the wallet has no coins.
			const codes =
				what === 'a locked wallet'
					? ['transaction.unsigned']
					: [
							'transaction.unsigned',
							'transaction.not-built',
							'transaction.too-few-coins',
							'transaction.too-few-units'
						];
			expect(codes).toContain((await refusedWithout(() => move())).code);
			expect(codes).toContain((await refusedWithout(() => create())).code);
		} finally {
			await net.control.wallet('ALPHA', back);
		}
	});

	test('a supply beyond the balance is refused at its field, with both figures', async () => {
		const { balance } = await sender.wallet('ALPHA');
		const error = await refusedWithout(() => create({ supply: balance! - 19_999n }));
		expect(error).toMatchObject({ code: 'transaction.too-few-coins', field: 'supply' });
		expect(error.message).toMatch(
			/has [\d\u202f.]+ ALPHA that are not locked, and [\d\u202f.]+ ALPHA are needed/
		);
	});

	test('coins that somebody at the daemon has locked are not counted', async () => {
		const unspent = await net.rpc<{ txid: string; vout: number }[]>('ALPHA', 'listunspent');
		await net.rpc('ALPHA', 'lockunspent', false, unspent);
		try {
			const error = await refusedWithout(() => create());
			expect(error).toMatchObject({
				code: 'transaction.too-few-coins',
				field: 'supply',
				params: { balance: '0' }
			});
		} finally {
			await net.rpc('ALPHA', 'lockunspent', true);
		}
	});

	test('coins in outputs too small for the builder are explained at the supply', async () => {
		const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'ALPHA')!;
		await net.rpc('ALPHA', 'sendtoaddress', address, 0.001);
		await net.control.mine('ALPHA');
		const { balance } = await sender.wallet('ALPHA');
		const error = await refusedWithout(() => create({ supply: balance! - 20_000n }));
		expect(error).toMatchObject({ code: 'transaction.coins-unusable', field: 'supply' });
		expect(error.message).toContain('small outputs');
	});

	test('more units than the wallet holds are refused at their field', async () => {
		const error = await refusedWithout(() => move(1001n));
		expect(error).toMatchObject({
			code: 'transaction.too-few-units',
			field: 'amount',
			params: { held: '1000' }
		});
	});

	test('a token that nobody knows, or that waits for a block, cannot be moved', async () => {
		const unknown = transfer('ab'.repeat(32), bob, 1n);
		const error = await refusedWithout(() => sender.moveToken('ALPHA', unknown, 'ada'));
		expect(error).toMatchObject({ code: 'transaction.not-built' });
		const fresh = await create({ name: 'FRESH' });
		await sender.send(fresh, 'ada');
		const { txid } = await reviewed(sender, fresh);
		const early = await refusal(net, sender.moveToken('ALPHA', transfer(txid, bob, 1n), 'ada'));
		expect(early.message).toContain('mempool');
		await net.control.mine('ALPHA');
	});

	test('a description beyond the relay limit of the daemon is refused at its field', async () => {
		const strict = senderWith({ url: proxy.url, dataCarrierSize: 208 });
		const description = 'd'.repeat(180);
		const error = await refusedWithout(() =>
			strict.createToken('ALPHA', creation({ description }), 'ada')
		);
		expect(error).toMatchObject({ code: 'transaction.payload-too-large', field: 'description' });
		expect(error.message).toContain('relays 208');
		const untold = senderWith({ url: proxy.url, dataCarrierSize: null });
		const id = await untold.createToken('ALPHA', creation({ description }), 'ada');
		expect((await reviewed(untold, id)).warnings.map(({ code }) => code)).toContain(
			'payload.relay-unknown'
		);
		await untold.discard(id, 'ada');
	});

	describe('a daemon that is another one', () => {
		test('serves another chain', async () => {
			const beta = net.chains.get('BETA')!;
			const swapped = senderWith({
				url: beta.url,
				credentials: { kind: 'password', user: beta.user, password: beta.password }
			});
			for (const act of [
				() => swapped.createToken('ALPHA', creation(), 'ada'),
				() => swapped.moveToken('ALPHA', transfer(tokenid, bob, 1n), 'ada')
			]) {
				expect(await refusedWithout(act)).toMatchObject({ code: 'wallet-daemon.other-chain' });
			}
			const ready = await create();
			expect(await refusal(net, swapped.send(ready, 'ada'))).toMatchObject({
				code: 'wallet-daemon.other-chain'
			});
			expect((await reviewed(sender, ready)).state).toBe('reviewed');
			await sender.discard(ready, 'ada');
		});

		test.each<[string, Partial<DaemonConfig>]>([
			['another key', { expect: { ccid: null, pubkey: `02${'11'.repeat(32)}` } }],
			['another chain id', { expect: { ccid: 778, pubkey: null } }]
		])('has %s than configured', async (_what, change) => {
			const strict = senderWith({ url: proxy.url, ...change });
			const error = await refusedWithout(() => strict.createToken('ALPHA', creation(), 'ada'));
			expect(error).toMatchObject({ code: 'wallet-daemon.replaced' });
		});

		test('works with another key when it is to send', async () => {
			const id = await create();
			const own = net.chains.get('ALPHA')!.pubkey;
			const calls = proxy.count('sendrawtransaction');
			const loose = senderWith({ url: proxy.url, expect: { ccid: null, pubkey: null } });
			proxy.rewrite = (method, body) => (method === 'getinfo' ? body.replaceAll(own, bob) : body);
			try {
				const error = await refusal(net, loose.send(id, 'ada'));
				expect(error).toMatchObject({ code: 'wallet-daemon.other-pubkey' });
				expect(error.message).toContain('another key');
			} finally {
				proxy.rewrite = null;
			}
			expect(proxy.count('sendrawtransaction')).toBe(calls);
			expect(await sender.send(id, 'ada')).toBe('broadcast');
			await net.control.mine('ALPHA');
		});

		test('without a wallet is not used, and a chain that is not configured has none', async () => {
			const reader = senderWith({ url: proxy.url, purposes: ['read'] });
			const error = await refusedWithout(() => reader.createToken('ALPHA', creation(), 'ada'));
			expect(error).toMatchObject({ code: 'wallet-daemon.none' });
			const nowhere = await refusedWithout(() => sender.createToken('NOWHERE', creation(), 'ada'));
			expect(nowhere).toMatchObject({ code: 'wallet-daemon.none' });
		});

		test('refuses the login, starts, or is down: it is said, and nothing is kept', async () => {
			for (const kind of ['warm-up', 'wrong-password'] as const) {
				await net.control.fault('ALPHA', kind);
				const other = senderWith({});
				const error = await refusedWithout(() => other.createToken('ALPHA', creation(), 'ada'));
				expect(error.code).toBe('transaction.not-built');
				await net.control.fault('ALPHA', 'none');
			}
			const gone = senderWith({ url: 'http://127.0.0.1:9/' });
			const error = await refusedWithout(() => gone.createToken('ALPHA', creation(), 'ada'));
			expect(error.code).toBe('transaction.not-built');
		});
	});

	describe('an answer that was altered on its way', () => {
		/** Changes the hex of a builder method's response. */
		async function altered(
			builder: string,
			change: (hex: string) => string,
			act: () => Promise<unknown>
		) {
			proxy.rewrite = (method, body) =>
				method === builder
					? body.replace(/"hex":"([0-9a-f]+)"/, (_all, hex: string) => `"hex":"${change(hex)}"`)
					: body;
			try {
				return await refusedWithout(act);
			} finally {
				proxy.rewrite = null;
			}
		}
		const otherByte = (hex: string): string =>
			(parseInt(hex.slice(0, 2), 16) ^ 1).toString(16).padStart(2, '0') + hex.slice(2);

		test('with another recipient in the payload is a mismatch', async () => {
			const error = await altered(
				'tokentransfer',
				(hex) => hex.replace(bob, bob.slice(0, -2) + otherByte(bob.slice(-2))),
				() => move()
			);
			expect(error.code).toMatch(/^verification\./);
		});

		test('with units for another key is a mismatch', async () => {
			const mallory = net.chains.get('KMD')!.pubkey;
			const from = bytesToHex(tokenScript(hexToBytes(bob)));
			const to = bytesToHex(tokenScript(hexToBytes(mallory)));
			const error = await altered(
				'tokentransfer',
				(hex) => hex.replace(from, to),
				() => move()
			);
			expect(error.code).toMatch(/^verification\./);
		});

		test('with one unit less is a mismatch', async () => {
			const error = await altered(
				'tokencreate',
				(hex) => {
					const tx = parseTransaction(hex);
					tx.vout[1]!.value -= 1n;
					return bytesToHex(serializeTransaction(tx));
				},
				() => create()
			);
			expect(error.code).toMatch(/^verification\./);
		});

		test('with an empty hex, or one that is cut off, is never kept', async () => {
			expect(
				(
					await altered(
						'tokentransfer',
						() => '',
						() => move()
					)
				).code
			).toBe('transaction.unsigned');
			const cut = (hex: string): string => hex.slice(0, -2);
			expect((await altered('tokentransfer', cut, () => move())).code).toMatch(/^verification\./);
		});

		test('on the kind of the token itself does not make units that can never move', async () => {
			proxy.rewrite = (method, body) =>
				method === 'tokeninfo' ? body.replace('"supply":', '"data":"f1c0ffee","supply":') : body;
			try {
				expect(nftScript(hexToBytes(bob), 0xf1)).not.toEqual(tokenScript(hexToBytes(bob)));
				expect((await refusedWithout(() => move())).code).toMatch(
					/^verification\.|^transaction\.not-built$/
				);
			} finally {
				proxy.rewrite = null;
			}
		});
	});
});
