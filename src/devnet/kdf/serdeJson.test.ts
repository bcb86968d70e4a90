import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '#lib/rpc/json.ts';
import { JsonSyntaxError, parseBody } from './serdeJson.ts';

const said = (text: string): string => {
	try {
		return stringifyJson(parseBody(text));
	} catch (error) {
		if (!(error instanceof JsonSyntaxError)) throw error;
		return error.message;
	}
};

describe('the parser of the trading node', () => {
	test.each([
		['', 'EOF while parsing a value at line 1 column 0'],
		['{"method":', 'EOF while parsing a value at line 1 column 10'],
		['"\\ud800"', 'unexpected end of hex escape at line 1 column 8'],
		['abc', 'expected value at line 1 column 1'],
		['nul', 'EOF while parsing a value at line 1 column 3'],
		['nulx', 'expected ident at line 1 column 4'],
		['[1', 'EOF while parsing a list at line 1 column 2'],
		['[1 2]', 'expected `,` or `]` at line 1 column 4'],
		['[1,]', 'trailing comma at line 1 column 4'],
		['{"a" 1}', 'expected `:` at line 1 column 6'],
		['{"a":1', 'EOF while parsing an object at line 1 column 6'],
		['{"a":1 "b"', 'expected `,` or `}` at line 1 column 8'],
		['{a:1}', 'key must be a string at line 1 column 2'],
		['{}\n x', 'trailing characters at line 2 column 2'],
		['"a', 'EOF while parsing a string at line 1 column 2'],
		['"\\x"', 'invalid escape at line 1 column 3'],
		['01', 'invalid number at line 1 column 2'],
		['-x', 'invalid number at line 1 column 2'],
		['-', 'EOF while parsing a value at line 1 column 1'],
		['1.e', 'invalid number at line 1 column 3'],
		['1e', 'EOF while parsing a value at line 1 column 2']
	])('%j is answered with %j', (text, message) => {
		expect(said(text)).toBe(message);
	});

	test('takes what the other parser takes, digits and all', () => {
		for (const text of [
			'{"a":[1,2.50,-3e+2,null,true,false],"b":{"c":"\\u00e4\\n\\ud83d\\ude00/\\/"}}',
			' [ ] ',
			'"grüße €"',
			'123456789012345678901234567890.10',
			'{"__proto__":1}'
		]) {
			expect(said(text)).toBe(stringifyJson(parseJson(text)));
		}
		expect(said('['.repeat(200))).toContain('recursion limit exceeded');
	});
});
