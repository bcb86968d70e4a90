/**
 * Responses of unknown trading node builds. Each recorded and documented result is changed in ways in which
 * builds differ: unknown members, null for absent members, numbers with and without quotes. The decoded value
 * stays the same.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { decodeKdfResult, readKdfResult } from '#lib/rpc/kdf/codec.ts';
import { readKdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import { methodOfBody, kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { plainDecimal } from '#lib/rpc/kdf/tolerant.ts';
import { RpcError } from '#lib/rpc/rpcError.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { fixturesUnder } from '../../src/cli/fixtures.ts';

interface Sample {
	name: string;
	method: KdfMethod;
	wire: JsonValue;
}

/** Every result in recordings and documentation that the registry decodes strictly. */
function samples(): Sample[] {
	const fixtures = fixturesUnder(join(import.meta.dirname, 'fixtures/node'));
	return fixtures.flatMap(({ name: title, text }): Sample[] => {
		const pair = parseJson(text);
		if (!isJsonObject(pair) || typeof pair['method'] !== 'string') return [];
		const { response, method: name } = pair;
		if (!isJsonObject(response)) return [];
		const method = methodOfBody(name as string, Object.hasOwn(response, 'mmrpc'));
		if (method === null || kdfDefinition(method).access === 'never') return [];
		const said = readKdfAnswer(response, kdfDefinition(method).envelope);
		if (said?.kind !== 'result') return [];
		try {
			decodeKdfResult(method, said.result);
		} catch {
			return [];
		}
		return [{ name: title, method, wire: said.result }];
	});
}

/** Maps whose members are data: an additional member is another coin or address. */
const MAPS =
	/^(?:balance|balances|total_balance|page_balance|wallet_balance|namespaces|metadata|nfts|nfts_infos|eth_addresses_infos|erc20_addresses_infos|details|error_data|protocol_data|fee_details|transaction_type)$/;

/** Applies a change to each value of a tree, all at once. */
function changed(
	value: JsonValue,
	change: (value: JsonValue, name: string) => JsonValue,
	name = ''
): JsonValue {
	const inner = Array.isArray(value)
		? (value as readonly JsonValue[]).map((one) => changed(one, change))
		: isJsonObject(value)
			? Object.fromEntries(
					Object.entries(value).map(([member, one]) => [member, changed(one, change, member)])
				)
			: value;
	return change(inner, name);
}

const withMore = (more: JsonValue) => (value: JsonValue, name: string) =>
	isJsonObject(value) && !MAPS.test(name) && !('spendable' in value && name.length > 12)
		? { ...value, of_a_later_build: more }
		: value;
const quoted = (value: JsonValue, name: string): JsonValue =>
	value instanceof JsonNumber && !MAPS.test(name) ? value.source : value;
const AMOUNTS = /^(?:spendable|unspendable|unspendable_balance|total_amount|amount)$/;
const unquoted = (value: JsonValue, name: string): JsonValue =>
	typeof value === 'string' && AMOUNTS.test(name) && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)
		? new JsonNumber(value)
		: value;

/** The decoded result as text. Values without a schema stay as the node wrote them. */
const native = (method: KdfMethod, wire: JsonValue): string =>
	stringifyJson(readKdfResult(method, wire).result as JsonValue).replaceAll(
		/,?"of_a_later_build":(?:null|\{"a":\[1\]\})/g,
		''
	);

describe('results of unseen builds', () => {
	const all = samples();

	it('are there to be changed', () => {
		expect(all.length).toBeGreaterThan(60);
		expect(new Set(all.map(({ method }) => method)).size).toBeGreaterThan(15);
	});

	for (const [what, change] of [
		['members that are not known', withMore({ a: [new JsonNumber('1')] })],
		['members that are not known and null', withMore(null)],
		['whole numbers in quotes', quoted],
		['amounts without quotes', unquoted]
	] as const) {
		it(`are read with ${what}, and counted where that was not the form`, () => {
			let mended = 0;
			for (const { name, method, wire } of all) {
				const other = changed(wire, change);
				const read = native(method, other);
				const wanted = native(method, wire);
				// Free-form values of the registry, such as error data, keep the node's own spelling.
				const loosely = (text: string): string => text.replaceAll('"', '');
				expect([name, loosely(read)]).toEqual([name, loosely(wanted)]);
				if (readKdfResult(method, other).mended.length > 0) mended += 1;
			}
			expect(mended).toBeGreaterThan(3);
		});
	}

	it('are read with null for what is absent elsewhere', () => {
		const wire = parseJson(
			'{"result":"success","coin":"KMD","address":"R","balance":"7.5","unspendable_balance":null,"required_confirmations":1,"requires_notarization":false,"mature_confirmations":100,"locked_by_swaps":null}'
		);
		const { result, mended } = readKdfResult('electrum', wire);
		expect(result).toMatchObject({ coin: 'KMD', balance: '7.5', mature_confirmations: 100 });
		expect(mended).toContain('locked_by_swaps');
	});

	it('that are another form altogether are no results', () => {
		for (const [method, wire] of [
			['my_balance', '{"result":"KMD"}'],
			['get_enabled_coins', '{"coins":{}}'],
			['get_enabled_coins', '{"coins":[{"ticker":"KMD"},{}]}'],
			['get_enabled_coins', '[]'],
			['task::enable_utxo::init', '{"task_id":"first"}'],
			['task::enable_utxo::init', '{"task_id":-1}'],
			['task::enable_utxo::status', '{"status":"Pondering","details":"ActivatingCoin"}'],
			['task::enable_utxo::status', 'null'],
			['sign_message', '{"signature":null}'],
			['verify_message', '{"is_valid":"perhaps"}']
		] as const) {
			expect(() => readKdfResult(method, parseJson(wire)), wire).toThrow(RpcError);
		}
	});

	it('fail only where a member is used that is missing or cannot be read', () => {
		for (const balance of ['', ',"balance":null', ',"balance":"many"', ',"balance":["1"]']) {
			const wire = `{"coin":"KMD","unspendable_balance":0.5${balance}}`;
			const { result, mended } = readKdfResult('my_balance', parseJson(wire));
			expect([result.coin, result.unspendable_balance]).toEqual(['KMD', '0.5']);
			expect(mended).toEqual(['balance', 'address']);
			for (const name of ['balance', 'address'] as const) {
				expect(() => result[name], wire).toThrow(RpcError);
				expect(reported(result, name)).toBeNull();
			}
		}
	});

	it('say how a task stands, whatever details an unseen build gives', () => {
		const read = (wire: string): unknown =>
			JSON.parse(
				stringifyJson(readKdfResult('task::enable_utxo::status', parseJson(wire)).result as never)
			);
		for (const details of [
			'{"CountingSheep":{"sheep":7}}',
			'"Counting sheep"',
			'{"SyncingBlockHeaders":{"current_scanned_block":1,"last_block":2,"speed":3}}',
			'null'
		]) {
			expect(read(`{"status":"InProgress","details":${details}}`)).toMatchObject({
				status: 'InProgress'
			});
		}
		expect(read('{"status":"Ok","details":{"ticker":"KMD","wallet":"new"}}')).toMatchObject({
			status: 'Ok',
			details: { ticker: 'KMD' }
		});
		expect(read('{"status":"UserActionRequired","details":{"Enter":"Code"}}')).toMatchObject({
			status: 'UserActionRequired'
		});
		const error = { error_type: 'Transport', error: 'away' };
		for (const failed of [
			'{"status":"Error","details":{"error_type":"Transport","error":"away"}}',
			'{"status":"Error","details":{"error_type":"Transport","error":"away","error_path":null,"since":1}}',
			'{"status":"Gone","details":{"result":{"error_type":"Transport","error":"away"}}}'
		]) {
			expect(read(failed)).toMatchObject({ status: 'Error', details: error });
		}
		expect(read('{"status":"Error","details":"it broke"}')).toMatchObject({
			status: 'Error',
			details: { error: 'it broke', error_type: 'Unknown' }
		});
		expect(read('{"status":"Error","details":null}')).toMatchObject({
			status: 'Error',
			details: { error: '', error_type: 'Unknown' }
		});
	});

	it('have amounts in plain notation, digit for digit', () => {
		for (const [written, wanted] of [
			['1.5E-7', '0.00000015'],
			['2e3', '2000'],
			['1.23e1', '12.3'],
			['12.5', '12.5'],
			['007.10', '7.10'],
			['-0.5e-1', '-0.05'],
			['200000000.00000001', '200000000.00000001'],
			['many', null],
			['0x10', null]
		] as const) {
			expect(plainDecimal(written)).toBe(wanted);
		}
	});
});

describe('envelopes of unseen builds', () => {
	const read = (text: string, envelope: 'v2' | 'legacy' = 'v2') =>
		readKdfAnswer(parseJson(text), envelope);

	it('tell an error by what they have of it', () => {
		const transport = { kind: 'error', error: { type: 'Transport', message: 'away' } };
		for (const text of [
			'{"mmrpc":"2.0","error":"away","error_type":"Transport"}',
			'{"mmrpc":"2.0","error":"away","error_type":"Transport","error_path":null,"id":"7","hint":1}',
			'{"error":"away","error_type":"Transport","error_data":{"a":1}}',
			'{"mmrpc":"3.0","result":null,"error":"away","error_type":"Transport"}'
		]) {
			expect(read(text)).toMatchObject(transport);
		}
		expect(read('{"mmrpc":"2.0","error_type":"NewKind","id":0}')).toMatchObject({
			error: { type: 'NewKind' }
		});
		expect(read('{"mmrpc":"2.0","error":"x","error_type":"lower_case"}')).toMatchObject({
			error: { type: 'lower_case', message: 'x' }
		});
		expect(read('{"error":"rpc:1] lp_coins:2] No such coin: X","more":[1]}', 'legacy')).toEqual({
			kind: 'error',
			error: {
				type: null,
				message: 'No such coin: X',
				data: undefined,
				place: { path: '', trace: 'rpc:1] lp_coins:2]' }
			}
		});
		expect(read('{"error":{"code":-32601,"message":"Method not found"}}')).toMatchObject({
			error: { type: null, message: 'Method not found' }
		});
	});

	it('tell a result by its member, and nothing by its absence', () => {
		expect(read('{"mmrpc":"2.0","result":{"a":1},"id":"x","error":null,"took":3}')).toMatchObject({
			kind: 'result'
		});
		expect(read('{"result":1}')).toMatchObject({ kind: 'result' });
		for (const text of ['{"mmrpc":"2.0","id":0}', '{}', '[]', 'null', '"text"', '7']) {
			expect(read(text)).toBeNull();
		}
	});
});
