/** The method registry against recorded answers of running daemons and the documented examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
	decodeParams,
	decodeResult,
	encodeParams,
	encodeResult,
	softFailure
} from '#lib/rpc/codec.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { daemonMethods, isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import type { Method } from '#lib/rpc/method.ts';
import { mutants, type Mutant } from './mutants.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
	// Those of the trading node have a test of their own.
	.filter((name) => name.endsWith('.json') && !name.startsWith('node'))
	.sort();
const read = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

/**
 * Wrong answers that are lawful ones, each with the condition under which a daemon gives them. A star stands
 * for one name.
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
		'remove listtransactions.address',
		'remove listunspent.address'
	],
	'only addresses in the address book have it': [
		'remove listunspent.account',
		'remove validateaddress.account'
	],
	'only KMD has it': ['remove listunspent.interest'],
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
	'without the error it is a success': ['remove setpubkey.error'],
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
const isLawful = (mutant: string, lines: readonly string[] = lawful): boolean =>
	lines.some((line) => {
		const [names, wanted] = [mutant.split('.'), line.split('.')];
		return (
			names.length === wanted.length && wanted.every((name, i) => name === '*' || name === names[i])
		);
	});

describe('the recordings and documented examples', () => {
	test('there are as many as were collected', () => {
		expect(files).toHaveLength(795);
	});

	test('every one fits the registry, and encoding what was decoded gives it back', () => {
		const misfits = files.flatMap((name) => {
			const verdict = checkFixture(read(name));
			return verdict.kind === 'checked' && verdict.misfits.length === 0
				? []
				: [`${name}: ${JSON.stringify(verdict)}`];
		});
		expect(misfits).toEqual([]);
	});
});

/** The answers of one fixture with one thing wrong, each as a fixture of its own. */
function* wrongFixtures(file: { readonly [name: string]: JsonValue }): Generator<[Mutant, string]> {
	const recorded = isJsonObject(file['http']);
	const answer = recorded ? parseJson(file['response_text'] as string) : file['response']!;
	const enveloped = isJsonObject(answer) && Object.hasOwn(answer, 'error');
	for (const mutant of mutants(enveloped ? answer['result']! : answer)) {
		const wrong = enveloped ? { ...answer, result: mutant.value } : mutant.value;
		// The check compares the text with the value, so both tell the same.
		const text = recorded ? stringifyJson(wrong) : '';
		yield [mutant, stringifyJson({ ...file, response: wrong, response_text: text })];
	}
}

describe('a call that worked on a running daemon', () => {
	const worked = files.flatMap((name) => {
		const file = parseJson(read(name));
		if (!isJsonObject(file) || !isJsonObject(file['http']) || file['kind'] !== 'success') return [];
		const { method, response_text: answer, request_text: request } = file;
		if (typeof method !== 'string' || !isDaemonMethod(method)) return [];
		const asked = parseJson(request as string) as { params?: JsonValue[] };
		const { result } = parseJson(answer as string) as { result: JsonValue };
		// A `setpubkey` that did nothing says so in its result.
		const soft = softFailure(daemonMethods[method] as unknown as Method, result) !== null;
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

describe('answers with one thing wrong', () => {
	test('are refused, at every level of every recorded and documented success', () => {
		const refused = new Map<string, number>();
		const survivors = new Set<string>();
		const methods = new Set<string>();
		for (const name of files) {
			const file = parseJson(read(name));
			if (!isJsonObject(file) || file['kind'] !== 'success') continue;
			const { method } = file;
			if (typeof method !== 'string' || !isDaemonMethod(method)) continue;
			methods.add(method);
			for (const [mutant, text] of wrongFixtures(file)) {
				// Documentation shortens and rounds: only a running daemon is held to its digits.
				if (mutant.rule === 'digits' && !isJsonObject(file['http'])) continue;
				const verdict = checkFixture(text);
				if (verdict.kind === 'checked' && verdict.misfits.length > 0) {
					refused.set(mutant.rule, (refused.get(mutant.rule) ?? 0) + 1);
				} else survivors.add(`${mutant.rule} ${method}.${mutant.path}`);
			}
		}
		const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
		const byRule = [...refused].map(([rule, count]) => `${rule} ${count}`).join(', ');
		console.info(`${total} wrong answers of ${methods.size} methods were refused: ${byRule}`);
		expect([...survivors].filter((mutant) => !isLawful(mutant)).sort()).toEqual([]);
		// A line that nothing needs any more is to be taken off the list.
		const used = [...survivors];
		expect(lawful.filter((line) => !used.some((mutant) => isLawful(mutant, [line])))).toEqual([]);
		expect(total).toBeGreaterThan(10_000);
	}, 120_000);
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
