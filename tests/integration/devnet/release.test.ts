import { expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet({ profile: 'daemon-0.9.0' }));

test('a description that does not fit the relay limit is built but refused on sending', async () => {
	const { hex } = await net.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		'LONGD',
		'0.00000005',
		'd'.repeat(163)
	);
	await expect(net.rpc('ALPHA', 'sendrawtransaction', hex)).rejects.toMatchObject({
		code: -26,
		message: '64: scriptpubkey'
	});
});

test('token burns are built towards LABS only', async () => {
	const [tokenid] = await net.rpc<string[]>('ALPHA', 'tokenlist');
	const dest = net.chains.get('BETA')!.pubkey;
	await expect(
		net.rpc('ALPHA', 'migrate_createburntransaction', 'BETA', dest, '1', tokenid)
	).rejects.toMatchObject({ code: -3, message: 'There is no tokens support on LABS.' });
});

test('the chains are past Sapling and the wallets are funded', async () => {
	for (const id of ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF']) {
		const info = await net.rpc<{ sapling: number; blocks: number; balance: number }>(id, 'getinfo');
		expect(info.sapling).toBe(61);
		expect(info.blocks).toBeGreaterThan(61);
		expect(info.balance).toBeGreaterThan(1_000_000);
	}
});

const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const [NOWHERE, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];

// Source: rpc/rawtransaction.cpp, rpc/misc.cpp, wallet/rpcwallet.cpp.
test.each([
	['createrawtransaction', ['[]', {}], -3, 'Expected type array, got string'],
	['createrawtransaction', [[], null], -8, 'Invalid parameter, arguments 1 and 2 must be non-null'],
	['createrawtransaction', [[], {}, 4294967296], -8, 'Invalid parameter, locktime out of range'],
	[
		'createrawtransaction',
		[[{ vout: 0 }], {}, null, 500_000_000],
		-8,
		'Invalid parameter, expiryheight must be nonnegative and less than 500000000.'
	],
	[
		'createrawtransaction',
		[[], { '6a': 1 }],
		-5,
		'Invalid script: 6a (only P2PKH, P2PK and P2SH scripts are allowed)'
	],
	['gettxoutproof', [[]], -5, 'Transaction not yet in block'],
	['gettxoutproof', [[NOWHERE, OTHER, OTHER]], -8, `Invalid parameter, duplicated txid: ${OTHER}`],
	['sendtoaddress', [TO, 0], -3, 'Invalid amount for send'],
	['generate', [1], -32601, 'Mining Disabled'],
	['generate', [2], -32601, 'Mining Enabled'],
	['getnotarypayinfo', [], -1, 'only works for ac_notarypay chains'],
	['getnotarypayinfo', ['7'], -1, /^getnotarypayinfo\n\nReturns/]
] as const)(
	'%s %j is refused as the released daemon refuses it',
	async (method, params, code, message) => {
		const call = net.rpc('ALPHA', method, ...params);
		await expect(call).rejects.toMatchObject({
			code,
			message: typeof message === 'string' ? message : expect.stringMatching(message)
		});
	}
);

test('a lock time and an expiry height that are null are left out', async () => {
	const plain = await net.rpc('ALPHA', 'createrawtransaction', [], { [TO]: 1 });
	expect(await net.rpc('ALPHA', 'createrawtransaction', [], { [TO]: 1 }, null, null)).toBe(plain);
});

test('transactions of two blocks have no proof together', async () => {
	const ids = await Promise.all(
		[1, 2].map(async (height) => {
			const { tx } = await net.rpc<{ tx: string[] }>('ALPHA', 'getblock', String(height));
			return tx[0];
		})
	);
	await expect(net.rpc('ALPHA', 'gettxoutproof', ids)).rejects.toMatchObject({
		code: -5,
		message: '(Not all) transactions not found in specified block'
	});
});
