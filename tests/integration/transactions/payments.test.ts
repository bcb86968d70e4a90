import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { ccAddress, tokenScript } from '#lib/chain/cryptocondition.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { describeOnBothDatabases, withoutLog } from '../../support/database.ts';
import { made, refusal, reviewed, transfer, sharedSender } from './support.ts';

const COIN = 100_000_000n;
const RATE = 10_000n;
const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
/** Addresses that belong to no wallet here. */
const TO = ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA'] as const;

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
}

describeOnBothDatabases('coins that a wallet pays', (database) => {
	let own: string;
	const { net, proxy, sender } = sharedSender(database);
	beforeAll(() => {
		own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
	});

	const unspent = (): Promise<Unspent[]> => net.rpc('ALPHA', 'listunspent', 1);
	const nameOf = ({ txid, vout }: { txid: string; vout: number }): string => `${txid}:${vout}`;
	const pay = (
		amounts: readonly (bigint | null)[],
		{ utxos = [], rate = RATE }: { utxos?: string[]; rate?: bigint } = {}
	): Promise<string> => {
		const payments = amounts.map((amount, at) => ({ address: TO[at]!, amount }));
		return sender.sendCoins(WALLET, { payments, utxos, rate }, 'ada');
	};

	test('a payment to several recipients spends the chosen outputs, pays each, and brings the change back', async () => {
		const chosen = (await unspent()).slice(0, 2).map(nameOf);
		const id = await pay([COIN, 2n * COIN], { utxos: chosen, rate: 50_000n });
		const { review, hex } = await reviewed(sender, id);
		expect(review.inputs.map(nameOf).toSorted()).toEqual(chosen.toSorted());
		expect(review.outputs.map(({ address, value }) => [address, value])).toEqual([
			[TO[0], COIN],
			[TO[1], 2n * COIN],
			[own, expect.anything()]
		]);
		expect(review.cost).toBe(3n * COIN + review.fee);
		// The fee rate is applied to an upper bound of the size.
		const bytes = BigInt(hex.length / 2);
		expect(review.fee).toBeGreaterThanOrEqual((bytes * 50_000n) / 1000n);
		expect(review.fee).toBeLessThan((bytes * 60_000n) / 1000n);
		const held = await sender.heldUtxos('ALPHA');
		expect(held.map(nameOf).toSorted()).toEqual(chosen.toSorted());
		expect(held.every(({ holder }) => holder.id === id)).toBe(true);
		const refused = await refusal(net, pay([COIN], { utxos: [chosen[0]!] }));
		expect(refused.code).toBe('utxos.locked');

		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		expect(await sender.reconcile(id)).toBe('confirmed');
		const gone = await refusal(net, pay([COIN], { utxos: [`${'00'.repeat(32)}:0`] }));
		expect(gone).toMatchObject({ code: 'transaction.utxo-gone', field: 'utxos' });
	});

	test('everything that is available is sent without change, less the fee', async () => {
		const [one] = await unspent();
		// A review without a recorded event does not exist, and locks no output.
		await expect(
			withoutLog(database.db, () => pay([null], { utxos: [nameOf(one!)] }))
		).rejects.toThrow(/audit_events/);
		const id = await pay([null], { utxos: [nameOf(one!)] });
		const { review } = await reviewed(sender, id);
		expect(review.outputs).toHaveLength(1);
		expect(review.outputs[0]!.value + review.fee).toBe(review.inputs[0]!.value);
		await sender.discard(id, 'ada');
	});

	test('no coins go to the address of tokens, whose ever it is', async () => {
		const told = await net.rpc<Record<string, string>>('ALPHA', 'tokenaddress');
		const stranger = publicKeyOf(new Uint8Array(32).fill(7));
		const tokenid = await made(net, sender);
		const moved = await sender.moveToken(
			'ALPHA',
			transfer(tokenid, bytesToHex(stranger), 5n),
			'ada'
		);
		expect(await sender.send(moved, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		const before = proxy.count('signrawtransaction');
		for (const [address, code] of [
			[told['TokensCCAddress']!, 'transaction.recipient-module'],
			[told['myCCAddress(Tokens)']!, 'transaction.recipient-token-address'],
			[ccAddress(tokenScript(stranger)), 'transaction.recipient-condition']
		] as const) {
			const payments = [
				{ address: TO[0], amount: COIN },
				{ address, amount: COIN }
			];
			const wish = { payments, utxos: [], rate: RATE };
			const refused = await refusal(net, sender.sendCoins(WALLET, wish, 'ada'));
			expect(refused).toMatchObject({ code, message: expect.stringContaining(address) });
		}
		expect(proxy.count('signrawtransaction')).toBe(before);
	});

	test('a P2SH address is paid again and again', async () => {
		const address = encodeAddress(new Uint8Array(20).fill(0x5c), SCRIPT_ADDRESS_VERSION);
		for (const amount of [COIN, 2n * COIN]) {
			const payments = [
				{ address, amount },
				{ address: TO[0], amount: COIN }
			];
			const id = await sender.sendCoins(WALLET, { payments, utxos: [], rate: RATE }, 'ada');
			expect(await sender.send(id, 'ada')).toBe('broadcast');
			await net.control.mine('ALPHA');
			expect(await sender.reconcile(id)).toBe('confirmed');
		}
	});

	test('more than the wallet has is refused before anything is signed', async () => {
		const before = proxy.count('signrawtransaction');
		const refused = await refusal(net, pay([10n ** 9n * COIN]));
		expect(refused).toMatchObject({ code: 'transaction.too-few-free', field: 'amount' });
		expect(refused.message).toMatch(/^1\u202f000\u202f000\u202f000\.\d+ ALPHA are needed/);
		expect(proxy.count('signrawtransaction')).toBe(before);
	});

	test('locked outputs are named as the reason only if they would suffice', async () => {
		const other = await pay([COIN]);
		const refused = await refusal(net, pay([10n ** 9n * COIN]));
		expect(refused).toMatchObject({ params: { locked: false } });
		const { free } = refused.params as { free: string };
		const lacking = await refusal(net, pay([BigInt(free)]));
		expect(lacking).toMatchObject({ params: { locked: true } });
		await sender.discard(other, 'ada');
	});

	test('bytes that a daemon signed instead of those that were asked for are not kept', async () => {
		// The daemon signs a transaction that pays a stranger, with valid signatures.
		const utxos = (await unspent()).slice(0, 1);
		const thief = await net.rpc<string>('BETA', 'getnewaddress');
		const draft = await net.rpc<string>('ALPHA', 'createrawtransaction', utxos, { [thief]: 1 });
		const stolen = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', draft);
		proxy.rewrite = (method, body) => {
			if (method !== 'signrawtransaction') return body;
			const answer = JSON.parse(body) as { result: { hex: string } };
			return JSON.stringify({ ...answer, result: { ...answer.result, hex: stolen.hex } });
		};
		try {
			const utxo = utxos.map(nameOf);
			expect((await refusal(net, pay([COIN], { utxos: utxo }))).code).toBe(
				'verification.foreign-output'
			);
			const split = sender.splitUtxos(WALLET, { parts: 2, utxos: utxo }, 'ada');
			expect((await refusal(net, split)).code).toBe('verification.foreign-output');
		} finally {
			proxy.rewrite = null;
		}
		expect(await sender.list({ states: ['reviewed'] })).toEqual([]);
	});

	test('a split makes equal parts of one output, so that as many reviews can stand at a time', async () => {
		const [largest] = (await unspent()).toSorted((a, b) => b.amount - a.amount);
		const id = await sender.splitUtxos(WALLET, { parts: 3, utxos: [] }, 'ada');
		const { review, hex } = await reviewed(sender, id);
		expect(review.inputs.map(nameOf)).toEqual([nameOf(largest!)]);
		const values = parseTransaction(hex).vout.map(({ value }) => value);
		expect(values).toHaveLength(3);
		expect(values[0]! - values[2]!).toBeLessThan(3n);
		expect(review.cost).toBe(review.fee);
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		expect(await sender.reconcile(id)).toBe('confirmed');
		const { txid } = await reviewed(sender, id);
		const parts = (await unspent()).filter((one) => one.txid === txid).map(nameOf);
		expect(parts).toHaveLength(3);
		const ids = [];
		for (const part of parts) ids.push(await pay([COIN / 100n], { utxos: [part] }));
		for (const one of ids) await sender.discard(one, 'ada');
	});

	test('what is paid, split and joined on KMD names the time of the tip, so that it has interest from then on', async () => {
		const kmd = { chain: 'KMD', daemon: 'KMD' };
		const lockTimeOf = async (id: string): Promise<number> => {
			const { hex } = await reviewed(sender, id);
			const tx = parseTransaction(hex);
			expect(tx.vin.every(({ sequence }) => sequence === 0xffffffff)).toBe(true);
			return tx.locktime;
		};
		const { tiptime } = await net.rpc<{ tiptime: number }>('KMD', 'getinfo');
		const split = await sender.splitUtxos(kmd, { parts: 3, utxos: [] }, 'ada');
		expect(await lockTimeOf(split)).toBe(tiptime);
		expect(await sender.send(split, 'ada')).toBe('broadcast');
		await net.control.mine('KMD');
		expect(await sender.reconcile(split)).toBe('confirmed');
		const { tiptime: later } = await net.rpc<{ tiptime: number }>('KMD', 'getinfo');
		const payments = [{ address: TO[0], amount: COIN }];
		const paid = await sender.sendCoins(kmd, { payments, utxos: [], rate: RATE }, 'ada');
		expect(await lockTimeOf(paid)).toBe(later);
		await sender.discard(paid, 'ada');
		const joined = await sender.consolidate('KMD', 'ada');
		expect(await lockTimeOf(joined)).toBe(later);
		await sender.discard(joined, 'ada');
	});

	test('a wallet whose key is somebody else’s pays nothing', async () => {
		proxy.rewrite = (method, body) =>
			method === 'validateaddress' ? body.replace('"ismine":true', '"ismine":false') : body;
		try {
			expect((await refusal(net, pay([COIN]))).code).toBe('wallet-daemon.foreign-pubkey');
		} finally {
			proxy.rewrite = null;
		}
	});

	test('what the wallet has in too many small outputs is not called too little', async () => {
		for (let n = 0; n < 3; n++) {
			const id = await sender.splitUtxos(WALLET, { parts: 50, utxos: [] }, 'ada');
			expect(await sender.send(id, 'ada')).toBe('broadcast');
			await net.control.mine('ALPHA');
		}
		const held = new Set((await sender.heldUtxos('ALPHA')).map(nameOf));
		const amounts = (await unspent())
			.filter((one) => !held.has(nameOf(one)))
			.map(({ amount }) => BigInt(Math.round(amount * 1e8)))
			.toSorted((a, b) => (a < b ? 1 : -1));
		const reach = amounts.slice(0, 100).reduce((sum, amount) => sum + amount, 0n);
		const refused = await refusal(net, pay([reach]));
		expect(refused).toMatchObject({
			code: 'transaction.too-spread',
			field: 'amount',
			params: { reach: reach.toString(), most: 100 }
		});
	});
});
