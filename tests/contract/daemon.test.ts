/** Checks the method registry against recorded responses of running daemons and the documented examples. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
	decodeParams,
	decodeResult,
	encodeParams,
	encodeResult,
	inBandError
} from '#lib/rpc/codec.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { canonical } from '#lib/rpc/fixture.ts';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { leftOutOf, noteLeftOut, reported } from '#lib/rpc/tolerant.ts';
import { daemonMethods, isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import type { Method } from '#lib/rpc/method.ts';
import { fixturesUnder } from '../../src/cli/fixtures.ts';
import { formOf, isLawful, mutants, type Mutant } from './mutants.ts';

const fixtures = fixturesUnder(join(import.meta.dirname, 'fixtures'))
	// Trading node fixtures have their own test.
	.filter(({ name }) => !name.startsWith('node'));

/**
 * Mutated responses that the registry accepts because a daemon may send them, each with the condition. A star
 * matches one name.
 */
const LAWFUL: Readonly<Record<string, readonly string[]>> = {
	'a daemon of a notary, with a key, or of a chain with a CCid has it': [
		'remove getinfo.notaryid',
		'remove getinfo.pubkey',
		'remove getinfo.CCid'
	],
	'the height is "mempool" or a number': ['retype getinfo.notarizedtxid_height'],
	'a script may pay to no address': [
		'remove getrawtransaction.vin.address',
		'remove gettransaction.details.address',
		'remove listtransactions.address'
	],
	'only addresses in the address book have it': [
		'remove listunspent.account',
		'remove validateaddress.account'
	],
	'only KMD has it': ['remove listunspent.interest'],
	'a daemon that stakes, or has mined, has it': ['remove getinfo.lastmined'],
	'only keys that a passphrase protects have it': [
		'remove kvsearch.owner',
		'remove kvupdate.owner'
	],
	'who asks with the mode "disablecb" gets none': ['remove getblocktemplate.coinbasetxn'],
	'only regtest has it': ['remove getmempoolinfo.fullyNotified'],
	'KMD, a chain without crypto-conditions, has none': ['remove tokenbalance.CCaddress'],
	'only burns have it': ['remove getrawtransaction.vout.target'],
	'a self-import names no source': ['remove getimports.imports.export.source'],
	'only tokens have it, some tokens alone': [
		'remove migrate_checkburntransactionsource.tokenid',
		'remove getwalletburntransactions.tokenid',
		'remove tokeninfo.data'
	],
	'a burn whose token is unknown has no amount': ['remove getwalletburntransactions.burnedAmount'],
	'only while it waits for a block': ['remove getwalletburntransactions.inMempool'],
	'a daemon of the interface document names no release': ['remove getinfo.KMDversion'],
	'only wallets with a seed have it': ['remove getwalletinfo.seedfp'],
	'the members are names, not facts': [
		'remove getblockchaininfo.upgrades.*',
		'remove getlastsegidstakes.SegIds.*',
		'remove getrawmempool.*'
	],
	'it varies between releases': [
		'remove decoderawtransaction.vjoinsplit',
		'remove getblocktemplate.coinbasetxn.foundersreward',
		'remove getblocktemplate.finalsaplingroothash'
	],
	'the interface document has text or a number': ['retype tokeninfo.supply'],
	'no money: a double in the digits that it happens to have': [
		'digits getblock.difficulty',
		'digits getblockchaininfo.difficulty',
		'digits getblockchaininfo.verificationprogress',
		'digits getblockheader.difficulty',
		'digits getinfo.difficulty',
		'digits getmininginfo.difficulty',
		'digits getmininginfo.localsolps',
		'digits getpeerinfo.pingtime',
		'digits getrawmempool.*.currentpriority',
		'digits getrawmempool.*.startingpriority'
	],
	'the parameter as it was typed': ['digits tokenbalance.tokenid']
};
const lawful = Object.values(LAWFUL).flat();

describe('the recordings and documented examples', () => {
	test('there are as many as were collected', () => {
		expect(fixtures).toHaveLength(840);
	});

	test('every one fits the registry, and encoding what was decoded gives it back', () => {
		const mismatches = fixtures.flatMap(({ name, text }) => {
			const verdict = checkFixture(text);
			return verdict.kind === 'checked' && verdict.mismatches.length === 0
				? []
				: [`${name}: ${JSON.stringify(verdict)}`];
		});
		expect(mismatches).toEqual([]);
	});
});

/** The response of a fixture. */
const answerOf = (file: { readonly [name: string]: JsonValue }): JsonValue =>
	isJsonObject(file['http']) ? parseJson(file['response_text'] as string) : file['response']!;

/** The responses of one fixture with one mutation each, each as its own fixture. */
function* wrongFixtures(file: { readonly [name: string]: JsonValue }): Generator<[Mutant, string]> {
	const recorded = isJsonObject(file['http']);
	const answer = answerOf(file);
	const enveloped = isJsonObject(answer) && Object.hasOwn(answer, 'error');
	for (const mutant of mutants(enveloped ? answer['result']! : answer)) {
		const wrong = enveloped ? { ...answer, result: mutant.value } : mutant.value;
		// The check compares the text with the value, so both must contain the mutation.
		const text = recorded ? stringifyJson(wrong) : '';
		yield [mutant, stringifyJson({ ...file, response: wrong, response_text: text })];
	}
}

describe('what no recording has and a daemon takes or gives', () => {
	const ADDRESS = '"RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92"';
	test.each([
		[
			'groups of notarizations by any name',
			'getNotarisationsForBlock',
			'[5]',
			'{"KMD":[],"LABS":[],"OTHER":[{"txid":"TXID","chain":"OTHERA","height":5,"blockhash":"TXID","notaries":[1]}]}'
		],
		['a key with the height to scan from', 'importprivkey', '["WIF","",true,5]', ADDRESS],
		['a key of another coin', 'importprivkey', '["WIF","",false,0,128]', ADDRESS],
		['an account of a change address', 'getrawchangeaddress', '[""]', ADDRESS]
	])('%s', (_, method, params, result) => {
		const answer = `{"result":${result.replaceAll('TXID', 'ab'.repeat(32))},"error":null,"id":"a"}`;
		const request = `{"id":"a","method":"${method}","params":${params}}`;
		const verdict = checkFixture(
			`{"service":"daemon","method":"${method}","kind":"success","source":{"kind":"recording"},"http":{"method":"POST","status":200},"request":${request},"request_text":${JSON.stringify(request)},"response":${answer},"response_text":${JSON.stringify(answer)}}`
		);
		expect(verdict).toEqual({ kind: 'checked', mismatches: [] });
	});
});

describe('a call that worked on a running daemon', () => {
	const worked = fixtures.flatMap(({ name, text }) => {
		const file = parseJson(text);
		if (!isJsonObject(file) || !isJsonObject(file['http']) || file['kind'] !== 'success') return [];
		const { method, response_text: answer, request_text: request } = file;
		if (typeof method !== 'string' || !isDaemonMethod(method)) return [];
		const asked = parseJson(request as string) as { params?: JsonValue[] };
		const { result } = parseJson(answer as string) as { result: JsonValue };
		// A failed `setpubkey` reports it inside its result.
		const soft = inBandError(daemonMethods[method] as unknown as Method, result) !== null;
		return soft ? [] : [{ name, method, params: asked.params ?? [], result }];
	});

	test('its answer is written back to the byte, members in their order', () => {
		expect(worked.length).toBeGreaterThan(400);
		for (const { name, method, result } of worked) {
			const again = encodeResult(method, decodeResult(method, result));
			expect(stringifyJson(again), name).toBe(stringifyJson(result));
		}
	});

	test('its parameters are sent as they were, a bool for a level as 0 or 1', () => {
		for (const { name, method, params } of worked) {
			const again = encodeParams(method, decodeParams(method, params));
			const expected = method === 'getblock' ? params.map(asLevel) : params;
			expect(stringifyJson(again), name).toBe(stringifyJson(expected));
		}
	});

	const asLevel = (param: JsonValue): JsonValue =>
		typeof param === 'boolean' ? new JsonNumber(param ? '1' : '0') : param;
});

/**
 * The same response in another program's spelling: numbers without trailing zeros or with an exponent, hex in
 * capitals.
 */
function otherwise(value: JsonValue): JsonValue {
	if (value instanceof JsonNumber) {
		const { source } = value;
		if (/^-?\d+\.\d{8}$/.test(source)) {
			const short = source.replace(/\.?0+$/, '');
			return new JsonNumber(short === '0.00000001' ? '1e-8' : short);
		}
		return value;
	}
	if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? value.toUpperCase() : value;
	if (Array.isArray(value)) return value.map((item: JsonValue) => otherwise(item));
	if (!isJsonObject(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [name, otherwise(member)] as const);
	return Object.fromEntries(members.reverse());
}

/** Decoded values by their meaning; numbers that are not money by their value. */
const counted = (value: unknown): string =>
	canonical(
		JSON.parse(
			JSON.stringify(value, (_name, inner: unknown) => {
				if (inner instanceof JsonNumber) return inner.toNumber();
				return typeof inner === 'bigint' ? `${inner}n` : inner;
			})
		)
	);

describe('an answer that is spelled otherwise', () => {
	const answers = fixtures.flatMap(({ name, text }) => {
		const file = parseJson(text);
		if (!isJsonObject(file) || !isJsonObject(file['http']) || file['kind'] !== 'success') return [];
		const { method, response_text: answer } = file;
		if (typeof method !== 'string' || !isDaemonMethod(method) || typeof answer !== 'string')
			return [];
		const { result } = parseJson(answer) as { result: JsonValue };
		const soft = inBandError(daemonMethods[method] as unknown as Method, result) !== null;
		return soft ? [] : [{ name, method, result }];
	});

	test('means the same: other order, short numbers, exponents, capitals', () => {
		for (const { name, method, result } of answers) {
			// These methods return their input, or names that are not hashes.
			if (method === 'tokenbalance' || method === 'help') continue;
			const strict = counted(decodeResult(method, result));
			expect(counted(decodeTolerantly(method, result)), name).toBe(strict);
			expect(counted(decodeTolerantly(method, otherwise(result))), name).toBe(strict);
		}
	});

	test('is read exactly or not at all, and never throws', () => {
		let read = 0;
		for (const { name, method, result } of answers) {
			const strict = counted(decodeResult(method, result));
			for (const { rule, path, value } of mutants(result)) {
				const tolerant = decodeTolerantly(method, value);
				const same = rule === 'add' || rule === 'digits';
				if (tolerant === null || !same || method === 'tokenbalance') continue;
				if (leftOutOf(tolerant).length > 0) continue;
				// These names are arbitrary, and text with a decimal point counts coins.
				if (/(upgrades|SegIds|rawmempool)/.test(path + method) || path === 'supply') continue;
				expect(counted(tolerant), `${name} ${rule} ${path}`).toBe(strict);
				read += 1;
			}
		}
		expect(read).toBeGreaterThan(500);
	});

	test('keeps what it says about an export: none that cannot be read passes for none', () => {
		const one = (burn: string): JsonValue =>
			parseJson(
				`{"imports":[{"txid":"${'ab'.repeat(32)}","amount":1,"export":${burn}}],"TotalImported":1.5,"time":1}`
			);
		const burn = `"txid":"${'CD'.repeat(32)}"`;
		expect(decodeTolerantly('getimports', one(`{${burn},"amount":1e-8,"more":[]}`))).toMatchObject({
			imports: [{ amount: 100_000_000n, export: { txid: 'cd'.repeat(32), amount: 1n } }],
			TotalImported: 150_000_000n
		});
		for (const amountless of [`{${burn},"amount":1e-9}`, `{${burn}}`]) {
			const [entry] = decodeTolerantly('getimports', one(amountless))!.imports;
			expect(entry!.export).toMatchObject({ txid: 'cd'.repeat(32) });
			expect(() => (entry!.export as { amount: bigint }).amount).toThrow('amount');
		}
		for (const unread of ['7', '{"txid":7}', 'null']) {
			const [entry] = decodeTolerantly('getimports', one(unread))!.imports;
			expect(() => entry!.export).toThrow('export');
		}
	});

	test('a few members are enough to say who a daemon is', () => {
		const told = parseJson(
			'{"name":"ALPHA","blocks":12,"connections":"3","balance":1e-8,"CCid":"777"}'
		);
		expect(decodeTolerantly('getinfo', told)).toMatchObject({
			name: 'ALPHA',
			blocks: 12,
			connections: 3,
			balance: 1n,
			CCid: 777
		});
		expect(() => decodeTolerantly('getinfo', parseJson('{"name":"ALPHA"}'))!.blocks).toThrow(
			'blocks is missing'
		);
		expect(decodeTolerantly('getinfo', parseJson('{"other":"ALPHA"}'))).toBeNull();
	});

	test('an odd or missing member of a wallet that decides nothing does not hide its balance', () => {
		const amounts = '"balance":1e-8,"unconfirmed_balance":0,"immature_balance":0';
		for (const more of ['', ',"seedfp":""', ',"seedfp":7,"txcount":null,"paytxfee":[]']) {
			expect(decodeTolerantly('getwalletinfo', parseJson(`{${amounts}${more}}`))).toMatchObject({
				balance: 1n,
				immature_balance: 0n
			});
		}
		const less = decodeTolerantly('getwalletinfo', parseJson('{"balance":1}'))!;
		expect(less.balance).toBe(100_000_000n);
		expect(reported(less, 'immature_balance')).toBeNull();
		expect(() => less.immature_balance).toThrow('immature_balance is missing');
		const locked = decodeTolerantly(
			'getwalletinfo',
			parseJson(`{${amounts},"unlocked_until":"soon"}`)
		)!;
		expect(locked.balance).toBe(1n);
		expect(() => locked.unlocked_until).toThrow('unlocked_until');
	});

	test('a member that was left out fails when it is used, and only then', () => {
		const block = {
			...{ hash: 'ab'.repeat(32), confirmations: 1, rawconfirmations: 1, size: 5, height: 7 },
			...{ tx: ['cd'.repeat(32)], time: 1_700_000_000, nonce: null, version: 'four' }
		};
		const read = decodeTolerantly('getblock', parseJson(JSON.stringify(block)));
		if (read === null || typeof read === 'string') throw new Error('it was not read');
		expect(read).toMatchObject({ height: 7, tx: ['cd'.repeat(32)], time: 1_700_000_000 });
		for (const name of ['nonce', 'version', 'merkleroot', 'last_notarized_height'] as const) {
			expect(reported(read, name)).toBeNull();
			expect(() => read[name]).toThrow(name);
		}
		expect(reported(read, 'previousblockhash')).toBeUndefined();
		// A copy for another thread is the same once it is told what was left out.
		const copy = structuredClone(read);
		noteLeftOut(copy, leftOutOf(read), (place) => new Error(place));
		expect(() => copy.version).toThrow('version');
		expect(reported(copy, 'merkleroot')).toBeNull();
	});

	test('null is no fact where absence is one', () => {
		const told = decodeTolerantly(
			'getinfo',
			parseJson('{"name":"ALPHA","blocks":7,"CCid":null,"balance":null,"pubkey":null}')
		)!;
		for (const name of ['CCid', 'balance', 'pubkey'] as const) {
			expect(reported(told, name)).toBeNull();
			expect(() => told[name]).toThrow(`${name} is missing`);
		}
		expect(reported(told, 'unlocked_until')).toBeUndefined();
	});

	test('units are never taken for coins, nor coins for units', () => {
		const facts = `"result":"success","tokenid":"${'91'.repeat(32)}","CCaddress":"RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92"`;
		const balance = (text: string) =>
			reported(
				decodeTolerantly('tokenbalance', parseJson(`{${facts},"balance":${text}}`))!,
				'balance'
			);
		expect(balance('"12"')).toBe(12n);
		expect(balance('1e2')).toBe(100n);
		expect(balance('1.0')).toBeNull();
		expect(balance('"0.5"')).toBeNull();
	});
});

describe('a recording is refused', () => {
	type File = { readonly [name: string]: JsonValue };
	const recordings = fixtures.flatMap(({ name, text }) => {
		const file = parseJson(text) as File;
		const { http } = file;
		return isJsonObject(http) ? [{ name, file, http }] : [];
	});
	const mismatchesOf = (file: File): string[] => {
		const verdict = checkFixture(stringifyJson(file));
		return verdict.kind === 'checked' ? verdict.mismatches : [];
	};

	test('with another HTTP status, or without one', () => {
		const taken = recordings.flatMap(({ name, file, http }) => {
			const { status, ...rest } = http;
			const others = ['200', '400', '404', '500'].filter(
				// Of a response without JSON only the status is known.
				(other) => file['response'] !== null && other !== (status as JsonNumber).source
			);
			const wrong = [rest, ...others.map((other) => ({ ...http, status: new JsonNumber(other) }))];
			return wrong
				.filter((one) => mismatchesOf({ ...file, http: one }).length === 0)
				.map((one) => `${name} with ${stringifyJson(one['status'])}`);
		});
		expect(recordings.length).toBeGreaterThan(600);
		expect(taken).toEqual([]);
	});

	test('without the method of HTTP, or with the text of another request', () => {
		const taken = recordings.flatMap(({ name, file, http }) => {
			const { method: _method, ...rest } = http;
			const wrong: File[] = [{ ...file, http: rest }];
			const { request_text: text, ...untold } = file;
			if (typeof text === 'string') wrong.push(untold, { ...file, request_text: '{"id":"other"}' });
			return wrong.some((one) => mismatchesOf(one).length === 0) ? [name] : [];
		});
		expect(taken).toEqual([]);
	});

	const requests = ['getblockcount', 'nosuchmethod', 'getbestblockhash', 'tokenbalance'].map(
		(method, id): JsonValue => ({
			id: new JsonNumber(String(id)),
			method,
			params: method === 'tokenbalance' ? ['none'] : []
		})
	);
	const answers = [
		'{"result":7,"error":null,"id":0}',
		'{"result":null,"error":{"code":-32601,"message":"Method not found"},"id":1}',
		`{"result":"${'ab'.repeat(32)}","error":null,"id":2}`,
		'{"result":{"result":"error","error":"invalid tokenid"},"error":null,"id":3}'
	].map((text) => parseJson(text));
	const batch = (
		asked: readonly JsonValue[],
		told: readonly JsonValue[],
		status: string
	): string[] =>
		mismatchesOf({
			service: 'daemon',
			method: '(batch)',
			kind: 'success',
			source: { kind: 'recording' },
			http: { method: 'POST', status: new JsonNumber(status) },
			request: asked,
			request_text: stringifyJson(asked),
			response: told,
			response_text: stringifyJson(told)
		});

	test('of a batch with an answer too few, in another place, to another call, or of another form', () => {
		expect(batch(requests, answers, '200')).toEqual([]);
		expect(
			batch(
				[...requests, new JsonNumber('5')],
				[
					...answers,
					parseJson(
						'{"result":null,"error":{"code":-32600,"message":"Invalid Request object"},"id":null}'
					)
				],
				'200'
			)
		).toEqual([]);
		expect(batch(requests, answers, '500')).toContain('http: a batch without the status 200');
		expect(batch(requests, answers.slice(1), '200')).toContain('answer: not one for each request');
		expect(batch(requests.slice(1), answers, '200')).toContain('answer: not one for each request');
		expect(batch(requests, answers.toReversed(), '200')).toContain(
			'0: answer: another id than asked'
		);
		for (const [index, wrong] of [
			'{"result":"7","error":null,"id":0}',
			'{"result":7,"error":null,"id":1}',
			`{"result":"${'AB'.repeat(32)}","error":null,"id":2}`,
			'{"result":{"result":"error"},"error":null,"id":3}'
		].entries()) {
			const told = answers.with(index, parseJson(wrong));
			expect(batch(requests, told, '200'), wrong).not.toEqual([]);
		}
	});
});

describe('answers with one thing wrong', () => {
	test('are refused, at every level of every recorded and documented success', () => {
		const refused = new Map<string, number>();
		const survivors = new Set<string>();
		const methods = new Set<string>();
		const forms = new Set<string>();
		for (const { text } of fixtures) {
			const file = parseJson(text);
			if (!isJsonObject(file) || file['kind'] !== 'success') continue;
			const { method } = file;
			if (typeof method !== 'string' || !isDaemonMethod(method)) continue;
			methods.add(method);
			// Of responses with the same members and kinds of values the first stands for the others.
			const form = `${method} ${isJsonObject(file['http'])} ${formOf(answerOf(file))}`;
			if (forms.has(form)) continue;
			forms.add(form);
			for (const [mutant, wrong] of wrongFixtures(file)) {
				// Documentation shortens and rounds numbers: only recorded responses must keep their digits.
				if (mutant.rule === 'digits' && !isJsonObject(file['http'])) continue;
				const verdict = checkFixture(wrong);
				if (verdict.kind === 'checked' && verdict.mismatches.length > 0) {
					refused.set(mutant.rule, (refused.get(mutant.rule) ?? 0) + 1);
				} else survivors.add(`${mutant.rule} ${method}.${mutant.path}`);
			}
		}
		const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
		const byRule = [...refused].map(([rule, count]) => `${rule} ${count}`).join(', ');
		console.info(`${total} wrong answers of ${methods.size} methods were refused: ${byRule}`);
		expect([...survivors].filter((mutant) => !isLawful(mutant, lawful)).sort()).toEqual([]);
		// An unused line must be removed from the list.
		const used = [...survivors];
		expect(lawful.filter((line) => !used.some((mutant) => isLawful(mutant, [line])))).toEqual([]);
		expect(total).toBeGreaterThan(9_000);
	});
});

/** Source: `getblocktemplate`, rpc/mining.cpp. */
const TEMPLATE = {
	capabilities: ['proposal'],
	version: 4,
	previousblockhash: 'ab'.repeat(32),
	finalsaplingroothash: 'cd'.repeat(32),
	transactions: [],
	longpollid: `${'ab'.repeat(32)}7`,
	target: `0f${'ff'.repeat(31)}`,
	mintime: 1_700_000_000,
	mutable: ['time', 'transactions', 'prevblock'],
	noncerange: '00000000ffffffff',
	sigoplimit: 20_000,
	sizelimit: 4_194_304,
	curtime: 1_700_000_001,
	bits: '200f0f0f',
	height: 12
};

describe('what the source gives and no recording has', () => {
	test.each([
		['a template without a coinbase', 'getblocktemplate', TEMPLATE, true],
		[
			'a template of a chain with ac_staked',
			'getblocktemplate',
			{ ...TEMPLATE, PoSperc: 50, ac_staked: 50, origtarget: 'ef'.repeat(32) },
			true
		],
		['half of what such a chain tells', 'getblocktemplate', { ...TEMPLATE, PoSperc: 50 }, false],
		['a proposal that would be taken', 'getblocktemplate', null, true],
		['one that would not', 'getblocktemplate', 'bad-txnmrklroot', true],
		[
			'a fee in the digits of a double',
			'kvupdate',
			{
				coin: 'ALPHA',
				height: 5,
				expiration: 1445,
				flags: 4,
				key: 'k',
				keylen: 1,
				value: 'v',
				valuesize: 1,
				fee: new JsonNumber('1e-05'),
				txid: 'ab'.repeat(32)
			},
			true
		],
		[
			'pay of notaries',
			'getnotarypayinfo',
			{
				height: 7,
				balance: new JsonNumber('12.50000000'),
				spent: false,
				Total_NotaryPay: new JsonNumber('1.00000000'),
				Estimated_Notarizations_Left: 3,
				Estimated_Days_Left: 0,
				Estimated_Height: 22
			},
			true
		]
	])('%s fits the registry, of %s: %#', (_what, method, result, isLawful) => {
		const request = {
			jsonrpc: '1.0',
			id: 'a',
			method,
			params: method === 'kvupdate' ? ['k', 'v', '1'] : []
		};
		const response = { result, error: null, id: 'a' };
		const fixture = {
			service: 'daemon',
			method,
			title: 'source',
			kind: 'success',
			source: {},
			http: { method: 'POST', path: '/', status: 200, content_type: 'application/json' },
			request,
			request_text: stringifyJson(request),
			response,
			response_text: stringifyJson(response)
		};
		const verdict = checkFixture(stringifyJson(fixture));
		const fits = verdict.kind === 'checked' && verdict.mismatches.length === 0;
		expect(fits, JSON.stringify(verdict)).toBe(isLawful);
	});
});

describe('single rules', () => {
	test('a supply with a decimal point counts coins, an integer counts units', () => {
		const facts = {
			result: 'success',
			tokenid: '91'.repeat(32),
			owner: `02${'d3'.repeat(32)}`,
			name: 'TOK',
			description: ''
		};
		const supply = (text: string): bigint =>
			decodeResult('tokeninfo', parseJson(stringifyJson({ ...facts, supply: parseJson(text) })))
				.supply as bigint;
		expect(supply('"100000.00000000"')).toBe(10_000_000_000_000n);
		expect(supply('100000')).toBe(100_000n);
		expect(supply('0.00000001')).toBe(1n);
	});

	test('an amount above what a double holds keeps its last satoshi', () => {
		expect(decodeResult('getbalance', parseJson('200000000.00000001'))).toBe(
			20_000_000_000_000_001n
		);
	});

	test('names of Object.prototype are no methods', () => {
		for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
			expect(isDaemonMethod(name)).toBe(false);
		}
	});

	test('numbers that travel as text are text to a real daemon and numbers in the interface document', () => {
		const [tokenid, pubkey] = ['91'.repeat(32), `02${'d3'.repeat(32)}`];
		const spelled = (dialect: 'komodod' | 'seed'): string =>
			stringifyJson(encodeParams('tokentransfer', [tokenid, pubkey, '10'], dialect));
		expect(spelled('komodod')).toBe(`["${tokenid}","${pubkey}","10"]`);
		expect(spelled('seed')).toBe(`["${tokenid}","${pubkey}",10]`);
	});

	test('nobody may call what gives secrets away or stops the daemon', () => {
		const never = Object.entries(daemonMethods).filter(([, { access }]) => access === 'never');
		expect(never.map(([name]) => name).sort()).toEqual([
			'dumpprivkey',
			'dumpwallet',
			'encryptwallet',
			'importprivkey',
			'stop',
			'walletpassphrase'
		]);
	});
});
