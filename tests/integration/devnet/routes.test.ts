import { describe, expect, test } from 'vitest';
import { COIN } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

const addressOf = async (id: string): Promise<string> =>
	(await net.control.state()).daemons.find((daemon) => daemon.id === id)!.address;

interface Built {
	payouts: string;
	BurnTxHex: string;
}

async function burn(coins: string): Promise<Built & { txid: string }> {
	const built = await net.rpc<Built>(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		await addressOf('BETA'),
		coins
	);
	const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', built.BurnTxHex);
	await net.control.mine('ALPHA');
	return { ...built, txid };
}

describe('the backup route', () => {
	test('five notaries of the destination approve a burn, four are not enough', async () => {
		const { BurnTxHex, payouts, txid } = await burn('2.5');
		const { TxOutProof } = await net.rpc<{ TxOutProof: string }>(
			'ALPHA',
			'migrate_checkburntransactionsource',
			txid
		);
		const approvals: string[] = [];
		for (let n = 1; n <= 5; n++) {
			const { NotaryTxHex } = await net.rpc<{ NotaryTxHex: string }>(
				`BETA-notary-${n}`,
				'migrate_createnotaryapprovaltransaction',
				txid,
				TxOutProof
			);
			approvals.push(await net.rpc<string>(`BETA-notary-${n}`, 'sendrawtransaction', NotaryTxHex));
		}
		await net.control.mine('BETA');
		const importOf = async (txids: string[]): Promise<string> =>
			(
				await net.rpc<{ ImportTxHex: string }>(
					'ALPHA',
					'migrate_createimporttransaction',
					BurnTxHex,
					payouts,
					...txids
				)
			).ImportTxHex;
		await expect(
			net.rpc('BETA', 'sendrawtransaction', await importOf(approvals.slice(0, 4)))
		).rejects.toMatchObject({ code: -26, message: '0: invalid-coin-import' });
		const imported = await net.rpc<string>('BETA', 'sendrawtransaction', await importOf(approvals));
		await net.control.mine('BETA');
		expect(await net.rpc('BETA', 'getrawtransaction', imported, 1)).toMatchObject({
			vin: [{ is_import: '1', txid, address: `IMP-ALPHA-${txid}` }],
			rawconfirmations: 1
		});
		// The same burn cannot be redeemed twice, whatever the proof.
		await expect(
			net.rpc('BETA', 'sendrawtransaction', await importOf([...approvals].reverse()))
		).rejects.toMatchObject({ code: -26, message: '18: import tombstone exists' });
	});
});

describe('a self-import', () => {
	test('creates coins on the chain of the issuing key, even before its source is mined', async () => {
		const to = await addressOf('SELF');
		const { SourceTxHex, ImportTxHex } = await net.rpc<{
			SourceTxHex: string;
			ImportTxHex: string;
		}>('SELF', 'selfimport', to, '7.5');
		await net.rpc('SELF', 'sendrawtransaction', SourceTxHex);
		const txid = await net.rpc<string>('SELF', 'sendrawtransaction', ImportTxHex);
		const { height } = await net.control.mine('SELF');
		expect(await net.rpc('SELF', 'getimports', String(height))).toMatchObject({
			imports: [{ txid, amount: 0, export: { amount: 7.5 } }],
			TotalImported: 7.5
		});
	});

	test('is refused on every other chain', async () => {
		await expect(net.rpc('ALPHA', 'selfimport')).rejects.toMatchObject({
			code: -1,
			message: 'selfimport only works on -ac_import chains'
		});
	});
});

describe('an export made from an own transaction', () => {
	test('is funded, signed and burns what the payouts say', async () => {
		const to = await addressOf('BETA');
		const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 3.25 });
		const { exportTx, payouts } = await net.rpc<{ exportTx: string; payouts: string }>(
			'ALPHA',
			'migrate_converttoexport',
			raw,
			'BETA'
		);
		const fund = (): Promise<{ hex: string; changepos: number }> =>
			net.rpc('ALPHA', 'fundrawtransaction', exportTx);
		let funded = await fund();
		const places = new Set([funded.changepos]);
		// Change may be placed after the burn, which must be the last output; then the owner funds again.
		while (funded.changepos !== 0 || places.size < 2) {
			funded = await fund();
			places.add(funded.changepos);
		}
		expect([...places].sort()).toEqual([0, 1]);
		const signed = await net.rpc<{ hex: string; complete: boolean }>(
			'ALPHA',
			'signrawtransaction',
			funded.hex
		);
		expect(signed.complete).toBe(true);
		const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', signed.hex, true);
		await net.control.mine('ALPHA');
		expect(await net.rpc('ALPHA', 'migrate_checkburntransactionsource', txid)).toMatchObject({
			SourceSymbol: 'ALPHA',
			TargetSymbol: 'BETA',
			TargetCCid: '777'
		});
		expect(payouts).toMatch(/^01401b5f13/);
	});

	test('burns coins and no token, even when it moves one', async () => {
		const built = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'T', '0.00000100', 'd');
		const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', built.hex);
		await net.control.mine('ALPHA');
		const { pubkey } = net.chains.get('BETA')!;
		const moved = await net.rpc<{ hex: string }>('ALPHA', 'tokentransfer', tokenid, pubkey, '40');
		const tx = parseTransaction(moved.hex);
		// The wallet may pay with a UTXO whose change is more than one export may have.
		for (const output of tx.vout) if (output.value > COIN) output.value = COIN;
		const { exportTx } = await net.rpc<{ exportTx: string }>(
			'ALPHA',
			'migrate_converttoexport',
			bytesToHex(serializeTransaction(tx)),
			'BETA'
		);
		const coins = tx.vout.reduce((sum, { value }) => sum + value, 0n);
		const exported = parseTransaction(exportTx);
		expect(exported.vout).toHaveLength(1);
		expect(parseBurn(exported)).toMatchObject({ sourceSymbol: 'ALPHA', value: coins + IMPORT_FEE });
		expect(parseBurn(exported)).not.toHaveProperty('tokenCreationTx');
	});
});

describe('what the burn builder refuses', () => {
	test('in the order and the words of the daemon', async () => {
		const to = await addressOf('BETA');
		const cases: [string, unknown[], number, string][] = [
			['KMD', ['BETA', to, '1'], -1, '-ac_cc < KOMODO_FIRSTFUNGIBLEID'],
			['ALPHA', ['', to, '1'], -1, 'targetSymbol length must be >0 and <=32'],
			['ALPHA', ['x'.repeat(33), to, '1'], -1, 'targetSymbol length must be >0 and <=32'],
			['ALPHA', ['ALPHA', to, '1'], -1, 'cant send a coin to the same chain'],
			['ALPHA', ['BETA', to, '0'], -3, 'Cannot export a negative or zero value.'],
			['ALPHA', ['BETA', to, '1000001'], -3, 'Cannot export more than 1 million coins per export.'],
			['ALPHA', ['BETA', 'nope', '1'], -3, 'Incorrect destination addr.'],
			['ALPHA', ['BETA', to, 1], -1, 'JSON value is not a string as expected']
		];
		for (const [daemon, params, code, message] of cases) {
			await expect(
				net.rpc(daemon, 'migrate_createburntransaction', ...params)
			).rejects.toMatchObject({ code, message });
		}
	});

	test('an import is completed on KMD only', async () => {
		await expect(net.rpc('BETA', 'migrate_completeimporttransaction', '00')).rejects.toMatchObject({
			message: 'Must be called on KMD'
		});
	});
});
