import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { rejections } from '#lib/messages/transactions/rejections.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { createMeasurer } from '#lib/server/access/policy/measuring/measurer.ts';
import { readInterest } from '#lib/server/wallet/overview/interest.ts';
import { readWallet } from '#lib/server/wallet/overview/readWallet.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { refusal, reviewed, sharedSender } from './support.ts';

const FEE = 10_000n;
const KMD = { chain: 'KMD', daemon: 'KMD' };
const DAY = 24 * 3600;

interface Unspent {
	txid: string;
	vout: number;
	address: string;
	amount: number;
	interest: number;
}

const satoshi = (coins: number): bigint => BigInt(Math.round(coins * 1e8));

describeOnBothDatabases('interest of a KMD wallet', (database) => {
	let own: string;
	const { net, proxy, gateway, sender } = sharedSender(database, 'KMD');
	beforeAll(() => {
		own = addressOfPubkey(net.chains.get('KMD')!.pubkey);
	});

	/** Gives the wallet coins with interest: it pays itself, which sets a lock time, and the clock advances. */
	async function age(seconds: number): Promise<void> {
		await net.rpc('KMD', 'sendtoaddress', own, 5000);
		await net.control.mine('KMD');
		await net.control.clock(seconds);
		await net.control.mine('KMD');
	}
	const earning = async (): Promise<Unspent[]> =>
		(await net.rpc<Unspent[]>('KMD', 'listunspent', 1)).filter(({ interest }) => interest > 0);

	test('is not claimed where there is none, on another chain, or where the fee takes it', async () => {
		const alpha = { chain: 'ALPHA', daemon: 'ALPHA' };
		const none = { code: 'transaction.no-interest', coded: { params: { interest: '0' } } };
		expect(await refusal(net, sender.claimInterest(alpha, 'ada'))).toMatchObject(none);
		expect(await refusal(net, sender.claimInterest(KMD, 'ada'))).toMatchObject(none);
	});

	test('is claimed to the satoshi: inputs and interest less the fee come back, and the daemon takes it', async () => {
		await age(20 * DAY);
		const outputs = await earning();
		const interest = outputs.reduce((sum, one) => sum + satoshi(one.interest), 0n);
		expect(interest).toBeGreaterThan(FEE);
		const { tiptime } = await net.rpc<{ tiptime: number }>('KMD', 'getinfo');

		const id = await sender.claimInterest(KMD, 'ada');
		const { review, request, hex } = await reviewed(sender, id);
		const held = review.inputs.reduce((sum, { value }) => sum + value, 0n);
		expect(request).toEqual({ kind: 'claim', count: outputs.length, total: held, interest });
		expect(review.outputs).toEqual([
			{ value: held + interest - FEE, address: own, meaning: { code: 'claimed', params: {} } }
		]);
		expect(review).toMatchObject({ fee: FEE, cost: FEE - interest });
		expect(parseTransaction(hex).locktime).toBe(tiptime);
		const { movements } = await createMeasurer(gateway).measure('KMD', hex, null);
		expect(movements).toMatchObject([{ parts: [{ recipient: { address: own, own: true } }] }]);

		expect(await sender.send(id, 'ada')).toBe('broadcast');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('KMD');
		expect(await sender.reconcile(id)).toBe('confirmed');
		expect(await earning()).toEqual([]);
	});

	test('that the daemon tells otherwise than we count is not claimed, whichever is more', async () => {
		await age(20 * DAY);
		for (const told of ['1.00000000', '0.00010001']) {
			proxy.rewrite = (method, body) =>
				method === 'listunspent'
					? body.replace(/("interest": ?)(?!0\.0+\b)[\d.]+/, `$1${told}`)
					: body;
			try {
				const { code } = await refusal(net, sender.claimInterest(KMD, 'ada'));
				expect(code).toBe('transaction.interest-differs');
			} finally {
				proxy.rewrite = null;
			}
		}
		expect(proxy.count('signrawtransaction')).toBe(1);
	});

	test('a daemon on the chain takes no more than the interest that has accrued', async () => {
		const [one] = await earning();
		const pays = async (more: bigint): Promise<string> => {
			const value = Number(satoshi(one!.amount + one!.interest) + more) / 1e8;
			const draft = await net.rpc<string>('KMD', 'createrawtransaction', [one], { [own]: value });
			const { hex } = await net.rpc<{ hex: string }>('KMD', 'signrawtransaction', draft);
			return hex;
		};
		await expect(net.rpc('KMD', 'sendrawtransaction', await pays(1n))).rejects.toThrow(
			/in-belowout/
		);
		expect(await net.rpc('KMD', 'sendrawtransaction', await pays(-1000n))).toMatch(
			/^[0-9a-f]{64}$/
		);
		await net.control.mine('KMD');
	});

	test('of an address that the wallet only watches is neither shown as its own nor claimed', async () => {
		const watched = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		await net.rpc('KMD', 'sendtoaddress', watched, 5000);
		await net.rpc('KMD', 'importaddress', watched, '', false);
		await age(20 * DAY);
		const client = new PageClient(gateway, 'test');
		const daemon = gateway.daemon('KMD')!;
		const read = await readWallet(client, daemon);
		const foreign = read.utxos.filter(({ address }) => address === watched);
		expect(foreign).toMatchObject([{ spendable: false, amount: 500_000_000_000n }]);
		expect(foreign[0]!.interest).toBeGreaterThan(0n);
		const shown = await readInterest(client, daemon, read, read.tip!);
		const claimed = await reviewed(sender, await sender.claimInterest(KMD, 'ada'));
		expect(claimed.review.inputs.map(({ address }) => address)).not.toContain(watched);
		expect([shown.counted, shown.told, shown.toldOfAll]).toEqual(
			Array(3).fill(claimed.request.kind === 'claim' && claimed.request.interest)
		);
		await sender.discard(claimed.id, 'ada');
	});

	test('comes back with the change of what the daemon funds, which counts by what others are paid', async () => {
		await age(20 * DAY);
		// All other coins are locked at the daemon, so it chooses this one.
		const one = (await earning()).find(({ address, amount }) => address === own && amount === 5000);
		const others = (await net.rpc<Unspent[]>('KMD', 'listunspent', 0))
			.filter(({ txid, vout }) => txid !== one!.txid || vout !== one!.vout)
			.map(({ txid, vout }) => ({ txid, vout }));
		await net.rpc('KMD', 'lockunspent', false, others);
		const stranger = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
		const draft = await net.rpc<string>('KMD', 'createrawtransaction', [], { [stranger]: 4999 });
		const funded = await net.rpc<{ hex: string }>('KMD', 'fundrawtransaction', draft);
		const { hex } = await net.rpc<{ hex: string }>('KMD', 'signrawtransaction', funded.hex);
		const measured = await createMeasurer(gateway).measure('KMD', hex, null);
		expect(measured).toMatchObject({
			usages: [{ kind: 'coin-send', amount: 499_900_000_000n }],
			movements: [
				{ parts: [{ recipient: { address: stranger, own: false }, amount: 499_900_000_000n }] }
			]
		});
		const out = parseTransaction(hex).vout.reduce((sum, { value }) => sum + value, 0n);
		expect(out).toBeGreaterThan(500_000_000_000n);
		await net.rpc('KMD', 'lockunspent', true, others);
		expect(await net.rpc('KMD', 'sendrawtransaction', hex)).toMatch(/^[0-9a-f]{64}$/);
		await net.control.mine('KMD');
	});

	test('what is sent too long after its lock time is refused, and the refusal is explained', async () => {
		await age(20 * DAY);
		const id = await sender.claimInterest(KMD, 'ada');
		await net.control.clock(3600);
		await net.control.mine('KMD', 7);
		expect(await sender.send(id, 'ada')).toBe('rejected');
		const said = rejections.text((await sender.get(id))!.rejection!);
		expect(said).toContain('16: komodo-interest-invalid');
		expect(said).toContain('The lock time is too old');
	});
});
