import { describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

const addressOf = async (id: string): Promise<string> =>
	(await net.control.state()).daemons.find((daemon) => daemon.id === id)!.address;

const NFT_DATA = 'f10102';

describe('a limit of the interface document', () => {
	test('the list of burns holds ten unless another number is asked for', async () => {
		const to = await addressOf('BETA');
		for (let n = 1; n <= 12; n += 1) {
			const { BurnTxHex } = await net.rpc<{ BurnTxHex: string }>(
				'ALPHA',
				'migrate_createburntransaction',
				'BETA',
				to,
				`0.${n}`
			);
			await net.rpc('ALPHA', 'sendrawtransaction', BurnTxHex);
			await net.control.mine('ALPHA');
		}
		expect(await net.rpc('ALPHA', 'getwalletburntransactions')).toHaveLength(10);
		expect(await net.rpc('ALPHA', 'getwalletburntransactions', '11')).toHaveLength(11);
	});

	test('of a non-fungible token its one unit migrates, and no other number', async () => {
		const state = await net.control.state();
		const pubkey = state.daemons.find(({ id }) => id === 'BETA')!.pubkey;
		const token = async (supply: string, ...data: string[]): Promise<string> => {
			const { hex } = await net.rpc<{ hex: string }>(
				'ALPHA',
				'tokencreate',
				'T',
				supply,
				'd',
				...data
			);
			const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
			await net.control.mine('ALPHA');
			return txid;
		};
		const piece = await token('0.000000015', NFT_DATA);
		const burn = (amount: string, tokenid: string): Promise<unknown> =>
			net.rpc('ALPHA', 'migrate_createburntransaction', 'BETA', pubkey, amount, tokenid);
		await expect(burn('2', piece)).rejects.toMatchObject({
			code: -3,
			message: 'For non-fungible tokens amount should be equal to 1.'
		});
		await expect(burn('1', piece)).resolves.toHaveProperty('BurnTxHex');
		expect(await net.rpc('ALPHA', 'tokeninfo', piece)).toMatchObject({ supply: 1, data: NFT_DATA });
	});

	test('a satoshi of the native coin makes one unit of a token', async () => {
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'U', '0.00000123', 'd');
		const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		expect(await net.rpc('ALPHA', 'tokenbalance', txid)).toMatchObject({ balance: 123 });
	});

	test('the source of a self-import pays 10000 satoshi', async () => {
		const to = await addressOf('SELF');
		const { SourceTxHex } = await net.rpc<{ SourceTxHex: string }>('SELF', 'selfimport', to, '5');
		const txid = await net.rpc<string>('SELF', 'sendrawtransaction', SourceTxHex);
		await net.control.mine('SELF');
		const { vin, vout } = await net.rpc<{
			vin: { valueSat: number }[];
			vout: { valueSat: number }[];
		}>('SELF', 'getrawtransaction', txid, 1);
		const sum = (of: { valueSat: number }[]): number =>
			of.reduce((total, { valueSat }) => total + valueSat, 0);
		expect(sum(vin) - sum(vout)).toBe(10_000);
	});

	test('a notarization is searched 1440 blocks down unless told otherwise', async () => {
		const { notarization, kmdHeight } = await net.control.notarizeKmd('GAMMA');
		const scan = (from: number, ...limit: string[]): Promise<unknown> =>
			net.rpc('KMD', 'scanNotarisationsDB', String(from), 'GAMMA', ...limit);
		await net.control.mine('KMD', 1440);
		expect(await scan(kmdHeight + 1439)).toMatchObject({ hash: notarization });
		expect(await scan(kmdHeight + 1440)).toBeNull();
		expect(await scan(kmdHeight + 1440, '1441')).toMatchObject({ hash: notarization });
	});
});
