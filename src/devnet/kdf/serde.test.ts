import { describe, expect, test } from 'vitest';
import { parseJson } from '#lib/rpc/json.ts';
import {
	boolean,
	fallback,
	list,
	optional,
	required,
	SerdeError,
	string,
	struct,
	tagged,
	u32,
	u64,
	unit,
	variant
} from './serde.ts';
import type { Read } from './serde.ts';

const said = (read: Read<unknown>, text: string): unknown => {
	try {
		return read(parseJson(text));
	} catch (error) {
		if (!(error instanceof SerdeError)) throw error;
		return error.message;
	}
};

const point = struct('Point', { x: required(u64), y: fallback(u32, 7), name: optional(string) });

describe('typed values out of JSON', () => {
	test.each<[Read<unknown>, string, unknown]>([
		[string, '1', 'invalid type: integer `1`, expected a string'],
		[string, '1.5', 'invalid type: floating point `1.5`, expected a string'],
		[boolean, 'null', 'invalid type: null, expected a boolean'],
		[u64, '"1"', 'invalid type: string "1", expected u64'],
		[u64, '-205', 'invalid value: integer `-205`, expected u64'],
		[u32, '4294967296', 'invalid value: integer `4294967296`, expected u32'],
		[list(string), '{}', 'invalid type: map, expected a sequence'],
		[unit('Empty'), '{}', 'invalid type: map, expected unit struct Empty'],
		[variant('A'), '"B"', 'unknown variant `B`, expected `A`'],
		[variant('A', 'B'), '"C"', 'unknown variant `C`, expected `A` or `B`'],
		[variant('A', 'B', 'C'), '{"d":1}', 'unknown variant `d`, expected one of `A`, `B`, `C`'],
		[variant('2.0'), '2', 'invalid type: integer `2`, expected string or map'],
		[point, 'null', 'invalid type: null, expected struct Point'],
		[point, '{"y":1}', 'missing field `x`'],
		[point, '{"x":1,"y":null}', 'invalid type: null, expected u32'],
		[point, '["a"]', 'invalid type: string "a", expected u64'],
		[point, '[1]', 'invalid length 1, expected struct Point with 3 elements'],
		[
			struct('Strict', { a: optional(string), b: optional(string) }, { deny: true }),
			'{"c":1}',
			'unknown field `c`, expected `a` or `b`'
		],
		[
			tagged('Policy', 'type', 'params', { Plain: null, Other: point }),
			'"Plain"',
			'invalid type: string "Plain", expected adjacently tagged enum Policy'
		],
		[tagged('Policy', 'type', 'params', { Other: point }), '{}', 'missing field `type`'],
		[
			tagged('Policy', 'type', 'params', { Other: point }),
			'{"type":"Other"}',
			'missing field `params`'
		]
	])('%# is refused in the words of the node', (read, text, message) => {
		expect(said(read, text)).toBe(message);
	});

	test('what fits is read, what is not known is passed over', () => {
		expect(said(point, '{"x":1,"z":0,"name":null}')).toEqual({ x: 1, y: 7, name: undefined });
		expect(said(point, '[1,2,"a"]')).toEqual({ x: 1, y: 2, name: 'a' });
	});
});
