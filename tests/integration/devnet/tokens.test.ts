import { describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

interface Built {
	result: string;
	hex?: string;
	error?: string;
}

const build = (method: string, ...params: unknown[]): Promise<Built> =>
	net.rpc<Built>('ALPHA', method, ...params);

async function create(name: string, supply: string, ...more: string[]): Promise<string> {
	const { hex } = await build('tokencreate', name, supply, ...more);
	const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await net.control.mine('ALPHA');
	return tokenid;
}

const balance = async (tokenid: string, pubkey?: string): Promise<number> =>
	(
		await net.rpc<{ balance: number }>(
			'ALPHA',
			'tokenbalance',
			tokenid,
			...(pubkey === undefined ? [] : [pubkey])
		)
	).balance;

const betaKey = (): string => net.chains.get('BETA')!.pubkey;

describe('the life of a token', () => {
	test('it is created, listed, transferred in part, and the rest comes back as change', async () => {
		const { hex } = await build('tokencreate', 'LIFE', '0.00001000', 'A token with a life');
		const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toEqual({
			result: 'error',
			error: 'the transaction is still in mempool'
		});
		expect(await balance(tokenid)).toBe(0);
		await net.control.mine('ALPHA');
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toEqual({
			result: 'success',
			tokenid,
			owner: net.chains.get('ALPHA')!.pubkey,
			name: 'LIFE',
			supply: 1000,
			description: 'A token with a life'
		});
		expect(await net.rpc<string[]>('ALPHA', 'tokenlist')).toContain(tokenid);
		const sent = await build('tokentransfer', tokenid, betaKey(), '250');
		await net.rpc('ALPHA', 'sendrawtransaction', sent.hex);
		// The only token output is spent and its change is not confirmed yet.
		expect(await balance(tokenid)).toBe(0);
		await net.control.mine('ALPHA');
		expect(await balance(tokenid)).toBe(750);
		expect(await balance(tokenid, betaKey())).toBe(250);
	});

	test('a non-fungible token keeps its data and moves as a whole', async () => {
		const tokenid = await create('DEED', '0.00000001', 'One of a kind', 'f1c0ffee');
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({
			supply: 1,
			data: 'f1c0ffee'
		});
		const sent = await build('tokentransfer', tokenid, betaKey(), '1');
		await net.rpc('ALPHA', 'sendrawtransaction', sent.hex);
		await net.control.mine('ALPHA');
		expect(await balance(tokenid)).toBe(0);
		expect(await balance(tokenid, betaKey())).toBe(1);
	});

	test('each method about it begins its object with the result success', async () => {
		const built = await build('tokencreate', 'FIRST', '0.00000100', 'd');
		const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', built.hex);
		await net.control.mine('ALPHA');
		const answers = [
			built,
			await build('tokentransfer', tokenid, betaKey(), '1'),
			await build('tokeninfo', tokenid),
			await build('tokenbalance', tokenid),
			await build('tokenaddress')
		];
		for (const answer of answers) {
			expect(Object.entries(answer)[0]).toEqual(['result', 'success']);
		}
	});

	test('data for which no module vouches makes a token that can never move', async () => {
		const tokenid = await create('STUCK', '0.00000001', 'No module', '01c0ffee');
		const sent = await build('tokentransfer', tokenid, betaKey(), '1');
		await expect(net.rpc('ALPHA', 'sendrawtransaction', sent.hex)).rejects.toMatchObject({
			code: -26,
			message: expect.stringContaining('16: mandatory-script-verify-flag-failed')
		});
	});
});

describe('what the builders refuse', () => {
	test.each<[string[], string]>([
		[['', '1'], 'Token name must not be empty and up to 32 characters'],
		[['x'.repeat(33), '1'], 'Token name must not be empty and up to 32 characters'],
		[['Z', '0'], 'Token supply must be positive'],
		[['Z', 'abc'], 'Token supply must be positive'],
		[['Z', '1', 'd'.repeat(4097)], 'Token description must be <= 4096 characters'],
		[['Z', '0.00000001', 'd', 'zz'], 'Non-fungible data incorrect'],
		[['Z', '0.00000002', 'd', 'f1ab'], 'for non-fungible tokens tokensupply should be equal to 1'],
		[['Z', '9999999'], 'cant find normal inputs']
	])('tokencreate answers: $1', async (params, error) => {
		expect(await build('tokencreate', ...params)).toEqual({ result: 'error', error });
	});

	test('tokentransfer names what is wrong with it', async () => {
		const [tokenid] = await net.rpc<string[]>('ALPHA', 'tokenlist');
		const cases: [unknown[], string][] = [
			[['0'.repeat(64), betaKey(), '1'], 'invalid tokenid'],
			[['zz', betaKey(), '1'], 'invalid tokenid'],
			[[tokenid, betaKey(), '0'], 'amount must be positive'],
			[[tokenid, betaKey(), '-1'], 'amount must be positive'],
			[['ab'.repeat(32), betaKey(), '1'], 'no token inputs']
		];
		for (const [params, error] of cases) {
			expect(await build('tokentransfer', ...params)).toEqual({ result: 'error', error });
		}
	});
});

describe('a daemon that is not set up for crypto-conditions', () => {
	test.each<[string, (isThere: boolean) => Promise<unknown>]>([
		['-pubkey', (isThere) => net.control.wallet('ALPHA', { hasPubkey: isThere })],
		['-addressindex', (isThere) => net.control.buildingIndexes('ALPHA', { addressIndex: isThere })],
		['-spentindex', (isThere) => net.control.buildingIndexes('ALPHA', { spentIndex: isThere })]
	])('refuses all of them without %s, with texts that do not name it', async (_, set) => {
		const [tokenid] = await net.rpc<string[]>('ALPHA', 'tokenlist');
		const tokens =
			'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet\n';
		const burns =
			'You need to set -pubkey, or run setpukbey RPC, or imports are disabled on this chain.';
		const calls: [string, string, unknown[]][] = [
			[tokens, 'tokencreate', ['Z', '1']],
			[tokens, 'tokentransfer', [tokenid, betaKey(), '1']],
			[tokens, 'tokenbalance', [tokenid]],
			[tokens, 'tokeninfo', [tokenid]],
			[tokens, 'tokenlist', []],
			[tokens, 'tokenaddress', []],
			[burns, 'migrate_createburntransaction', ['BETA', 'R', '1']],
			[burns, 'migrate_createburntransaction', ['BETA', betaKey(), '1', tokenid]],
			// A wrong number of parameters is reported first, but `tokenbalance` checks only for too many.
			['tokenlist\n', 'tokenlist', ['x']],
			[tokens, 'tokenbalance', []]
		];
		await set(false);
		try {
			for (const [message, method, params] of calls) {
				await expect(net.rpc('ALPHA', method, ...params)).rejects.toMatchObject({
					code: -1,
					message
				});
			}
		} finally {
			await set(true);
		}
	});
});

describe('the traps of the daemon', () => {
	test('a burn of a token pays its fee from one output, and gives back what that has more', async () => {
		const tokenid = await create('FEE', '0.00000010');
		const { daemons } = await net.control.state();
		const { address } = daemons.find(({ id }) => id === 'ALPHA')!;
		const burnWith = async (satoshi: number): Promise<number[]> => {
			await net.rpc('ALPHA', 'sendtoaddress', address, satoshi / 1e8);
			await net.control.mine('ALPHA');
			const unspent = await net.rpc<{ amount: number }[]>('ALPHA', 'listunspent');
			const others = unspent.filter(({ amount }) => Math.round(amount * 1e8) !== satoshi);
			await net.rpc('ALPHA', 'lockunspent', false, others);
			try {
				const method = 'migrate_createburntransaction';
				const { BurnTxHex } = await net.rpc<{ BurnTxHex: string }>(
					'ALPHA',
					method,
					'BETA',
					betaKey(),
					'10',
					tokenid
				);
				const { vout } = await net.rpc<{ vout: { valueZat: number }[] }>(
					'ALPHA',
					'decoderawtransaction',
					BurnTxHex
				);
				return vout.map(({ valueZat }) => valueZat);
			} finally {
				await net.rpc('ALPHA', 'lockunspent', true, others);
			}
		};
		await expect(burnWith(9_999)).rejects.toMatchObject({
			message: 'No normal input found for two txfee\n'
		});
		expect(await burnWith(10_000)).toEqual([10, 10_000]);
		expect(await burnWith(15_000)).toEqual([10, 5_000, 10_000]);
	});

	test('an amount is read as a float and cut: 1.15 coins lose a satoshi', async () => {
		const units = async (supply: string): Promise<number> => {
			const tokenid = await create('CUT', supply);
			return (await net.rpc<{ supply: number }>('ALPHA', 'tokeninfo', tokenid)).supply;
		};
		expect(await units('1.15')).toBe(114_999_999);
		expect(await units('1.150000005')).toBe(115_000_000);
		expect(await units('1,15')).toBe(100_000_000);
	});

	test('decimals of units are cut', async () => {
		const tokenid = await create('UNITS', '0.00000010');
		const { hex } = await build('tokentransfer', tokenid, betaKey(), '1.9');
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		expect(await balance(tokenid, betaKey())).toBe(1);
	});

	test('a recipient that is no key is answered with success and an output that nobody can open', async () => {
		const tokenid = await create('GONE', '0.00000010');
		const { result, hex } = await build('tokentransfer', tokenid, 'zz', '1');
		expect(result).toBe('success');
		const decoded = await net.rpc<{ vout: { scriptPubKey: { hex: string } }[] }>(
			'ALPHA',
			'decoderawtransaction',
			hex
		);
		expect(decoded.vout[0]!.scriptPubKey.hex).toContain('9a7efefee42c763cae28dbb9dcea0d32');
	});

	test('a locked wallet gives success and an empty hex', async () => {
		const tokenid = await create('LOCKED', '0.00000010');
		await net.control.wallet('ALPHA', { locked: true });
		expect(await build('tokentransfer', tokenid, betaKey(), '1')).toEqual({
			result: 'success',
			hex: ''
		});
		expect(await build('tokencreate', 'LOCKED', '0.00000010')).toEqual({
			result: 'error',
			error: ''
		});
		const { address } = (await net.control.state()).daemons.find((d) => d.id === 'BETA')!;
		expect(
			await net.rpc('ALPHA', 'migrate_createburntransaction', 'BETA', address, '1')
		).toMatchObject({ BurnTxHex: '' });
		await net.control.wallet('ALPHA', { locked: false });
	});

	test('a wallet without the key of its pubkey signs nothing', async () => {
		await net.control.wallet('ALPHA', { hasKey: false });
		expect(await build('tokencreate', 'NOKEY', '0.00000010')).toMatchObject({ result: 'error' });
		await net.control.wallet('ALPHA', { hasKey: true });
	});
});
