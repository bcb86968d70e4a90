import { describe, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex, concat } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccNode,
	EVAL,
	nftScript,
	tokenScript,
	TOKENS_GLOBAL_PUBKEY
} from '#lib/chain/cryptocondition.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { publicKeyOf, signDer } from '#lib/chain/key.ts';
import { opReturn, p2pk, p2pkh, pushData } from '#lib/chain/script.ts';
import { signatureHash } from '#lib/chain/sighash.ts';
import { signInput } from '#lib/chain/sign.ts';
import { tokenCreateScript, tokenTransferScript, type TokenBlob } from '#lib/chain/token.ts';
import {
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { readBuilt, reviewCreate, reviewTransfer, type Parents } from './verifyTransaction.ts';
import { isTransactionError, type TransactionError } from './errors.ts';
import type { CreateRequest, TransferRequest } from './request.ts';

interface Key {
	priv: Uint8Array;
	pub: Uint8Array;
	hex: string;
}

function keyOf(name: string): Key {
	const priv = sha256(new TextEncoder().encode(name));
	const pub = publicKeyOf(priv);
	return { priv, pub, hex: bytesToHex(pub) };
}

const OWN = keyOf('own');
const WALLET = { pubkey: OWN.hex, chain: 'ALPHA' };
const BOB = keyOf('bob');
const MALLORY = keyOf('mallory');
const COINS = 500_000_000n;

/** A transaction whose inputs are not signed. */
const draft = (vin: readonly [Transaction, number][], vout: readonly TxOut[]): Transaction =>
	transparent({
		vin: vin.map(([tx, index]) => unsignedInput(txidOf(tx), index)),
		vout: [...vout],
		expiryHeight: 300
	});

const hexOf = (tx: Transaction): string => bytesToHex(serializeTransaction(tx));

/** Coins of the own key, both forms of script. */
const FUNDS = draft(
	[],
	[
		{ value: COINS, script: p2pk(OWN.pub) },
		{ value: COINS, script: p2pkh(hash160(OWN.pub)) }
	]
);

/** Signs each input; for units, the eval code of non-fungible data selects the condition. */
function signed(
	tx: Transaction,
	parents: readonly Transaction[],
	key: Key = OWN,
	code?: number
): Transaction {
	const known = parentsOf(parents);
	return tx.vin.reduce((done, { txid, vout }, index) => {
		const output = known.get(txid)!.vout[vout]!;
		const condition = code === undefined ? undefined : ccNode([key.pub], [code, EVAL.tokens]);
		const plain = output.script.at(-1) !== 0xcc;
		return signInput(done, index, output, key.priv, plain ? undefined : condition);
	}, tx);
}

const parentsOf = (txs: readonly Transaction[]): Parents =>
	new Map(txs.map((tx) => [txidOf(tx), tx]));

function refusal(act: () => unknown): { code: TransactionError['code']; message: string } {
	try {
		act();
	} catch (error) {
		if (!isTransactionError(error)) throw error;
		expect(error.message).toContain('Nothing was sent');
		return { code: error.code, message: error.message };
	}
	throw new Error('nothing was refused');
}

const flipByte = (hex: string, at: number): string =>
	hex.slice(0, 2 * at) +
	(parseInt(hex.slice(2 * at, 2 * at + 2), 16) ^ 1).toString(16).padStart(2, '0') +
	hex.slice(2 * at + 2);

describe('a built creation', () => {
	const SUPPLY = 115_000_000n;
	const REQUEST: CreateRequest = {
		kind: 'token-create',
		name: 'TOK',
		description: 'ein Stück 🦄',
		supply: SUPPLY,
		data: ''
	};

	interface Parts {
		vin: readonly [Transaction, number][];
		marker: TxOut;
		units: TxOut;
		between: readonly TxOut[];
		payload: TxOut;
	}
	const payloadOf = (more: Partial<Parameters<typeof tokenCreateScript>[0]> = {}): TxOut => ({
		value: 0n,
		script: tokenCreateScript({
			owner: OWN.pub,
			name: REQUEST.name,
			description: REQUEST.description,
			blobs: [],
			...more
		})
	});
	const change = (value: bigint, key: Key = OWN): TxOut => ({ value, script: p2pk(key.pub) });
	const LEFT = COINS - SUPPLY - 20_000n;
	const GOOD: Parts = {
		vin: [[FUNDS, 0]],
		marker: { value: 10_000n, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
		units: { value: SUPPLY, script: tokenScript(OWN.pub) },
		between: [change(LEFT)],
		payload: payloadOf()
	};
	function build(more: Partial<Parts> = {}): Transaction {
		const { vin, marker, units, between, payload } = { ...GOOD, ...more };
		const tx = draft(vin, [marker, units, ...between, payload]);
		return signed(
			tx,
			vin.map(([parent]) => parent)
		);
	}
	const review = (tx: Transaction | string, request = REQUEST, parents = parentsOf([FUNDS])) =>
		reviewCreate(typeof tx === 'string' ? tx : hexOf(tx), request, WALLET, parents);

	test('that is what was asked for is told in inputs, outputs and cost', () => {
		const tx = build();
		const found = review(tx);
		expect(found).toMatchObject({
			txid: txidOf(tx),
			size: serializeTransaction(tx).length,
			fee: 10_000n,
			cost: SUPPLY + 20_000n,
			payloadBytes: GOOD.payload.script.length,
			inputs: [
				{
					txid: txidOf(FUNDS),
					vout: 0,
					value: COINS,
					address: addressOfPubkey(OWN.pub),
					meaning: { code: 'input.coins', params: {} }
				}
			]
		});
		expect(found.outputs.map(({ value }) => value)).toEqual([10_000n, SUPPLY, LEFT, 0n]);
		expect(found.outputs[2]).toMatchObject({ address: addressOfPubkey(OWN.pub) });
	});

	test('may spend both forms of own coins, and keep a small rest as fee', () => {
		const vin: Parts['vin'] = [
			[FUNDS, 0],
			[FUNDS, 1]
		];
		expect(review(build({ vin, between: [change(LEFT + COINS)] })).inputs).toHaveLength(2);
		expect(review(build({ between: [change(LEFT - 19_999n)] })).fee).toBe(29_999n);
		expect(review(build({ between: [change(LEFT, OWN)] })).fee).toBe(10_000n);
	});

	test.each([0x02, 0x03, 0x81, 0x82, 0x83])(
		'whose signature binds only a part of it (hash type %i) is refused',
		(hashType) => {
			const tx = build();
			const [{ value, script }] = FUNDS.vout as [TxOut];
			const signature = signDer(signatureHash(tx, 0, script, value, hashType), OWN.priv);
			tx.vin[0]!.scriptSig = pushData(concat(signature, Uint8Array.of(hashType)));
			expect(refusal(() => review(tx)).message).toContain('anyone could change where it pays');
		}
	);

	const stranger = { value: 1n, script: p2pk(MALLORY.pub) };
	test.each<[string, Partial<Parts>, string]>([
		[
			'one unit less (the truncation of the daemon)',
			{ units: { ...GOOD.units, value: SUPPLY - 1n } },
			'114\u202f999\u202f999 base units'
		],
		['one unit more', { units: { ...GOOD.units, value: SUPPLY + 1n } }, 'units'],
		[
			'units of another key',
			{ units: { value: SUPPLY, script: tokenScript(MALLORY.pub) } },
			'not belong to this wallet'
		],
		[
			'units without a condition',
			{ units: { value: SUPPLY, script: p2pk(OWN.pub) } },
			'not belong to this wallet'
		],
		[
			'units under the code of non-fungible data',
			{ units: { value: SUPPLY, script: nftScript(OWN.pub, 0xf1) } },
			'not belong to this wallet'
		],
		[
			'another owner',
			{ payload: payloadOf({ owner: MALLORY.pub }) },
			'another key would be the creator'
		],
		['another name', { payload: payloadOf({ name: 'T0K' }) }, 'name or the description'],
		[
			'another description',
			{ payload: payloadOf({ description: 'ein Stück 🦄!' }) },
			'name or the description'
		],
		[
			'data that nobody asked for',
			{ payload: payloadOf({ blobs: [{ id: 0x11, data: Uint8Array.of(0xf1) }] }) },
			'non-fungible data'
		],
		[
			'a blob of another module',
			{ payload: payloadOf({ blobs: [{ id: 0x81, data: Uint8Array.of(1) }] }) },
			'non-fungible data'
		],
		['no marker', { marker: { ...GOOD.marker, script: p2pk(OWN.pub) } }, 'marker'],
		[
			'the marker of another key',
			{ marker: { value: 10_000n, script: tokenScript(MALLORY.pub) } },
			'marker'
		],
		['a dearer marker', { marker: { ...GOOD.marker, value: 20_000n } }, 'marker'],
		['foreign change', { between: [change(LEFT, MALLORY)] }, 'also pays 3.8498 ALPHA'],
		[
			'foreign change to a hash',
			{ between: [{ value: LEFT, script: p2pkh(hash160(BOB.pub)) }] },
			'also pays'
		],
		['one more output', { between: [change(LEFT - 1n), stranger] }, 'also pays 0.00000001 ALPHA'],
		[
			'change under a condition',
			{ between: [{ value: LEFT, script: tokenScript(OWN.pub) }] },
			'also pays'
		],
		[
			'a second payload',
			{ between: [change(LEFT), { value: 0n, script: opReturn(Uint8Array.of(1)) }] },
			'without an address'
		],
		['no change: all of it is fee', { between: [] }, 'fee would be 3.8499 ALPHA'],
		['a fee of 30000 satoshi', { between: [change(LEFT - 20_000n)] }, 'fee would be 0.0003 ALPHA'],
		['more out than in', { between: [change(LEFT + 10_001n)] }, 'fee would be −0.00000001 ALPHA'],
		['a negative output', { between: [change(LEFT + 5n), change(-5n)] }, 'negative value'],
		['coins on the payload', { payload: { ...payloadOf(), value: 1n } }, 'does not have'],
		[
			'a payload that is none',
			{ payload: { value: 0n, script: opReturn(Uint8Array.of(0xf2, 0x63)) } },
			'does not create a token'
		],
		[
			'the payload of a transfer',
			{
				payload: {
					value: 0n,
					script: tokenTransferScript({
						tokenid: 'ab'.repeat(32),
						destPubkeys: [OWN.pub],
						blobs: []
					})
				}
			},
			'does not create a token'
		]
	])('with %s is a mismatch', (_what, more, words) => {
		const found = refusal(() => review(build(more)));
		expect(found).toMatchObject({ code: expect.stringMatching(/^verification\./) as string });
		expect(found.message).toContain(words);
	});

	test('that spends units of a token as if they were coins is a mismatch', () => {
		const token = build();
		const vin: Parts['vin'] = [[token, 1]];
		const tx = build({
			vin,
			units: { ...GOOD.units, value: 1n },
			between: [change(SUPPLY - 20_001n)]
		});
		const asked = { ...REQUEST, supply: 1n };
		expect(refusal(() => review(tx, asked, parentsOf([token]))).message).toContain(
			'units of a token'
		);
	});

	test.each([0, 1])('that is unsigned at input %i is not sent', (index) => {
		const vin: Parts['vin'] = [
			[FUNDS, 0],
			[FUNDS, 1]
		];
		const tx = build({ vin, between: [change(LEFT + COINS)] });
		tx.vin[index]!.scriptSig = new Uint8Array(0);
		expect(refusal(() => review(tx))).toMatchObject({ code: 'transaction.unsigned' });
	});

	test('without inputs, or an empty hex, is unsigned', () => {
		expect(refusal(() => review(build({ vin: [] })))).toMatchObject({
			code: 'transaction.unsigned'
		});
		expect(refusal(() => review(''))).toMatchObject({ code: 'transaction.unsigned' });
	});

	test('with the signature of another key is a mismatch', () => {
		const tx = build();
		const coins = draft([], [{ value: COINS, script: p2pk(MALLORY.pub) }]);
		const other = signInput(draft([[coins, 0]], tx.vout), 0, coins.vout[0]!, MALLORY.priv);
		tx.vin[0]!.scriptSig = other.vin[0]!.scriptSig;
		expect(refusal(() => review(tx))).toMatchObject({
			code: expect.stringMatching(/^verification\./) as string,
			message: expect.stringContaining('signature of input 1') as string
		});
	});

	test('whose outputs were changed after it was signed is a mismatch', () => {
		const tx = build();
		tx.vout[2]!.value += 1n;
		expect(refusal(() => review(tx)).message).toContain('signature of input 1');
	});

	test('whose inputs are unknown, or told wrongly, is a mismatch', () => {
		const tx = build();
		expect(refusal(() => review(tx, REQUEST, new Map())).message).toContain('unknown');
		const richer = draft([], [{ value: 2n * COINS, script: p2pk(OWN.pub) }]);
		const lie = new Map([[txidOf(FUNDS), richer]]);
		expect(refusal(() => review(tx, REQUEST, lie)).message).toContain('unknown');
		const short = new Map([[txidOf(FUNDS), draft([], [])]]);
		expect(refusal(() => review(tx, REQUEST, short)).message).toContain('unknown');
	});

	test('with a byte flipped anywhere is refused, whatever it says then', () => {
		const hex = hexOf(build());
		for (let at = 0; at < hex.length / 2; at++) {
			expect(refusal(() => review(flipByte(hex, at))).code).toMatch(
				/^verification\.|^transaction\.unsigned$/
			);
		}
	});

	test.each(['00', 'zz', 'f1f', 'deadbeef'])('that reads %s is a mismatch', (hex) => {
		expect(refusal(() => readBuilt(hex))).toMatchObject({
			code: expect.stringMatching(/^verification\./) as string
		});
	});

	test('cut off, or with bytes behind it, is a mismatch', () => {
		const hex = hexOf(build());
		for (const bad of [hex.slice(0, -2), `${hex}00`]) {
			expect(refusal(() => review(bad)).message).toContain('cannot be read');
		}
	});

	test('that touches the shielded pool is a mismatch', () => {
		const tx = { ...build(), valueBalance: 1n };
		expect(refusal(() => readBuilt(hexOf(tx))).message).toContain('shielded');
	});

	describe('of a non-fungible token', () => {
		const data = Uint8Array.of(0xf1, 0xc0, 0xff, 0xee);
		const asked: CreateRequest = { ...REQUEST, supply: 1n, data: 'f1c0ffee' };
		const blob = (bytes: Uint8Array): TokenBlob => ({ id: 0x11, data: bytes });
		const nft = (more: Partial<Parts> = {}): Transaction =>
			build({
				units: { value: 1n, script: nftScript(OWN.pub, 0xf1) },
				between: [change(COINS - 20_001n)],
				payload: payloadOf({ blobs: [blob(data)] }),
				...more
			});

		test('is told like any other', () => {
			expect(review(nft(), asked)).toMatchObject({ cost: 20_001n, fee: 10_000n });
		});

		test.each<[string, Partial<Parts>, string]>([
			['no data', { payload: payloadOf() }, 'non-fungible data'],
			[
				'other data',
				{ payload: payloadOf({ blobs: [blob(Uint8Array.of(0xf1, 1))] }) },
				'non-fungible data'
			],
			[
				'data twice',
				{ payload: payloadOf({ blobs: [blob(data), blob(data)] }) },
				'non-fungible data'
			],
			[
				'the condition of a fungible one',
				{ units: { value: 1n, script: tokenScript(OWN.pub) } },
				'not belong to this wallet'
			],
			[
				'the condition of other data',
				{ units: { value: 1n, script: nftScript(OWN.pub, 0xf3) } },
				'not belong to this wallet'
			]
		])('with %s is a mismatch', (_what, more, words) => {
			expect(refusal(() => review(nft(more), asked)).message).toContain(words);
		});
	});
});

describe.each<[string, string]>([
	['fungible', ''],
	['non-fungible', 'f1c0ffee']
])('a built transfer of a %s token', (_kind, data) => {
	const code = data === '' ? undefined : 0xf1;
	const scriptOf = (key: Pick<Key, 'pub'>): Uint8Array =>
		code === undefined ? tokenScript(key.pub) : nftScript(key.pub, code);
	const creationOf = (name: string): Transaction =>
		draft(
			[[FUNDS, 0]],
			[
				{ value: 10_000n, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
				{ value: 1000n, script: scriptOf(OWN) },
				{
					value: 0n,
					script: tokenCreateScript({ owner: OWN.pub, name, description: '', blobs: [] })
				}
			]
		);
	const TOKEN = creationOf('TOK');
	const OTHER = creationOf('OTHER');
	const TOKENID = txidOf(TOKEN);
	const moveOf = (tokenid: string, keys: readonly Uint8Array[] = [BOB.pub]): Uint8Array =>
		tokenTransferScript({ tokenid, destPubkeys: [...keys], blobs: [] });
	/** Units that came to the own wallet by a transfer. */
	const received = (tokenid: string): Transaction =>
		draft(
			[[FUNDS, 1]],
			[
				{ value: 300n, script: scriptOf(OWN) },
				{ value: 0n, script: moveOf(tokenid, [OWN.pub]) }
			]
		);
	const EARLIER = received(TOKENID);
	const REQUEST: TransferRequest = {
		kind: 'token-transfer',
		tokenid: TOKENID,
		recipient: BOB.hex,
		units: 250n
	};
	const BURN: TransferRequest = {
		...REQUEST,
		kind: 'token-burn',
		recipient: bytesToHex(BURN_PUBKEY)
	};

	interface Parts {
		vin: readonly [Transaction, number][];
		paid: TxOut;
		between: readonly TxOut[];
		payload: TxOut;
	}
	const units = (value: bigint, key: Pick<Key, 'pub'> = OWN): TxOut => ({
		value,
		script: scriptOf(key)
	});
	const coins = (value: bigint, key: Key = OWN): TxOut => ({ value, script: p2pk(key.pub) });
	const LEFT = coins(COINS - 10_000n);
	const payload = (script: Uint8Array): TxOut => ({ value: 0n, script });
	const GOOD: Parts = {
		vin: [
			[FUNDS, 0],
			[TOKEN, 1]
		],
		paid: units(250n, BOB),
		between: [units(750n), LEFT],
		payload: payload(moveOf(TOKENID))
	};
	const ALL = [FUNDS, TOKEN, OTHER, EARLIER, received(txidOf(OTHER))];
	function build(more: Partial<Parts> = {}): Transaction {
		const { vin, paid, between, payload: last } = { ...GOOD, ...more };
		return signed(draft(vin, [paid, ...between, last]), ALL, OWN, code);
	}
	const review = (tx: Transaction | string, request = REQUEST) =>
		reviewTransfer(typeof tx === 'string' ? tx : hexOf(tx), request, data, WALLET, parentsOf(ALL));

	test('that is what was asked for is told in inputs, outputs and cost', () => {
		const found = review(build());
		expect(found).toMatchObject({ fee: 10_000n, cost: 10_000n });
		expect(found.inputs.map(({ meaning }) => meaning.code)).toEqual(['input.coins', 'input.token']);
		expect(found.outputs.map(({ value }) => value)).toEqual([250n, 750n, LEFT.value, 0n]);
	});

	test('of all units leaves no change of units', () => {
		const tx = build({ paid: units(1000n, BOB), between: [LEFT] });
		expect(review(tx, { ...REQUEST, units: 1000n }).outputs).toHaveLength(3);
	});

	test('may collect units of a creation and of earlier transfers', () => {
		const vin: Parts['vin'] = [...GOOD.vin, [EARLIER, 0]];
		expect(review(build({ vin, between: [units(1050n), LEFT] })).inputs).toHaveLength(3);
	});

	test('to the burn key is told as destruction', () => {
		const tx = build({
			paid: units(250n, { pub: BURN_PUBKEY }),
			payload: payload(moveOf(TOKENID, [BURN_PUBKEY]))
		});
		expect(review(tx, BURN).outputs[0]!.meaning.code).toBe('token.burned');
	});

	test.each<[string, Partial<Parts>, string]>([
		['one unit less', { paid: units(249n, BOB), between: [units(751n), LEFT] }, '249 base units'],
		['one unit more', { paid: units(251n, BOB), between: [units(749n), LEFT] }, '251 base units'],
		['another recipient', { paid: units(250n, MALLORY) }, 'another key'],
		['the burn key as recipient', { paid: units(250n, { pub: BURN_PUBKEY }) }, 'another key'],
		['a recipient without a condition', { paid: coins(250n, BOB) }, 'another key'],
		[
			'another recipient in the payload',
			{ payload: payload(moveOf(TOKENID, [MALLORY.pub])) },
			'names another recipient'
		],
		[
			'no recipient in the payload',
			{ payload: payload(moveOf(TOKENID, [])) },
			'names another recipient'
		],
		[
			'two recipients in the payload',
			{ payload: payload(moveOf(TOKENID, [BOB.pub, MALLORY.pub])) },
			'names another recipient'
		],
		[
			'the payload of another token',
			{ payload: payload(moveOf(txidOf(OTHER))) },
			'does not move this token'
		],
		['the payload of a creation', { payload: OTHER.vout[2]! }, 'does not move this token'],
		['no payload', { payload: payload(opReturn(new Uint8Array(0))) }, 'does not move this token'],
		[
			'more in the payload',
			{
				payload: payload(
					tokenTransferScript({
						tokenid: TOKENID,
						destPubkeys: [BOB.pub],
						blobs: [{ id: 0x80, data: Uint8Array.of(1) }]
					})
				)
			},
			'more than a transfer needs'
		],
		['units that go to another key', { between: [units(750n, MALLORY), LEFT] }, 'not come back'],
		['units that go in two parts', { between: [units(500n), units(250n), LEFT] }, 'not come back'],
		[
			'units that vanish',
			{ between: [units(749n), LEFT] },
			'takes 1\u202f000 base units and gives 999'
		],
		[
			'units out of nothing',
			{ between: [units(751n), LEFT] },
			'takes 1\u202f000 base units and gives 1001'
		],
		['units that turn into coins', { between: [coins(750n), LEFT] }, 'takes 1\u202f000 base units'],
		['foreign change', { between: [units(750n), coins(LEFT.value, MALLORY)] }, 'also pays'],
		[
			'one more output',
			{ between: [units(750n), coins(LEFT.value - 1n), coins(1n, BOB)] },
			'also pays'
		],
		['no change', { between: [units(750n)] }, 'fee would be 5 ALPHA'],
		[
			'units of another token',
			{
				vin: [
					[FUNDS, 0],
					[OTHER, 1]
				]
			},
			'units of another token'
		],
		[
			'units of another token that came by a transfer',
			{
				vin: [...GOOD.vin, [ALL[4]!, 0]],
				between: [units(1050n), LEFT]
			},
			'units of another token'
		]
	])('with %s is a mismatch', (_what, more, words) => {
		const found = refusal(() => review(build(more)));
		expect(found.code).toMatch(/^verification\./);
		expect(found.message).toContain(words);
	});

	test('whose daemon tells other data of the token is a mismatch', () => {
		const hex = hexOf(build());
		const told = data === '' ? 'f1c0ffee' : '';
		expect(() => reviewTransfer(hex, REQUEST, told, WALLET, parentsOf(ALL))).toThrow('another key');
	});

	test('unsigned at the units is not sent', () => {
		const tx = build();
		tx.vin[1]!.scriptSig = new Uint8Array(0);
		expect(refusal(() => review(tx))).toMatchObject({ code: 'transaction.unsigned' });
	});

	test('with the signature of another input at the units is a mismatch', () => {
		const tx = build();
		tx.vin[1]!.scriptSig = tx.vin[0]!.scriptSig;
		expect(refusal(() => review(tx)).message).toContain('signature of input 2');
	});

	test('with a byte flipped anywhere is refused, whatever it says then', () => {
		const hex = hexOf(build());
		for (let at = 0; at < hex.length / 2; at++) {
			expect(refusal(() => review(flipByte(hex, at))).code).toMatch(
				/^verification\.|^transaction\.unsigned$/
			);
		}
	});
});
