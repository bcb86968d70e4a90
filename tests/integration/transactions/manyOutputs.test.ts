import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey, decodeAddress } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { migrationsOver } from '../migration/support.ts';
import { gatewayTo, refusal, reviewed, senderOver } from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const COIN = 100_000_000n;
/** As many as fit into a transaction. */
const OUTPUTS = 5_500;
/** Number of such transactions: together they exceed the size of one response. */
const TRANSACTIONS = 8;

describeOnSqlite('a wallet with more outputs than one answer may hold', (database) => {
	let own: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));

	/** Pays the wallet many outputs of 0.01 coin, like years of mining. */
	async function fill(): Promise<void> {
		const value = 1_000_000n;
		const script = p2pkh(decodeAddress(own).hash);
		const needed = Number((value * BigInt(OUTPUTS)) / COIN) + 1;
		for (let n = 0; n < TRANSACTIONS; n++) {
			const draft = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [own]: needed });
			const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', draft);
			const tx = parseTransaction(hex);
			const rest = tx.vout.reduce((sum, one) => sum + one.value, 0n) - value * BigInt(OUTPUTS);
			const many = Array.from({ length: OUTPUTS }, () => ({ value, script }));
			const vout = [...many, { value: rest - 100_000n, script }];
			const bytes = bytesToHex(serializeTransaction({ ...tx, vout }));
			const signed = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', bytes);
			await net.rpc('ALPHA', 'sendrawtransaction', signed.hex, true);
			await net.control.mine('ALPHA');
		}
	}

	beforeAll(async () => {
		own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		await fill();
		await net.control.mine('ALPHA', 9);
		for (let n = 0; n < 3; n++) await net.rpc('ALPHA', 'sendtoaddress', own, 5);
		await net.control.mine('ALPHA', 2);
	});

	test('consolidates, pays and migrates all the same', async () => {
		await expect(gateway.call('ALPHA', 'listunspent', [1])).rejects.toMatchObject({
			code: 'daemon.too-large'
		});
		const merged = await reviewed(sender, await sender.consolidate('ALPHA', 'ada'));
		expect(merged.review.inputs.length).toBeGreaterThanOrEqual(2);
		await sender.discard(merged.id, 'ada');
		// Outputs that were not read may exist, and be enough.
		const all = { payments: [{ address: TO, amount: 10n ** 9n * COIN }], rate: 10_000n };
		for (const utxos of [[], [`${'ab'.repeat(32)}:0`]]) {
			const refused = await refusal(net, sender.sendCoins(WALLET, { ...all, utxos }, 'ada'));
			expect(refused.code).toBe('transaction.not-all-read');
		}

		const payments = [{ address: TO, amount: COIN }];
		const wish = { payments, utxos: [], rate: 10_000n };
		const paid = await sender.sendCoins(WALLET, wish, 'ada');
		expect(await sender.send(paid, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');

		const address = addressOfPubkey(net.chains.get('BETA')!.pubkey);
		const asked = { source: 'ALPHA', destination: 'BETA', address, amount: '1' };
		const migrations = migrationsOver(database.db, gateway);
		const { source, destination } = asked;
		const custom = { outputs: [`${'ab'.repeat(32)}:0`], recipients: `${address} 1`, raw: '' };
		const request = { source, destination, ...custom, policy: 'automatic' } as const;
		const refused = await migrations.draftCustom(request, 'ada');
		const checks = refused.kind === 'refused' ? refused.checks : [];
		expect(checks.find(({ result }) => result === 'fail')?.message.code).toBe('utxos.not-read');
		const drafted = await migrations.draft({ ...asked, policy: 'automatic' }, 'ada');
		expect(drafted.kind === 'refused' ? drafted.checks : drafted.kind).toBe('drafted');
	});
});
