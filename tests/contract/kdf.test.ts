/** Checks the trading node's registry against recordings, documented examples and collected responses. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFixture } from '#lib/rpc/contract.ts';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { explainKdfError } from '#lib/messages/kdf-errors/index.ts';
import { kdfErrorMismatches } from '#lib/rpc/kdf/errorTypes.ts';
import { decodeKdfParams, encodeKdfParams, legacyParams } from '#lib/rpc/kdf/codec.ts';
import { methodOfBody, kdfDefinition } from '#lib/rpc/kdf/index.ts';
import { fixturesUnder } from '../../src/cli/fixtures.ts';
import { isLawful, mutants } from './mutants.ts';

type File = { readonly [name: string]: JsonValue };

const fixtures = fixturesUnder(join(import.meta.dirname, 'fixtures/node')).map(
	({ name, text }) => ({ name, text, file: parseJson(text) as File })
);
const paired = fixtures.filter(({ file }) => file['service'] === 'trading-node');

const isRefused = (text: string): boolean => {
	const verdict = checkFixture(text);
	return verdict.kind === 'checked' && verdict.mismatches.length > 0;
};

/** Mutated responses that the registry accepts, each with the reason. A star matches one name. */
const LAWFUL: Readonly<Record<string, readonly string[]>> = {
	'an address may hold fewer NFTs': ['remove enable_eth_with_tokens.result.nfts_infos.*']
};
const lawful = Object.values(LAWFUL).flat();

describe('the recordings and documented examples of the trading node', () => {
	test('every one fits the registry', () => {
		expect(fixtures).toHaveLength(230);
		expect(paired).toHaveLength(209);
		const mismatches = fixtures.flatMap(({ name, text, file }) => {
			const verdict = checkFixture(text);
			// One fixture describes the source and contains no pairs.
			if (verdict.kind === 'passed-over') return file['instances'] ? [name] : [];
			return verdict.mismatches.map((mismatch) => `${name}: ${mismatch}`);
		});
		expect(mismatches).toEqual([]);
	});

	test('answers with one member removed, retyped, respelled or added are refused, at every level', () => {
		const refused = new Map<string, number>();
		const survivors = new Set<string>();
		for (const { file } of paired) {
			const { response, http } = file;
			const recorded = isJsonObject(http);
			if (typeof response !== 'object' || response === null) continue;
			for (const mutant of mutants(response)) {
				if (mutant.rule === 'digits') continue;
				const text = recorded ? stringifyJson(mutant.value) : '';
				const wrong = { ...file, response: mutant.value, response_text: text };
				if (isRefused(stringifyJson(wrong))) {
					refused.set(mutant.rule, (refused.get(mutant.rule) ?? 0) + 1);
				} else survivors.add(`${mutant.rule} ${String(file['method'])}.${mutant.path}`);
			}
		}
		const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
		const byRule = [...refused].map(([rule, count]) => `${rule} ${count}`).join(', ');
		console.info(`${total} wrong answers of the trading node were refused: ${byRule}`);
		const used = [...survivors];
		expect(used.filter((mutant) => !isLawful(mutant, lawful)).sort()).toEqual([]);
		expect(lawful.filter((line) => !used.some((mutant) => isLawful(mutant, [line])))).toEqual([]);
		expect(total).toBeGreaterThan(2_000);
	});

	test('collected answers with one member removed, retyped or respelled are refused, too', () => {
		let refused = 0;
		const survivors = new Set<string>();
		for (const { name, file } of fixtures) {
			if (!isJsonObject(file['instances'])) continue;
			for (const mutant of mutants(file['instances'])) {
				// A path begins with the instance's name, and members other than status and body are remarks.
				if (mutant.rule === 'digits' || !/^[^.]+\.(?:body|status)/.test(mutant.path)) continue;
				const wrong = { ...file, instances: mutant.value };
				if (isRefused(stringifyJson(wrong))) refused += 1;
				else survivors.add(`${mutant.rule} ${name.replace(/^.*\//, '')} ${mutant.path}`);
			}
		}
		console.info(`${refused} wrong answers that were collected were refused`);
		// Other tokens may have been requested; older responses were copied without their traces.
		const free =
			/^(?:remove|encodeDialect) 07-.*\.balances\.[^.]+$|^remove 20-.*\.error_(?:path|trace)$/;
		expect([...survivors].filter((survivor) => !free.test(survivor)).sort()).toEqual([]);
		expect(refused).toBeGreaterThan(800);
	});

	test('another HTTP status is refused', () => {
		const survivors = paired.flatMap(({ name, file }) => {
			const { http } = file;
			if (!isJsonObject(http)) return [];
			const old = (http['status'] as JsonNumber).source;
			return ['200', '201', '400', '401', '403', '404', '409', '500', '502', '503']
				.filter((status) => status !== old)
				.filter((status) => {
					const wrong = { ...file, http: { ...http, status: new JsonNumber(status) } };
					return !isRefused(stringifyJson(wrong));
				})
				.map((status) => `${name} with ${status}`);
		});
		expect(survivors).toEqual([]);
		for (const { file } of paired) {
			if (!isJsonObject(file['http'])) continue;
			const { status: _status, ...rest } = file['http'];
			expect(isRefused(stringifyJson({ ...file, http: rest }))).toBe(true);
			const { http: _http, ...without } = file;
			expect(isRefused(stringifyJson(without))).toBe(true);
		}
	});

	test('a request that works needs its password, its method and its parameters', () => {
		const survivors = new Set<string>();
		let refused = 0;
		for (const { name, file } of paired) {
			const { request, http } = file;
			if (file['kind'] !== 'success' || !isJsonObject(request)) continue;
			for (const mutant of mutants(request)) {
				if (mutant.rule === 'digits') continue;
				const text = isJsonObject(http) ? { request_text: stringifyJson(mutant.value) } : {};
				const wrong = { ...file, request: mutant.value, ...text };
				if (isRefused(stringifyJson(wrong))) refused += 1;
				else if (mutant.rule !== 'remove') {
					survivors.add(`${mutant.rule} ${name.split('/').slice(1).join('/')} ${mutant.path}`);
				}
			}
		}
		expect([...survivors].sort()).toEqual([]);
		expect(refused).toBeGreaterThan(1_000);
	});
});

describe('parameters of the trading node', () => {
	const worked = paired.flatMap(({ name, file }) => {
		const { request, method, kind } = file;
		if (kind !== 'success' || !isJsonObject(request)) return [];
		const key = methodOfBody(String(method), request['mmrpc'] !== undefined);
		if (key === null) return [];
		const { envelope } = kdfDefinition(key);
		return [{ name, key, wire: envelope === 'v2' ? request['params'] : legacyParams(request) }];
	});
	const canonical = (value: unknown): string => stringifyJson(sorted(value as JsonValue));
	const sorted = (value: JsonValue): unknown => {
		if (Array.isArray(value)) return (value as JsonValue[]).map(sorted);
		if (!isJsonObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value)
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.map(([name, inner]) => [name, sorted(inner)])
		);
	};
	/** Pages of the documentation with examples that no trading node accepts; the test corrects them. */
	const IRREGULAR = [
		'docs/enable_eth_with_tokens/03-matic-nft',
		'docs/enable_eth_with_tokens/04-eth-external-session',
		'docs/task__enable_utxo__init/02-kmd-policy-object'
	];

	test('are sent to a released node as they were, and survive the words of the interface document', () => {
		expect(worked.length).toBeGreaterThan(60);
		for (const { name, key, wire } of worked) {
			const native = decodeKdfParams(key, wire) as never;
			const again = encodeKdfParams(key, native, 'kdf');
			if (!IRREGULAR.includes(name) && again !== null) {
				expect(canonical(again), name).toBe(canonical(wire));
			}
			let seed: JsonValue | null;
			try {
				seed = encodeKdfParams(key, native, 'seed');
			} catch {
				continue;
			}
			expect(stringifyJson(seed), name).not.toMatch(/Trezor|Moralis|WalletConnect|Metamask/);
			expect(decodeKdfParams(key, seed ?? undefined, 'seed'), name).toEqual(native);
		}
	});
});

/** Source: lp_coins.rs, coins_activation/init_token.rs, init_create_account.rs, lp_wallet.rs of KDF 2.5.1. */
describe('a refusal that the source gives and no recording has', () => {
	const protocol = { type: 'UTXO' };
	test.each([
		[
			'task::enable_erc20::init',
			'TokenIsAlreadyActivated',
			400,
			{ ticker: 'T' },
			'Token T is activated already'
		],
		['enable_erc20', 'TokenIsAlreadyActivated', 400, 'T', 'Token T is already activated'],
		[
			'task::enable_erc20::init',
			'TokenProtocolParseError',
			400,
			{ ticker: 'T', error: 'x' },
			'Token T protocol parsing failed: x'
		],
		[
			'task::enable_erc20::init',
			'UnexpectedTokenProtocol',
			400,
			{ ticker: 'T', protocol },
			'Unexpected platform protocol {"type":"UTXO"} for T'
		],
		[
			'task::create_new_account::status',
			'AccountLimitReached',
			undefined,
			{ max_accounts_number: 5 },
			'Accounts limit reached. Max number of accounts: 5'
		],
		['get_my_address', 'CoinsConfCheckError', 400, 'lp_coins:5871] mm2', 'lp_coins:5871] mm2'],
		['get_my_address', 'CoinIsNotSupported', 400, 'T doesn’t', 'T doesn’t'],
		['get_my_address', 'InvalidRequest', 400, 'x', 'Invalid request error error: x'],
		[
			'get_my_address',
			'GetEthAddressError',
			500,
			{ UnexpectedDerivationMethod: 'ExpectedHDWallet' },
			'Get Eth address error: UnexpectedDerivationMethod'
		],
		['get_wallet_names', 'WalletsStorageError', 500, 'x', 'Wallets storage error: x']
	])('of %s, %s, is one of the registry', (method, type, status, data, said) => {
		const error = {
			error: said,
			error_type: type,
			error_data: parseJson(stringifyJson(data))
		};
		expect(kdfErrorMismatches(error, { method, status })).toEqual([]);
		expect(explainKdfError(method, { type, message: said, data: undefined })).not.toBeNull();
	});
});
