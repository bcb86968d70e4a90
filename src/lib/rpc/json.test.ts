import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, JsonNumber, parseJson, stringifyJson } from './json.ts';
import { JSON_ERRORS, isRpcError } from './rpcError.ts';

const failure = (text: string, limits = {}): unknown => {
	try {
		return parseJson(text, limits);
	} catch (error) {
		return isRpcError(error, ...JSON_ERRORS) ? error.code : error;
	}
};

describe('numbers', () => {
	test.each([
		'0',
		'-0',
		'1.15000000',
		'200000000.00000001',
		'1e-6',
		'1E+400',
		'18446744073709551615'
	])('%s is written back in its own digits', (source) => {
		const parsed = parseJson(source);
		expect(parsed).toBeInstanceOf(JsonNumber);
		expect(stringifyJson(parsed)).toBe(source);
		expect(stringifyJson(parseJson(`{"a":[${source}]}`))).toBe(`{"a":[${source}]}`);
	});

	test('bigint is written as an integer', () => {
		expect(stringifyJson({ amount: 20_000_000_000_000_001n })).toBe('{"amount":20000000000000001}');
	});

	test.each(['', '01', '1.', '.5', '+1', '0x10', 'NaN', '1 ', '1,5'])(
		'"%s" makes no number',
		(source) => expect(() => new JsonNumber(source)).toThrow(RangeError)
	);
});

describe('values', () => {
	test('any JSON comes back as it was', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
			})
		);
	});

	test('any text gives a value or the typed error, nothing else', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const outcome = failure(text);
				expect(outcome).not.toBeInstanceOf(Error);
			})
		);
	});

	test('a member called __proto__ is an ordinary member', () => {
		const parsed = parseJson('{"__proto__":{"polluted":true}}');
		expect(isJsonObject(parsed) && Object.hasOwn(parsed, '__proto__')).toBe(true);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	test('of a member that is written twice the last one counts', () => {
		expect(stringifyJson(parseJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
	});

	test('a number is no object', () => {
		expect(isJsonObject(parseJson('1'))).toBe(false);
		expect(isJsonObject(parseJson('[]'))).toBe(false);
		expect(isJsonObject(parseJson('null'))).toBe(false);
		expect(isJsonObject(parseJson('{}'))).toBe(true);
	});
});

describe('limits', () => {
	const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

	test('64 levels are taken, 65 are not', () => {
		expect(failure(nested(64))).not.toBe('json.too-deep');
		expect(failure(nested(65))).toBe('json.too-deep');
		expect(failure(nested(2_000_000))).toBe('json.too-deep');
	});

	test('brackets inside strings are no levels', () => {
		const text = JSON.stringify(`${'['.repeat(1000)}"\\"{`);
		expect(failure(text)).toBe(JSON.parse(text));
	});

	test('the depth and the length can be set', () => {
		expect(failure('[[1]]', { maxDepth: 1 })).toBe('json.too-deep');
		expect(failure('[1234]', { maxLength: 5 })).toBe('json.too-large');
		expect(stringifyJson(failure('[1234]', { maxLength: 6 }))).toBe('[1234]');
	});

	test.each(['', '{', '[1,]', '{"a":1}}', 'undefined', "{'a':1}", '\u0000'])(
		'%j is no JSON',
		(text) => {
			expect(failure(text)).toBe('json.invalid');
		}
	);
});
