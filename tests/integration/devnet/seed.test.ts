import { describe, expect, test } from 'vitest';
import { displayHash, internalHash } from '#lib/chain/bytes.ts';
import { merkleRoot } from '#lib/chain/merkle.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet({ profile: 'seed' }));

const addressOf = async (id: string): Promise<string> =>
	(await net.control.state()).daemons.find((daemon) => daemon.id === id)!.address;

interface Burn {
	payouts: string;
	BurnTxHex: string;
}

async function burn(amount: number): Promise<Burn & { txid: string }> {
	const built = await net.rpc<Burn>(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		await addressOf('BETA'),
		amount
	);
	const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', built.BurnTxHex);
	await net.control.mine('ALPHA');
	return { ...built, txid };
}

describe('parameters of the interface document', () => {
	test('are numbers where release 0.9.0 wants text, and the text is refused', async () => {
		const to = await addressOf('BETA');
		const cases: [string, string, unknown[]][] = [
			['ALPHA', 'tokencreate', ['x', '1', 'y']],
			['ALPHA', 'migrate_createburntransaction', ['BETA', to, '1']],
			['SELF', 'selfimport', [to, '1']],
			['ALPHA', 'calc_MoM', ['10', '5']],
			['KMD', 'MoMoMdata', ['ALPHA', '100', '777']],
			['KMD', 'scanNotarisationsDB', ['100', 'ALPHA']],
			['ALPHA', 'getimports', ['10']],
			['ALPHA', 'getwalletburntransactions', ['10']]
		];
		for (const [daemon, method, params] of cases) {
			await expect(net.rpc(daemon, method, ...params), method).rejects.toMatchObject({
				code: -1,
				message: 'JSON value is not a number as expected'
			});
		}
	});

	test('are text where release 0.9.0 wants an integer: the offset of an import', async () => {
		await expect(
			net.rpc('KMD', 'migrate_completeimporttransaction', '00', 1)
		).rejects.toMatchObject({ code: -1, message: 'JSON value is not a string as expected' });
	});

	test('give exactly the amount that they name', async () => {
		const { BurnTxHex } = await burn(1.15);
		const { vout } = await net.rpc<{ vout: { valueZat: number }[] }>(
			'ALPHA',
			'decoderawtransaction',
			BurnTxHex
		);
		expect(vout.map(({ valueZat }) => valueZat)).toContain(115_000_000 + 10_000);
	});

	test('count the blocks of a MoM from the first one', async () => {
		const [first, depth] = [4, 6];
		const roots: Uint8Array[] = [];
		for (let height = first + depth - 1; height >= first; height -= 1) {
			const hash = await net.rpc<string>('ALPHA', 'getblockhash', height);
			const block = await net.rpc<{ merkleroot: string }>('ALPHA', 'getblock', hash);
			roots.push(internalHash(block.merkleroot));
		}
		expect(await net.rpc('ALPHA', 'calc_MoM', first, depth)).toEqual({
			coin: 'ALPHA',
			height: first,
			MoMdepth: depth,
			MoM: displayHash(merkleRoot(roots))
		});
	});
});

describe('results of the interface document', () => {
	test('say the supply of a token in coins', async () => {
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'Coins', 0.0001, 'd');
		const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({
			supply: '0.00010000'
		});
		expect(await net.rpc('ALPHA', 'tokenbalance', tokenid)).toMatchObject({ balance: 10_000 });
	});

	test('spell the check and the list of burns as it does', async () => {
		const { txid } = await burn(2);
		expect(await net.rpc('ALPHA', 'migrate_checkburntransactionsource', txid)).toMatchObject({
			sourceSymbol: 'ALPHA',
			targetSymbol: 'BETA',
			targetCCid: 777,
			result: 'success'
		});
		const burns = await net.rpc<{ targetCCid: unknown }[]>('ALPHA', 'getwalletburntransactions', 1);
		expect(burns.map(({ targetCCid }) => targetCCid)).toEqual([777]);
	});

	test('spell the MoMs of the main chain as it does', async () => {
		const height = await net.rpc<number>('KMD', 'getblockcount');
		const data = await net.rpc<Record<string, unknown>>('KMD', 'MoMoMdata', 'ALPHA', height, 777);
		expect(Object.keys(data).sort()).toEqual(
			['MoMoM', 'MoMs', 'ccid', 'coin', 'kmdheight', 'notarizationHash'].sort()
		);
		expect(data).toMatchObject({ kmdheight: String(height - 5), ccid: 777 });
		expect(typeof data['MoMs']).toBe('string');
	});

	test('name no release of Komodo, and the size of a transaction', async () => {
		expect(await net.rpc('ALPHA', 'getinfo')).not.toHaveProperty('KMDversion');
		const { BurnTxHex } = await burn(1);
		expect(await net.rpc('ALPHA', 'decoderawtransaction', BurnTxHex)).toMatchObject({
			size: BurnTxHex.length / 2
		});
	});

	test('hold no member that it does not know', async () => {
		const built = await net.rpc<Burn>(
			'ALPHA',
			'migrate_createburntransaction',
			'BETA',
			await addressOf('BETA'),
			1
		);
		await net.rpc('ALPHA', 'sendrawtransaction', built.BurnTxHex);
		const [waiting] = await net.rpc<object[]>('ALPHA', 'getwalletburntransactions', 1);
		expect(Object.keys(waiting!)).toEqual(['txid', 'burnedAmount', 'targetSymbol', 'targetCCid']);
		const height = await net.rpc<number>('BETA', 'getblockcount');
		const imports: object[] = [];
		for (let at = 1; at <= height; at++) {
			imports.push(...(await net.rpc<{ imports: object[] }>('BETA', 'getimports', at)).imports);
		}
		expect(imports.length).toBeGreaterThan(0);
		for (const one of imports) expect(Object.keys(one)).toEqual(['txid', 'amount', 'export']);
	});

	test('still hold a failure in the form of the token methods', async () => {
		expect(await net.rpc('ALPHA', 'tokentransfer', '11'.repeat(32), '02', 5)).toMatchObject({
			result: 'error'
		});
	});
});

describe('the offset of an import', () => {
	test('is the number of blocks below the tip in which a proof is searched', async () => {
		const { BurnTxHex, payouts } = await burn(3);
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA');
		const { ImportTxHex } = await net.rpc<{ ImportTxHex: string }>(
			'ALPHA',
			'migrate_createimporttransaction',
			BurnTxHex,
			payouts
		);
		await net.control.notarize('BETA');
		await net.control.mine('KMD', 5);
		const complete = (offset: string): Promise<unknown> =>
			net.rpc('KMD', 'migrate_completeimporttransaction', ImportTxHex, offset);
		await expect(complete('2')).rejects.toMatchObject({
			message: 'Cannot find notarisation for target inclusive of source'
		});
		await expect(complete('50')).resolves.toHaveProperty('ImportTxHex');
	});
});
