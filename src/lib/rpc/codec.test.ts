import { describe, expect, test } from 'vitest';
import { decodeParams, decodeResult, encodeParams, encodeResult } from './codec.ts';
import { daemonExamples, daemonMethods, type DaemonMethod } from './daemon/index.ts';
import { migrationMethods } from './daemon/migration.ts';
import { decodeTolerantly } from './daemon/tolerant.ts';
import { tokenMethods } from './daemon/tokens.ts';
import { parseJson, stringifyJson, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { RpcError, isRpcError } from './rpcError.ts';
import { reported } from './tolerant.ts';

const TXID = 'd19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610';
const PUBKEY = '02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567';
const ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

/** Re-encodes parameters written in either dialect for a daemon of one dialect. */
const respelled = (method: DaemonMethod, written: string, dialect: 'komodod' | 'seed'): string =>
	stringifyJson(
		encodeParams(method, decodeParams(method, parseJson(written) as JsonValue[]), dialect)
	);

/** Calls in both dialects: as release 0.9.0 expects them, and as the interface document shows them. */
const PARAMS: readonly (readonly [DaemonMethod, string, string])[] = [
	['tokencreate', '["TOK","0.00000100","text"]', '["TOK",0.00000100,"text"]'],
	['tokencreate', '["TOK","200000000.00000001"]', '["TOK",200000000.00000001]'],
	['tokentransfer', `["${TXID}","${PUBKEY}","10"]`, `["${TXID}","${PUBKEY}",10]`],
	[
		'migrate_createburntransaction',
		`["BETA","${ADDRESS}","1.15000000"]`,
		`["BETA","${ADDRESS}",1.15000000]`
	],
	['selfimport', `["${ADDRESS}","1"]`, `["${ADDRESS}",1]`],
	['calc_MoM', '["1000","100"]', '[1000,100]'],
	['MoMoMdata', '["BETA","1350074","533"]', '["BETA",1350074,533]'],
	['scanNotarisationsDB', '["0","BETA","1440"]', '[0,"BETA",1440]'],
	['getwalletburntransactions', '["10"]', '[10]'],
	['getimports', '["12"]', '[12]'],
	['getimports', `["${TXID}"]`, `["${TXID}"]`],
	['migrate_completeimporttransaction', '["00",3]', '["00","3"]'],
	['getNotarisationsForBlock', '[1350074]', '[1350074]'],
	['sendrawtransaction', '["00",true]', '["00",true]']
];

describe('parameters', () => {
	test.each(PARAMS)('%s: %s to a daemon, %s in the interface document', (method, komodod, seed) => {
		for (const written of [komodod, seed]) {
			expect(respelled(method, written, 'komodod')).toBe(komodod);
			expect(respelled(method, written, 'seed')).toBe(seed);
		}
	});

	test('a number that the daemon would cut is never turned into text', () => {
		for (const number of ['1.5', '1e3', '0.1e1']) {
			expect(() => decodeParams('calc_MoM', parseJson(`[${number},1]`) as JsonValue[])).toThrow(
				RpcError
			);
		}
	});

	test('what is no txid does not reach the daemon', () => {
		for (const tokenid of ['', 'ab', 'zz'.repeat(32), `${TXID}00`]) {
			expect(() => encodeParams('tokeninfo', [tokenid])).toThrow(RpcError);
			expect(() => decodeParams('tokeninfo', [tokenid])).toThrow(RpcError);
		}
	});

	test('too few, too many and gaps are refused, with the place', () => {
		// @ts-expect-error -- what a caller without types hands over
		expect(() => encodeParams('calc_MoM', ['1'])).toThrow(
			expect.objectContaining({ code: 'params.too-few', params: { takes: 2, given: 1 } })
		);
		expect(() => decodeParams('tokenlist', ['x'])).toThrow(
			expect.objectContaining({ code: 'params.too-many', params: { takes: 0, given: 1 } })
		);
		expect(() => encodeParams('listunspent', [undefined, 9])).toThrow(
			expect.objectContaining({ code: 'params.missing', params: { index: 0 } })
		);
		expect(encodeParams('getbalance', [undefined, undefined])).toEqual([]);
	});

	test('approvals may be any number of txids', () => {
		const five = Array<string>(5).fill(TXID);
		expect(encodeParams('migrate_createimporttransaction', ['00', '00', ...five])).toHaveLength(7);
		expect(() => encodeParams('migrate_createimporttransaction', ['00', '00', 'x'])).toThrow(
			RpcError
		);
	});

	test('a value of another type is refused, wherever it stands', () => {
		for (const [name, definition] of Object.entries(daemonMethods)) {
			const { params } = definition as unknown as Method;
			for (const [index, param] of params.entries()) {
				if (param.kind === 'json') continue;
				const wire = params.map((other) => (other.kind === 'bool' ? true : TXID)) as JsonValue[];
				if (param.anything === true) continue;
				for (const wrong of [...(param.orNull === true ? [] : [null]), [], {}] as JsonValue[]) {
					const values = wire.map((value, i) => (i === index ? wrong : value)).slice(0, index + 1);
					expect(() => decodeParams(name as DaemonMethod, values), `${name} ${index}`).toThrow(
						RpcError
					);
				}
			}
		}
	});

	// Source: wallet/rpcwallet.cpp, rpc/rawtransaction.cpp, rpc/blockchain.cpp, rpc/misc.cpp.
	test.each([
		['getnotarypayinfo', '[]'],
		['lockunspent', '[true]'],
		['getaddressutxos', `["${ADDRESS}",true]`],
		['getaddressbalance', `["${ADDRESS}","1"]`],
		['getaddressdeltas', '[{"addresses":[]},null]'],
		['createrawtransaction', '[[],{},null,500]'],
		['createrawtransaction', '[[],{},0,null]'],
		['signrawtransaction', '["00",null,null,null,null]'],
		['sendtoaddress', `["${ADDRESS}",1.5,null,null,true]`],
		['getchaintxstats', `[null,"${TXID}"]`],
		['getchaintxstats', '[0,null]']
	] as const)('%s %s is sent as the daemon takes it', (method, written) => {
		expect(respelled(method, written, 'komodod')).toBe(written);
	});

	test('every method of tokens and migration has an example', () => {
		const families = { ...tokenMethods, ...migrationMethods };
		for (const [name, { examples }] of Object.entries(families)) {
			expect(examples.length, name).toBeGreaterThan(0);
		}
	});

	test('the examples of every method are lawful calls', () => {
		for (const name of Object.keys(daemonMethods) as DaemonMethod[]) {
			for (const example of daemonExamples(name)) {
				const wire = encodeParams(name, example);
				expect(decodeParams(name, wire), name).toEqual(example);
			}
		}
	});
});

const HASH = 'f9'.repeat(32);

/** Results in both dialects: of release 0.9.0, and of the interface document. */
const RESULTS: readonly (readonly [DaemonMethod, string, string])[] = [
	[
		'tokeninfo',
		`{"result":"success","tokenid":"${TXID}","owner":"${PUBKEY}","name":"TOK","supply":100,"description":""}`,
		`{"result":"success","tokenid":"${TXID}","owner":"${PUBKEY}","name":"TOK","supply":"0.00000100","description":""}`
	],
	[
		'migrate_checkburntransactionsource',
		'{"SourceSymbol":"A","TargetSymbol":"B","TargetCCid":"777","TxOutProof":"00","result":"success"}',
		'{"sourceSymbol":"A","targetSymbol":"B","targetCCid":777,"TxOutProof":"00","result":"success"}'
	],
	[
		'getwalletburntransactions',
		`[{"txid":"${TXID}","burnedAmount":7.77010000,"targetSymbol":"B","targetCCid":"533"}]`,
		`[{"txid":"${TXID}","burnedAmount":7.77010000,"targetSymbol":"B","targetCCid":533}]`
	]
];

describe('results', () => {
	test.each(RESULTS)('%s is the same thing in both dialects', (method, komodod, seed) => {
		const native = decodeResult(method, parseJson(komodod));
		expect(decodeResult(method, parseJson(seed), 'seed')).toEqual(native);
		expect(stringifyJson(encodeResult(method, native, 'komodod'))).toBe(komodod);
		expect(stringifyJson(encodeResult(method, native, 'seed'))).toBe(seed);
	});

	test('a dialect that was guessed wrong is read all the same', () => {
		for (const [method, komodod, seed] of RESULTS) {
			const native = decodeResult(method, parseJson(komodod), 'seed');
			expect(decodeResult(method, parseJson(seed), 'komodod')).toEqual(native);
		}
	});

	test('MoMoMdata: array, integer and underscore; text, text and capital letter', () => {
		const common = `"ccid":777,"MoMoM":"${HASH}"`;
		const komodod = `{"coin":"B","kmdheight":95,${common},"MoMs":["${TXID}"],"notarization_hash":"${HASH}","data":"00"}`;
		const seed = `{"coin":"B","kmdheight":"95",${common},"MoMs":"[\\"${TXID}\\"]","notarizationHash":"${HASH}"}`;
		const native = decodeResult('MoMoMdata', parseJson(komodod));
		expect(native).toMatchObject({ kmdheight: 95, MoMs: [TXID], notarization_hash: HASH });
		const { data, ...rest } = native;
		expect(data).toBe('00');
		expect(decodeResult('MoMoMdata', parseJson(seed))).toEqual(rest);
		// The interface document shows the list both as text and as an array.
		const array = seed.replace(/"MoMs":"[^\]]*\]"/, `"MoMs":["${TXID}"]`);
		expect(array).not.toBe(seed);
		expect(decodeResult('MoMoMdata', parseJson(array))).toEqual(rest);
		const number = array.replace('"kmdheight":"95"', '"kmdheight":95');
		expect(decodeTolerantly('MoMoMdata', parseJson(number), 'seed')).toEqual(rest);
	});

	test('what is not signed is not complete, also where nothing says why', () => {
		const told = (complete: boolean) =>
			decodeTolerantly(
				'signrawtransaction',
				parseJson(`{"hex":"00","complete":${complete}}`),
				'seed'
			);
		expect(told(false)).toEqual({ hex: '00', complete: false, errors: [] });
		expect(told(true)).toEqual({ hex: '00', complete: true });
	});

	test('coins of the interface document may have fewer than 8 decimals', () => {
		const imports = (amount: string): JsonValue =>
			parseJson(
				`{"imports":[{"txid":"${TXID}","amount":${amount},"export":{}}],"TotalImported":${amount},"time":1}`
			);
		const native = decodeResult('getimports', imports('7.77'), 'seed');
		expect(native.imports[0]?.amount).toBe(777_000_000n);
		expect(native.TotalImported).toBe(777_000_000n);
		expect(decodeResult('getimports', imports('7'), 'seed').TotalImported).toBe(700_000_000n);
		expect(() => decodeResult('getimports', imports('0.000000001'), 'seed')).toThrow(RpcError);
	});

	test('an answer that does not fit names the method and the place, not the value', () => {
		const canary = 'canary-5eb1';
		try {
			decodeResult(
				'tokenbalance',
				parseJson(`{"result":"success","CCaddress":"${canary}","tokenid":"ab","balance":1}`)
			);
			expect.unreachable();
		} catch (error) {
			expect(error).toMatchObject({ code: 'validation-mismatch' });
			expect((error as RpcError<'validation-mismatch'>).params.method).toBe('tokenbalance');
			expect((error as RpcError<'validation-mismatch'>).params.place).toContain('CCaddress');
			expect((error as RpcError<'validation-mismatch'>).params.place).not.toContain(canary);
		}
	});
});

describe('answers that do not fit', () => {
	const mismatch = (method: DaemonMethod, wire: JsonValue): RpcError<'validation-mismatch'> => {
		try {
			decodeResult(method, wire);
		} catch (error) {
			if (isRpcError(error, 'validation-mismatch')) return error;
			throw error;
		}
		throw new Error('The answer fits.');
	};

	test.each<[DaemonMethod, string, string]>([
		[
			'gettxout',
			`{"bestblock":"${HASH}","confirmations":1,"rawconfirmations":1,"value":1.00000000,"scriptPubKey":{"asm":"x","hex":"00","reqSigs":1,"type":"pubkey"},"version":1,"coinbase":false}`,
			'scriptPubKey.addresses is missing'
		],
		[
			'validateaddress',
			`{"isvalid":true,"address":"${ADDRESS}","scriptPubKey":"00","segid":1,"ismine":true,"iswatchonly":false,"isscript":false,"iscompressed":true,"account":""}`,
			'pubkey is missing'
		],
		[
			'validateaddress',
			`{"isvalid":true,"address":"${ADDRESS}","scriptPubKey":"00","segid":1,"ismine":true,"iswatchonly":false,"isscript":false,"pubkey":"${PUBKEY}","account":""}`,
			'iscompressed is missing'
		]
	])('%s of several forms names what is missing', (method, text, words) => {
		expect(mismatch(method, parseJson(text)).params.place).toBe(words);
	});

	test('what is wrong in place of a member too many is named, never its value', () => {
		const text = `{"isvalid":false,"canary":"${HASH}"}`;
		expect(mismatch('validateaddress', parseJson(text)).params.place).toBe(
			'result: Unrecognized key: "canary"'
		);
	});

	test('the words are looked for when they are read, once', () => {
		let reads = 0;
		const counted = {
			get isvalid() {
				reads += 1;
				return false;
			},
			more: true
		};
		const error = mismatch('validateaddress', counted);
		const read = reads;
		const words = error.params.place;
		const looked = reads;
		expect(looked).toBeGreaterThan(read);
		expect(error.params.place).toBe(words);
		expect(reads).toBe(looked);
	});

	test('an answer of a million wrong entries is not looked through', () => {
		let reads = 0;
		const one = () =>
			Object.defineProperty({}, 'txid', { enumerable: true, get: () => ((reads += 1), 7) });
		const many = Array.from({ length: 100_000 }, one) as JsonValue;
		const words = mismatch('getwalletburntransactions', many);
		reads = 0;
		expect(words.params.place).toContain('is missing');
		expect(reads).toBeLessThan(10);
	});
});

describe('an optional member that is null, where its absence is a fact', () => {
	const txid = 'ab'.repeat(32);
	const coin = parseJson('1.00000000');
	const told: [DaemonMethod, string, JsonValue][] = [
		[
			'getwalletburntransactions',
			'tokenid',
			[{ txid, burnedAmount: coin, tokenid: null, targetSymbol: 'BETA', targetCCid: '777' }]
		],
		['tokeninfo', 'data', { result: 'success', tokenid: txid, name: 'TOK', data: null }],
		[
			'listunspent',
			'interest',
			[{ txid, vout: parseJson('0'), amount: coin, interest: null, spendable: true }]
		]
	];
	test.each(told)('%s: %s fails when it is used', (method, member, wire) => {
		const native: unknown = decodeTolerantly(method, wire);
		const one = (Array.isArray(native) ? (native as unknown[])[0] : native) as object;
		expect(() => one[member as keyof typeof one]).toThrow(RpcError);
		expect(reported(one, member as keyof typeof one)).toBeNull();
	});
});

describe('failures that come as a result', () => {
	const outcome = (method: DaemonMethod, text: string): unknown => {
		try {
			return decodeResult(method, parseJson(text));
		} catch (error) {
			return error;
		}
	};

	test('a token failure carries the words of the daemon, also when there are none', () => {
		const failure = outcome('tokeninfo', '{"result":"error","error":"cant find tokenid"}');
		expect(failure).toMatchObject({ code: 'in-band-error' });
		expect(failure).toMatchObject({
			code: 'in-band-error',
			params: { text: 'cant find tokenid' }
		});
		expect(outcome('tokencreate', '{"result":"error","error":""}')).toMatchObject({
			params: { text: '' }
		});
	});

	test('a bare -1 of selfimport is a refusal', () => {
		expect(outcome('selfimport', '-1')).toMatchObject({ code: 'in-band-error' });
		expect(outcome('getblockcount', '-1')).toBe(-1);
	});

	test('setpubkey fails with only an error', () => {
		expect(outcome('setpubkey', '{"error":"Cannot overwrite -pubkey"}')).toMatchObject({
			code: 'in-band-error'
		});
	});

	test('height_MoM answers the question also when there is no MoM', () => {
		const none = '{"coin":"A","height":5,"timestamp":0,"error":"no MoM for height"}';
		expect(outcome('height_MoM', none)).toMatchObject({ error: 'no MoM for height' });
	});

	test('the failure of one family is a mismatch in another', () => {
		const soft = '{"result":"error","error":"x"}';
		expect(outcome('migrate_createburntransaction', soft)).toMatchObject({
			code: 'validation-mismatch'
		});
		expect(outcome('getinfo', soft)).toMatchObject({ code: 'validation-mismatch' });
	});
});

test('only what changes nothing is repeated, and every method says who may call it', () => {
	for (const [name, { access, retry, deadline, fails }] of Object.entries(daemonMethods)) {
		if (retry) expect(['read', 'wallet-query', 'notary-query', 'notary'], name).toContain(access);
		if (access === 'broadcast') expect([retry, deadline], name).toEqual([false, 'send']);
		expect(fails, name).toContain('rpc');
	}
});
