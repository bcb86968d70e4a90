/** A non-fungible token migrates from ALPHA to BETA, if the network allows it; release 0.9.0 does not. */
import { describe, expect, test } from 'vitest';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const DATA = 'f1646565642031370a';

interface Hex {
	hex: string;
}
interface Burn {
	payouts: string;
	BurnTxHex: string;
}
interface Import {
	ImportTxHex: string;
}

/** Numbers that release 0.9.0 expects as text and the interface document as numbers. */
const spelling = (net: 'fast' | 'seed', text: string): string | number =>
	net === 'seed' ? Number(text) : text;

async function create(net: Devnet, supply: string | number): Promise<string> {
	const { hex } = await net.rpc<Hex>('ALPHA', 'tokencreate', 'DEED', supply, 'Lot 17', DATA);
	const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await net.control.mine('ALPHA');
	return tokenid;
}

/** Burns the token towards the main key of BETA and mines the burn. */
async function burn(
	net: Devnet,
	one: string | number,
	tokenid: string
): Promise<Burn & { txid: string }> {
	const dest = net.chains.get('BETA')!.pubkey;
	const method = 'migrate_createburntransaction';
	const built = await net.rpc<Burn>('ALPHA', method, 'BETA', dest, one, tokenid);
	const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', built.BurnTxHex);
	await net.control.mine('ALPHA');
	return { ...built, txid };
}

/** Sends the import and returns the token on the destination. */
async function arrive(net: Devnet, ImportTxHex: string): Promise<Record<string, unknown>> {
	const imported = await net.rpc<string>('BETA', 'sendrawtransaction', ImportTxHex);
	await net.control.mine('BETA');
	const list = await net.rpc<string[]>('BETA', 'tokenlist');
	expect(list).toContain(imported);
	expect(await net.rpc('BETA', 'tokenbalance', imported)).toMatchObject({ balance: 1 });
	await expect(net.rpc('BETA', 'sendrawtransaction', ImportTxHex)).rejects.toMatchObject({
		code: -27
	});
	return net.rpc('BETA', 'tokeninfo', imported);
}

describe.each(['fast', 'seed'] as const)('on the profile %s', (profile) => {
	const net = shared(() => startDevnet({ profile }));

	test('its one unit arrives over the notarized route, with its data and its origin, and moves on', async () => {
		const one = spelling(profile, '1');
		const tokenid = await create(net, spelling(profile, '0.00000001'));
		const { BurnTxHex, payouts, txid } = await burn(net, one, tokenid);
		expect(await net.rpc('ALPHA', 'tokenbalance', tokenid)).toMatchObject({ balance: 0 });
		expect(await net.rpc('ALPHA', 'migrate_checkburntransactionsource', txid)).toMatchObject({
			tokenid,
			result: 'success'
		});
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA');
		const builder = 'migrate_createimporttransaction';
		const first = await net.rpc<Import>('ALPHA', builder, BurnTxHex, payouts);
		await net.control.notarize('BETA');
		await net.control.mine('KMD', 5);
		const complete = 'migrate_completeimporttransaction';
		const { ImportTxHex } = await net.rpc<Import>('KMD', complete, first.ImportTxHex);
		await net.control.mine('BETA');
		await net.control.notarize('BETA');
		await net.control.mine('BETA');
		const facts = await arrive(net, ImportTxHex);
		expect(facts).toMatchObject({
			name: 'DEED',
			supply: profile === 'seed' ? '0.00000001' : 1,
			data: DATA,
			IsImported: 'yes',
			sourceChain: 'ALPHA',
			sourceTokenId: tokenid
		});
		const to = net.chains.get('ALPHA')!.pubkey;
		const moved = await net.rpc<Hex>('BETA', 'tokentransfer', facts['tokenid'], to, one);
		await net.rpc('BETA', 'sendrawtransaction', moved.hex);
		await net.control.mine('BETA');
		expect(await net.rpc('BETA', 'tokenbalance', facts['tokenid'], to)).toMatchObject({
			balance: 1
		});
	});

	test('it arrives with the approvals of five notaries, not of four', async () => {
		const tokenid = await create(net, spelling(profile, '0.00000001'));
		const { BurnTxHex, payouts, txid } = await burn(net, spelling(profile, '1'), tokenid);
		const { TxOutProof } = await net.rpc<{ TxOutProof: string }>(
			'ALPHA',
			'migrate_checkburntransactionsource',
			txid
		);
		const approvals: string[] = [];
		for (let n = 1; n <= 5; n++) {
			const notary = `BETA-notary-${n}`;
			const { NotaryTxHex } = await net.rpc<{ NotaryTxHex: string }>(
				notary,
				'migrate_createnotaryapprovaltransaction',
				txid,
				TxOutProof
			);
			approvals.push(await net.rpc<string>(notary, 'sendrawtransaction', NotaryTxHex));
		}
		await net.control.mine('BETA');
		const build = (txids: string[]): Promise<Import> =>
			net.rpc('ALPHA', 'migrate_createimporttransaction', BurnTxHex, payouts, ...txids);
		const four = await build(approvals.slice(0, 4));
		await expect(net.rpc('BETA', 'sendrawtransaction', four.ImportTxHex)).rejects.toMatchObject({
			code: -26,
			message: '0: invalid-coin-import'
		});
		const five = await build(approvals);
		expect(await arrive(net, five.ImportTxHex)).toMatchObject({ sourceTokenId: tokenid });
	});
});

describe('on the profile daemon-0.9.0', () => {
	const net = shared(() => startDevnet({ profile: 'daemon-0.9.0' }));

	test('its burn is built towards no chain but LABS', async () => {
		const tokenid = await create(net, '0.00000001');
		const method = 'migrate_createburntransaction';
		const dest = net.chains.get('BETA')!.pubkey;
		await expect(net.rpc('ALPHA', method, 'BETA', dest, '1', tokenid)).rejects.toMatchObject({
			code: -3,
			message: 'There is no tokens support on LABS.'
		});
		expect(await net.rpc('ALPHA', 'tokenbalance', tokenid)).toMatchObject({ balance: 1 });
		await expect(net.rpc('ALPHA', method, 'LABS', dest, '1', tokenid)).resolves.toHaveProperty(
			'BurnTxHex'
		);
	});
});
