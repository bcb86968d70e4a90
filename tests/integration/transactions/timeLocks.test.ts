import { beforeAll, expect, test } from 'vitest';
import {
	SCRIPT_ADDRESS_VERSION,
	addressOfPubkey,
	decodeAddress,
	encodeAddress
} from '#lib/chain/address.ts';
import { bytesToHex, concat, hexToBytes } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { balancesOf, statusOfUtxos } from '#lib/server/wallet/overview/balances.ts';
import { readWallet } from '#lib/server/wallet/overview/readWallet.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { freeCoins } from '#lib/server/wallet/transactions/freeCoins.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, refusal, reviewed, senderOver } from './support.ts';

const COIN = 100_000_000n;
const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
/** The first second of 2100, OP_CHECKLOCKTIMEVERIFY, and OP_DROP. */
const UNTIL_2100 = hexToBytes('04005786f4b175');

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
	spendable: boolean;
	redeemScript?: string;
}

describeOnBothDatabases('coins with a time lock', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));
	let locked: Unspent;
	let all: Unspent[];

	/** A payment to a script's hash, with the script in a data output: the wallet counts it as its own coins. */
	beforeAll(async () => {
		const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		const script = concat(UNTIL_2100, p2pkh(decodeAddress(own).hash));
		const address = encodeAddress(hash160(script), SCRIPT_ADDRESS_VERSION);
		const [from] = (await net.rpc<Unspent[]>('ALPHA', 'listunspent', 1)).toSorted(
			(a, b) => b.amount - a.amount
		);
		const outputs = {
			[own]: (from!.amount - 5.001).toFixed(8),
			[address]: 5,
			data: `01${bytesToHex(script)}`
		};
		const draft = await net.rpc<string>('ALPHA', 'createrawtransaction', [from], outputs);
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', draft);
		const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		all = await net.rpc<Unspent[]>('ALPHA', 'listunspent', 1);
		locked = all.find((one) => one.txid === txid && one.vout === 1)!;
		expect(locked).toMatchObject({ amount: 5, spendable: true, redeemScript: bytesToHex(script) });
	});

	test('are not paid with, although the daemon calls them spendable', async () => {
		const pay = (utxos: string[]) =>
			sender.sendCoins(
				WALLET,
				{
					payments: [{ address: UNKNOWN_ADDRESS, amount: (COIN * 49n) / 10n }],
					rate: 10_000n,
					utxos
				},
				'ada'
			);
		const id = await pay([]);
		const { review } = await reviewed(sender, id);
		expect(review.inputs.map(({ txid }) => txid)).not.toContain(locked.txid);
		await sender.discard(id, 'ada');
		const refused = await refusal(net, pay([`${locked.txid}:${locked.vout}`]));
		expect(refused).toMatchObject({ code: 'transaction.utxo-gone', field: 'utxos' });
	});

	test('are shown as what cannot be spent, and counted nowhere as available', async () => {
		const client = new PageClient(gateway, 'test');
		const { utxos } = await readWallet(client, gateway.daemon('ALPHA')!);
		const rows = statusOfUtxos(utxos, []);
		const isLocked = (one: { txid: string; vout: number }): boolean =>
			one.txid === locked.txid && one.vout === locked.vout;
		expect(rows.filter(isLocked)).toMatchObject([{ state: 'watched', amount: 5n * COIN }]);
		const free = all
			.filter((one) => !isLocked(one))
			.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n);
		expect(balancesOf(rows)).toMatchObject({ confirmed: free, available: free });
		const rights = permissiveRights(gateway);
		const form = await formWallet(client, 'ALPHA', { rights, sender }, 'ada');
		expect(form).toMatchObject({ usable: true, balance: free });
		const balance = free + 5n * COIN;
		expect(await freeCoins(gateway, { daemon: 'ALPHA', balance })).toBe(free);
	});
});
