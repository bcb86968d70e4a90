/** The method registry against recorded answers of running daemons and the documented examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeResult, encodeParams } from '#lib/rpc/codec.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { daemonMethods, isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { mutants } from './mutants.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.json'))
	.sort();
const read = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

/** Mutants that are lawful answers, each with the condition under which a daemon gives them. */
const LAWFUL: Readonly<Record<string, readonly string[]>> = {
	'the daemon has no wallet': [
		'remove getinfo.walletversion',
		'remove getinfo.balance',
		'remove getinfo.keypoololdest',
		'remove getinfo.keypoolsize',
		'remove getinfo.paytxfee'
	],
	'only one kind of chain or daemon has it': [
		'remove getinfo.interest',
		'remove getinfo.KMDnotarized_height',
		'remove getinfo.notaryid',
		'remove getinfo.pubkey',
		'remove getinfo.CCid',
		'remove getinfo.magic',
		'remove getinfo.premine',
		'remove getinfo.reward',
		'remove getinfo.halving',
		'remove getinfo.decay',
		'remove getinfo.endsubsidy',
		'remove getinfo.notarypay',
		'remove listunspent.interest'
	],
	'the height is "mempool" or a number': ['retype getinfo.notarizedtxid_height'],
	'the first block has none before it, the last none behind it': [
		'remove getblock.previousblockhash',
		'remove getblock.nextblockhash',
		'remove getblockheader.previousblockhash',
		'remove getblockheader.nextblockhash'
	],
	'a script may pay to no address, an output to the address book of nobody': [
		'remove getrawtransaction.vin.address',
		'remove gettransaction.details.address',
		'remove listtransactions.address',
		'remove listunspent.account',
		'remove listunspent.address',
		'remove validateaddress.account'
	],
	'only burns have it': ['remove getrawtransaction.vout.target'],
	'only own spends have it': [
		'remove gettransaction.details.fee',
		'remove gettransaction.fee',
		'remove listtransactions.fee'
	],
	'a self-import names no source': ['remove getimports.imports.export.source'],
	'only tokens have it': [
		'remove migrate_checkburntransactionsource.tokenid',
		'remove getwalletburntransactions.tokenid',
		'remove tokeninfo.data'
	],
	'a burn whose token is unknown has no amount': ['remove getwalletburntransactions.burnedAmount'],
	'only while it waits for a block': ['remove getwalletburntransactions.inMempool'],
	'only wallets with a seed have it': ['remove getwalletinfo.seedfp'],
	'a signing without errors shows none': ['remove signrawtransaction.errors'],
	'without the error it is a success': ['remove setpubkey.error'],
	'the members are names, not facts': [
		'remove getblockchaininfo.upgrades.',
		'remove getrawmempool.'
	]
};
const lawful = Object.values(LAWFUL).flat();
/** A line that ends with a point stands for each member right below. */
const isLawful = (mutant: string): boolean =>
	lawful.some((line) =>
		line.endsWith('.')
			? mutant.startsWith(line) && !mutant.slice(line.length).includes('.')
			: mutant === line
	);

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

describe('answers with one thing wrong', () => {
	test('are refused: a member removed, retyped, respelled or added', () => {
		let killed = 0;
		const survivors = new Set<string>();
		const seen = new Map<string, number>();
		for (const name of files.filter((file) => file.startsWith('recordings'))) {
			const file = parseJson(read(name));
			if (!isJsonObject(file) || file['kind'] !== 'success') continue;
			const { method, response_text: text } = file;
			if (typeof method !== 'string' || typeof text !== 'string' || !isDaemonMethod(method))
				continue;
			const count = seen.get(method) ?? 0;
			if (count >= 6) continue;
			seen.set(method, count + 1);
			const envelope = parseJson(text) as { result: JsonValue };
			for (const mutant of mutants(envelope.result)) {
				const answer = stringifyJson({ ...envelope, result: mutant.value });
				const verdict = checkFixture(
					stringifyJson({ ...file, response: parseJson(answer), response_text: answer })
				);
				if (verdict.kind === 'checked' && verdict.misfits.length > 0) killed += 1;
				else survivors.add(`${mutant.rule} ${method}.${mutant.path}`);
			}
		}
		console.info(`${killed} mutants of ${seen.size} methods were refused`);
		expect([...survivors].filter((mutant) => !isLawful(mutant)).sort()).toEqual([]);
		expect(killed).toBeGreaterThan(200);
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
		const params = ['ab', '02ab', '10'] as [string, string, string];
		expect(stringifyJson(encodeParams('tokentransfer', params, 'komodod'))).toBe(
			'["ab","02ab","10"]'
		);
		expect(stringifyJson(encodeParams('tokentransfer', params, 'seed'))).toBe('["ab","02ab",10]');
	});

	test('only reads may be repeated, and nobody may call what gives secrets away', () => {
		for (const [name, { access, retry }] of Object.entries(daemonMethods)) {
			if (retry) expect(['read', 'notary'], name).toContain(access);
		}
		expect(daemonMethods.dumpprivkey.access).toBe('never');
		expect(daemonMethods.stop.access).toBe('never');
	});
});
