import bitcoinMessage from 'bitcoinjs-message';
import { callFailed } from '../calls/failure.ts';
import { hashMessage, recoverAddress } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import type { KdfResult } from '#lib/rpc/kdf/index.ts';
import { readCoins, type Coin } from '../coins/parse.ts';
import { COUNTED_NOTHING } from './addressListing.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { createSigning, type Signing } from './signing.ts';
import { addressOfKeyHash, isAddressOf, keyHashOf } from '../coins/keyAddresses.ts';
import { readPath } from './signingPath.ts';
import { verify } from './verifySignature.ts';

const { coins } = readCoins([
	{
		coin: 'KMD',
		protocol: { type: 'UTXO' },
		pubtype: 60,
		sign_message_prefix: 'Komodo Signed Message:\n',
		derivation_path: "m/44'/141'"
	},
	{
		coin: 'BCH',
		protocol: { type: 'BCH' },
		address_format: { format: 'cashaddress', network: 'bitcoincash' },
		sign_message_prefix: 'Bitcoin Signed Message:\n'
	},
	{ coin: 'ETH', protocol: { type: 'ETH' }, sign_message_prefix: 'Ethereum Signed Message:\n' },
	{ coin: 'NOPFX', protocol: { type: 'UTXO' } }
]);
const coin = (ticker: string): Coin => coins.find((one) => one.ticker === ticker)!;

const KMD_ADDRESS = 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW';
const KMD_SIGNATURE =
	'HzetbqVj9gnUOznon9bvE61qRlmjH5R+rNgkxu8uyce3UBbOu+2aGh7r/GGSVFGZjRnaYC60hdwtdirTKLb7bE4=';
const BITCOIN_SIGNATURE =
	'HzNH58Xd+orz5jKewdH88/cGOVmsK6tTDEsJSag3pmVWMdjlw7gB6N6cNgRtWaeJIadsqQmhwv8DHWIjqGzOoE8=';
const ETH_ADDRESS = '0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29';
const ETH_SIGNATURE =
	'0xcdf11a9c4591fb7334daa4b21494a2590d3f7de41c7d2b333a5b61ca59da9b311b492374cc0ba4fbae53933260fa4b1c18f15d95b694629a7b0620eec77a938600';

// KDF 2.5.1: test vectors of KDF, and one of the public documentation.
it.each([
	['KMD', KMD_ADDRESS, 'test', KMD_SIGNATURE],
	['KMD', 'doc1qqk4t2dppvmu9jja0z7nan0h464n5gve8z592yd', 'test', KMD_SIGNATURE],
	['KMD', 'rck1qqk4t2dppvmu9jja0z7nan0h464n5gve8h7nhay', 'test', KMD_SIGNATURE],
	['BCH', 'bitcoincash:qqz64df5y9n0sk2t4ut60kd77h2kw3pnyursltctnw', 'test', BITCOIN_SIGNATURE],
	['BCH', 'slptest:qqz64df5y9n0sk2t4ut60kd77h2kw3pnyuukuhqtx0', 'test', BITCOIN_SIGNATURE],
	[
		'KMD',
		'RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56',
		'test',
		'ICnkSvQkAurwLvK6RYtCItrWMOS4ESjCf4GKp1DvBM8Xc2+dxM4si6NcSb0JJaJajYhPkwg5yWHmgR/9AmGB0KE='
	],
	[
		'KMD',
		'RUYJYSTuCKm9gouWzQN1LirHFEYThwzA2d',
		'Between subtle shading and the absence of light lies the nuance illusion',
		'H43eTmJxBKEPiHkrCe/8NsRidkKCIkXDxLyp30Ez/RwoApGdg89Hlvj9mTMSPGp8om5297zvdL8EVx3IdIe2swY='
	],
	[
		'KMD',
		KMD_ADDRESS,
		'',
		'ILDtWM072/o9zv+k9L+uhC/lPYIoKZ70ejiwa49YKfRKe2r9H71VeNcPtaq8AKHb34Wp5HlM/gxr6EjJ66GKen8='
	],
	[
		'KMD',
		KMD_ADDRESS,
		'grüße €',
		'IKpn6z4ZxfX+qKuslZLwD4O/8NSJqJVLNkm89QGkfxI0cNcIxqM4cStKOQGZA24YFFsIUiYC5li4kWZDE8Pk9ug='
	],
	[
		'KMD',
		KMD_ADDRESS,
		'a'.repeat(300),
		'H4QKbMnnkg/Ddc/x5xIsJE5rMVLwj8+DQvuea+B3E9O+XFNJ2ovotr4Nnqzf7gqV/7q1HD4Jt5yXS76jVslGYVY='
	],
	['ETH', ETH_ADDRESS, 'test', ETH_SIGNATURE],
	['ETH', ETH_ADDRESS.toLowerCase(), 'test', ETH_SIGNATURE]
])('takes a good signature of %s by %s', (ticker, address, message, signature) => {
	expect(verify(coin(ticker), address, message, signature)).toEqual({ kind: 'valid' });
});

it('agrees with independent libraries', async () => {
	const prefix = '\u0017Komodo Signed Message:\n';
	expect(bitcoinMessage.verify('test', KMD_ADDRESS, KMD_SIGNATURE, prefix)).toBe(true);
	const common = `${ETH_SIGNATURE.slice(0, -2)}1b` as const;
	expect(
		await recoverAddress({ hash: hashMessage('test'), signature: common as `0x${string}` })
	).toBe(ETH_ADDRESS);
});

it('names the signer of what another address signed, and says which text cannot be read', () => {
	expect(verify(coin('KMD'), 'RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56', 'test', KMD_SIGNATURE)).toEqual({
		kind: 'other',
		signer: KMD_ADDRESS
	});
	expect(verify(coin('KMD'), KMD_ADDRESS, 'test ', KMD_SIGNATURE).kind).toBe('other');
	for (const [ticker, address, signature, field] of [
		['KMD', 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMV', KMD_SIGNATURE, 'address'],
		['KMD', '', KMD_SIGNATURE, 'address'],
		['KMD', 'x'.repeat(500), KMD_SIGNATURE, 'address'],
		['KMD', KMD_ADDRESS, 'not base64!', 'signature'],
		['KMD', KMD_ADDRESS, 'AAAA', 'signature'],
		['KMD', KMD_ADDRESS, Buffer.alloc(65).toString('base64'), 'signature'],
		['ETH', KMD_ADDRESS, ETH_SIGNATURE, 'address'],
		['ETH', ETH_ADDRESS, '0x12', 'signature'],
		['NOPFX', KMD_ADDRESS, KMD_SIGNATURE, 'coin']
	] as const) {
		expect(
			verify(coin(ticker), address, 'test', signature),
			`${ticker} ${address} ${signature}`
		).toMatchObject({ kind: 'unreadable', fault: { field } });
	}
	// A script cannot sign: its address has no key.
	const script = 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq';
	expect(keyHashOf(script, coin('KMD'))).toBeNull();
});

it('reads a path, or says how one is written', () => {
	expect(readPath(' ')).toEqual({ ok: true, path: null });
	expect(readPath("m/44'/141'/0'/0/1")).toEqual({ ok: true, path: "m/44'/141'/0'/0/1" });
	for (const text of ['44/141', 'm/', "m/44'/x", 'm/44h/0'])
		expect(readPath(text), text).toEqual({ ok: false, fault: 'path' });
});

/** A node that answers with the given values, or refuses. */
const port = (answers: Readonly<Record<string, unknown>>): KdfPort => ({
	call(_node, method) {
		const answer = answers[method];
		if (answer === undefined) throw new Error(`unexpected ${method}`);
		const { failure } = answer as { failure?: Failure };
		return failure === undefined
			? Promise.resolve(answer as KdfResult<typeof method>)
			: Promise.reject(callFailed(failure));
	}
});
const refusal = (type: string | null, message: string, data: string | null = null) => ({
	failure: { kind: 'refused' as const, type, message, data }
});

it('gives back what was counted of a signature only where nothing went out', async () => {
	const message = '';
	const given: string[] = [];
	for (const [kind, type] of [
		['away', null],
		['password', null],
		['switched-off', null],
		['refused', 'UnknownNode'],
		['unsure', null],
		['misfit', null],
		['refused', null],
		['refused', 'InvalidRequest']
	] as const) {
		const failure = { kind, type, message, data: null };
		const signing = createSigning({ call: () => Promise.reject(callFailed(failure)) });
		await signing.sign('n', coin('KMD'), 'test', null, null, null, () => {
			given.push(type ?? kind);
			return Promise.resolve();
		});
	}
	expect(given).toEqual(['away', 'password', 'switched-off', 'UnknownNode']);
});

it('gives back what was counted of each kind of listing that did not leave', async () => {
	const unlisted = {
		path: 'm',
		account: 1,
		chain: 'External',
		more: 2,
		isNewAccount: true
	} as const;
	const lost = (kind: 'away' | 'unsure' | 'refused', type: string | null = null) => ({
		failure: { kind, type, message: '', data: null }
	});
	const address = { address: 'R', derivation_path: 'n', chain: 'External', balance: {} };
	const task = { task_id: 1 };
	const made = { status: 'Ok', details: {} };
	for (const [account, addresses, back] of [
		[lost('away'), null, ['account', 'addresses']],
		[lost('refused', 'LocalHostOnly'), null, ['account', 'addresses']],
		[lost('refused', 'UnknownNode'), null, ['account', 'addresses']],
		[lost('unsure'), null, ['addresses']],
		[task, lost('away'), ['addresses']],
		[task, lost('unsure'), []],
		[task, { new_address: address }, []]
	] as const) {
		const given: string[] = [];
		const giveBack = (what: string) => () => {
			given.push(what);
			return Promise.resolve();
		};
		const signing = createSigning(
			port({
				'task::create_new_account::init': account,
				'task::create_new_account::status': made,
				get_new_address: addresses
			})
		);
		await signing.list('n', coin('KMD'), unlisted, {
			account: giveBack('account'),
			addresses: giveBack('addresses')
		});
		expect(given).toEqual(back);
	}
});

it('lists addresses for a minute at a slow node, and says that the rest is still to be listed', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	try {
		let listed = 0;
		const slow = createSigning({
			call: () => {
				listed += 1;
				vi.advanceTimersByTime(25_000);
				const added = {
					address: 'R',
					derivation_path: `m/${listed}`,
					chain: 'External',
					balance: {}
				};
				return Promise.resolve({ new_address: added } as never);
			}
		});
		const far = {
			path: 'm/99',
			account: 0,
			chain: 'External',
			more: 99,
			isNewAccount: false
		} as const;
		const said = await slow.list('n', coin('KMD'), far, COUNTED_NOTHING);
		expect(said).toMatchObject({
			ok: false,
			problem: { code: 'unlisted', failure: { kind: 'unsure' } }
		});
		expect(listed).toBe(3);
	} finally {
		vi.useRealTimers();
	}
});

it('shows the address first, and gives no signature of another one away', async () => {
	const balance = { coin: 'KMD', balance: '1', unspendable_balance: '0', address: KMD_ADDRESS };
	const good = createSigning(
		port({ my_balance: balance, sign_message: { signature: KMD_SIGNATURE } })
	);
	expect(await good.signer('n', coin('KMD'), null)).toEqual({
		ok: true,
		signer: { coin: 'KMD', address: KMD_ADDRESS, path: null, unlisted: null }
	});
	expect(await good.sign('n', coin('KMD'), 'test', null, KMD_ADDRESS)).toEqual({
		ok: true,
		signature: KMD_SIGNATURE,
		address: KMD_ADDRESS,
		path: null
	});
	const other = await good.sign(
		'n',
		coin('KMD'),
		'test',
		null,
		'RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56'
	);
	expect(other).toEqual({
		ok: false,
		problem: {
			code: 'other-signer',
			signer: KMD_ADDRESS,
			expected: 'RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56'
		}
	});

	// An HD wallet: the path and its address, the first one unless another is chosen.
	const at = (index: number, address: string) => ({
		address,
		derivation_path: `m/44'/141'/0'/0/${index}`,
		chain: 'External',
		balance: {}
	});
	const many = createSigning(
		port({
			my_balance: refusal(null, "'my_address' is deprecated for HD wallets"),
			account_balance: { addresses: [at(0, 'RFirst'), at(1, 'RSecond')] }
		})
	);
	expect(await many.signer('n', coin('KMD'), null)).toMatchObject({
		signer: { address: 'RFirst', path: "m/44'/141'/0'/0/0" }
	});
	expect(await many.signer('n', coin('KMD'), "m/44'/141'/0'/0/1")).toMatchObject({
		signer: { address: 'RSecond', path: "m/44'/141'/0'/0/1" }
	});
	expect(await many.signer('n', coin('KMD'), "m/44'/2'/0'/0/1")).toMatchObject({
		signer: { address: null }
	});
});

it('finds the address of any path before it signs, where the node can tell it', async () => {
	const calls: [string, unknown][] = [];
	const nodes = {
		call: (_node: string, method: string, params: unknown) => {
			calls.push([method, params]);
			const answers: Record<string, unknown> = {
				account_balance: { addresses: [], total: 0 },
				get_my_address: { wallet_address: '0xUnlisted' }
			};
			return Promise.resolve(answers[method]);
		}
	} as unknown as KdfPort;
	const evm = { ...coin('KMD'), protocol: 'ETH', derivationPath: "m/44'/60'" };
	expect(await createSigning(nodes).signer('n', evm, "m/44'/60'/0'/1/250")).toMatchObject({
		signer: { address: '0xUnlisted', path: "m/44'/60'/0'/1/250" }
	});
	expect(calls).toEqual([
		['account_balance', expect.objectContaining({ paging_options: { PageNumber: 3 } })],
		[
			'get_my_address',
			{ coin: 'KMD', path_to_address: { account_id: 0, chain: 'Internal', address_id: 250 } }
		]
	]);
});

it('signs with an address that the node does not tell in time, and says of a node that is away that it is', async () => {
	const failed = (kind: Failure['kind']) => ({
		failure: { kind, type: null, message: '', data: null }
	});
	const many = refusal(null, "'my_address' is deprecated for HD wallets");
	const at = "m/44'/141'/0'/0/1";
	for (const [answers, path] of [
		[{ my_balance: failed('unsure') }, null],
		[{ my_balance: many, account_balance: failed('unsure') }, null],
		[{ account_balance: failed('unsure') }, at]
	] as const) {
		const signing = createSigning(port({ ...answers, sign_message: { signature: KMD_SIGNATURE } }));
		expect(await signing.signer('n', coin('KMD'), path)).toEqual({
			ok: true,
			signer: { coin: 'KMD', address: null, path, unlisted: null }
		});
		expect(await signing.sign('n', coin('KMD'), 'test', path, null)).toMatchObject({
			ok: true,
			address: KMD_ADDRESS
		});
	}
	for (const [answers, path] of [
		[{ my_balance: failed('away') }, null],
		[{ account_balance: failed('away') }, at]
	] as const) {
		const found = await createSigning(port(answers)).signer('n', coin('KMD'), path);
		expect(found).toMatchObject({
			ok: false,
			problem: { code: 'unsigned', failure: { kind: 'away' } }
		});
	}
});

describe('an address that the wallet does not list', () => {
	const PATH = "m/44'/141'/0'/0/2";
	const at = (index: number, side: 0 | 1 = 0) => ({
		address: `R${side}${index}`,
		derivation_path: `m/44'/141'/0'/${side}/${index}`,
		chain: side === 0 ? 'External' : 'Internal',
		balance: {}
	});

	/** A wallet whose account 0 lists some addresses; other accounts have to be created. */
	function wallet(known = 1) {
		const accounts = new Map([[0, known]]);
		const calls: string[] = [];
		const refused = (type: string) =>
			Promise.reject(callFailed({ kind: 'refused', type, message: type, data: null }));
		const nodes = {
			call: (_node: string, method: string, params: { [name: string]: number | string }) => {
				calls.push(method);
				const account = Number(params['account_index'] ?? params['account_id']);
				const side = params['chain'] === 'Internal' ? 1 : 0;
				const total = side === 1 ? 0 : accounts.get(account);
				switch (method) {
					case 'account_balance':
						if (total === undefined) return refused('UnknownAccount');
						return Promise.resolve({
							addresses: Array.from({ length: total }, (_, n) => at(n)),
							total
						});
					case 'task::create_new_account::init':
						accounts.set(account, 0);
						return Promise.resolve({ task_id: 1 });
					case 'task::create_new_account::status':
						return Promise.resolve({ status: 'Ok', details: {} });
					case 'get_new_address': {
						const next = total ?? 0;
						accounts.set(account, next + 1);
						const path = `m/44'/141'/${account}'/${side}/${next}`;
						return Promise.resolve({ new_address: { ...at(next), derivation_path: path } });
					}
				}
				return Promise.reject(new Error(method));
			}
		} as unknown as KdfPort;
		return { calls, signing: createSigning(nodes) };
	}
	async function unlistedAt(signing: Signing, path: string) {
		const found = await signing.signer('n', coin('KMD'), path);
		return found.ok ? found.signer : null;
	}

	it('is listed by the node before it signs, and known from then on', async () => {
		const { signing, calls } = wallet();
		const signer = await unlistedAt(signing, PATH);
		expect(signer).toEqual({
			coin: 'KMD',
			address: null,
			path: PATH,
			unlisted: { path: PATH, account: 0, chain: 'External', more: 2, isNewAccount: false }
		});
		expect(await signing.list('n', coin('KMD'), signer!.unlisted!, COUNTED_NOTHING)).toEqual({
			ok: true
		});
		expect(calls.filter((method) => method === 'get_new_address')).toHaveLength(2);
		expect(await unlistedAt(signing, PATH)).toMatchObject({ address: 'R02', unlisted: null });
	});

	it('is listed in an account that is made for it', async () => {
		const { signing, calls } = wallet();
		const path = "m/44'/141'/3'/0/0";
		const unlisted = (await unlistedAt(signing, path))?.unlisted;
		expect(unlisted).toMatchObject({ account: 3, more: 1, isNewAccount: true });
		expect(await signing.list('n', coin('KMD'), unlisted!, COUNTED_NOTHING)).toEqual({ ok: true });
		expect(calls).toContain('task::create_new_account::init');
	});

	it('is left unknown where too many would have to be listed, or the path is of another form', async () => {
		const { signing } = wallet();
		for (const path of ["m/44'/141'/0'/0/900", "m/44'/141'/0'/5/0", "m/44'/2'/0'/0/0"]) {
			expect(await unlistedAt(signing, path)).toMatchObject({ address: null, unlisted: null });
		}
		expect(await unlistedAt(signing, "m/44'/141'/0'/1/4")).toMatchObject({
			unlisted: { chain: 'Internal', more: 5 }
		});
	});

	it('stays unlisted where the node lists no more, and says why', async () => {
		const signing = createSigning(
			port({ get_new_address: refusal('EmptyAddressesLimitReached', 'Last 20 are unused') })
		);
		const unlisted = { path: PATH, account: 0, chain: 'External', more: 2, isNewAccount: false };
		expect(
			await signing.list(
				'n',
				coin('KMD'),
				unlisted as Parameters<Signing['list']>[2],
				COUNTED_NOTHING
			)
		).toMatchObject({
			ok: false,
			problem: { code: 'unlisted', failure: { type: 'EmptyAddressesLimitReached' } }
		});
	});
});

it('shows no signature that cannot be read, whatever address was shown before', async () => {
	const signing = createSigning(port({ sign_message: { signature: 'no signature' } }));
	for (const expected of [null, KMD_ADDRESS]) {
		const signed = await signing.sign('n', coin('KMD'), 'test', null, expected);
		expect(signed).toEqual({ ok: false, problem: { code: 'unreadable-signature' } });
	}
});

it('writes the address of a key with both of its first bytes where the coin has two', () => {
	const [zcash] = readCoins([
		{ coin: 'ZEC', protocol: { type: 'UTXO' }, taddr: 28, pubtype: 184, p2shtype: 189 }
	]).coins;
	const hash = keyHashOf(KMD_ADDRESS, coin('KMD'))!;
	const address = addressOfKeyHash(hash, zcash!);
	expect(address).toMatch(/^t1.{33}$/);
	expect(keyHashOf(address, zcash!)).toEqual(hash);
});

it('writes the address of a key as the coin does: SegWit where it has such addresses', () => {
	const segwit = {
		...coin('KMD'),
		addressFormat: { format: 'segwit', network: undefined },
		bech32Prefix: 'doc'
	};
	const hash = keyHashOf(KMD_ADDRESS, coin('KMD'))!;
	expect(addressOfKeyHash(hash, segwit)).toBe('doc1qqk4t2dppvmu9jja0z7nan0h464n5gve8z592yd');
	expect(addressOfKeyHash(hash, coin('KMD'))).toBe(KMD_ADDRESS);
});

it('writes the address of an SLP token as its platform does', async () => {
	const token = (coin: string, platform: string, more: object = {}) => ({
		coin,
		protocol: { type: 'SLPTOKEN', protocol_data: { platform, token_id: 'ab', decimals: 8 } },
		sign_message_prefix: 'Bitcoin Signed Message:\n',
		...more
	});
	const platform = (coin: string, slp_prefix: string) => ({
		coin,
		protocol: { type: 'BCH', protocol_data: { slp_prefix } }
	});
	const { coins } = readCoins([
		token('USDF-TEST', 'tBCH'),
		token('SPICE', 'BCH'),
		token('LOST', 'GONE'),
		token('LOST-TEST', 'GONE', { is_testnet: true }),
		platform('BCH', 'simpleledger'),
		platform('tBCH', 'slptest')
	]);
	const signing = createSigning(port({ sign_message: { signature: BITCOIN_SIGNATURE } }));
	const addresses = coins.slice(0, 4).map(async (one) => {
		const signed = await signing.sign('n', one, 'test', null, null);
		return signed.ok ? signed.address : null;
	});
	const main = 'simpleledger:qqz64df5y9n0sk2t4ut60kd77h2kw3pnyu';
	const test = 'slptest:qqz64df5y9n0sk2t4ut60kd77h2kw3pnyuukuhqtx0';
	expect(await Promise.all(addresses)).toEqual([
		test,
		expect.stringContaining(main),
		expect.stringContaining(main),
		test
	]);
});

it('writes and reads addresses with the check sum of the coin, where it has one of its own', () => {
	const { coins } = readCoins([
		{ coin: 'GRS', protocol: { type: 'UTXO' }, pubtype: 36, p2shtype: 5 },
		{ coin: 'SMART', protocol: { type: 'UTXO' }, pubtype: 63, p2shtype: 18 }
	]);
	const [grs, smart] = coins;
	// The first Groestlcoin address in the tests of a maker of hardware wallets.
	const known = 'Fj62rBJi8LvbmWu2jzkaUX1NFXLEqDLoZM';
	expect(addressOfKeyHash(keyHashOf(known, grs!)!, grs!)).toBe(known);
	expect(keyHashOf(known, coin('KMD'))).toBeNull();
	const hash = keyHashOf(KMD_ADDRESS, coin('KMD'))!;
	const address = addressOfKeyHash(hash, smart!);
	expect(keyHashOf(address, smart!)).toEqual(hash);
	expect(keyHashOf(address, coin('KMD'))).toBeNull();
});

it('tells an address of the coin from one of another chain, and passes what it cannot tell', () => {
	const kmd = coin('KMD');
	const hash = keyHashOf(KMD_ADDRESS, kmd)!;
	expect(isAddressOf(KMD_ADDRESS, kmd)).toBe(true);
	// The same key on chains with other address prefixes, in SegWit, and as a script.
	for (const pubtype of [0, 48, 85]) {
		expect(isAddressOf(addressOfKeyHash(hash, { ...kmd, pubtype }), kmd)).toBe(false);
	}
	const segwit = { ...kmd, bech32Prefix: 'rck', addressFormat: { format: 'segwit' } };
	const written = addressOfKeyHash(hash, segwit);
	expect([isAddressOf(written, kmd), isAddressOf(written, segwit)]).toEqual([false, true]);
	const cash = (network: string) => ({
		...kmd,
		addressFormat: { format: 'cashaddress', network }
	});
	for (const network of ['bitcoincash', 'bchtest']) {
		const own = addressOfKeyHash(hash, cash(network));
		expect(['bitcoincash', 'bchtest'].filter((one) => isAddressOf(own, cash(one)))).toEqual([
			network
		]);
	}
	expect(isAddressOf('not an address', kmd)).toBe(false);
	expect(isAddressOf('zs1anything', { ...kmd, protocol: 'ZHTLC' })).toBe(true);
	const eth = coin('ETH');
	const address = '0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29';
	expect(isAddressOf(address, eth)).toBe(true);
	expect(isAddressOf(address.toLowerCase(), eth)).toBe(true);
	expect(isAddressOf(address.replace('bAB', 'Bab'), eth)).toBe(false);
	expect(isAddressOf(KMD_ADDRESS, eth)).toBe(false);
});
