import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyMeter, SHAPE, type ShapeLimits } from './bodyMeter.ts';

const LIMITS: ShapeLimits = { calls: 3, values: 10, depth: 4, digits: 5 };

/** Feeds a text to the meter in pieces of this size, and returns what it reports. */
function metered(text: string, limits = LIMITS, piece = 1_000) {
	const meter = new BodyMeter(limits);
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += piece) {
		const fault = meter.feed(bytes.subarray(at, at + piece));
		if (fault !== null) return { fault, methods: [...meter.methods] };
	}
	return { fault: null, methods: [...meter.methods] };
}

/** Elements and members of all arrays and objects, as a parser sees them. */
function valuesIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const inner = Object.values(value);
	// Each bracket counts, and each comma.
	return 1 + Math.max(0, inner.length - 1) + inner.reduce((sum, one) => sum + valuesIn(one), 0);
}

describe('a body is followed while it comes', () => {
	it.each([
		['[{},{},{}]', null],
		['[{},{},{},{}]', 'too-many-calls'],
		['  [ 1 , 2 , 3 , 4', 'too-many-calls'],
		['{"params":[1,2,3,4,5,6,7,8,9]}', null],
		['{"params":[1,2,3,4,5,6,7,8,9,10]}', 'too-many-values'],
		['[[],[[],[],[],[],[],[],[],[]]]', 'too-many-values'],
		['[[[[]]]]', null],
		['[[[[[', 'too-deep'],
		['{"a":[{"b":[{', 'too-deep'],
		['[12345,1]', null],
		['[123456', 'long-number'],
		['{"a":"[[[[[[,,,,,,,,,,,,,1234567"}', null],
		['{"a":"\\"[[[[[[,,,,,,,,,,,,"}', null],
		['{"a":"\\\\",[[[[', 'too-deep'],
		['"[[[[[[', null],
		['', null]
	])('%s: %s', (text, fault) => {
		for (const piece of [1, 2, 3, 1_000]) expect(metered(text, LIMITS, piece).fault).toBe(fault);
	});

	it.each([
		['{"method":"getinfo","params":[]}', ['getinfo']],
		['{"params":["method",{"method":"inner"}],"id":"method","method":"outer"}', ['outer']],
		['[{"method":"one"},{"id":1,"method":"two"}]', ['one', 'two']],
		['{"method":7}', []],
		['{"method":"es\\u0063aped"}', []],
		[`{"method":"${'m'.repeat(65)}"}`, []],
		['"method"', []]
	])('names the methods of %s', (text, methods) => {
		for (const piece of [1, 5, 1_000]) {
			expect(metered(text, SHAPE, piece).methods).toEqual(methods);
		}
	});

	it('counts what a parser would make of any JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 1, max: 9 }), (value, piece) => {
				const text = JSON.stringify(value, null, 1);
				const values = valuesIn(JSON.parse(text));
				const limits = { ...SHAPE, calls: Infinity, digits: Infinity };
				expect(metered(text, { ...limits, values }, piece).fault).toBe(null);
				if (values === 0) return;
				expect(metered(text, { ...limits, values: values - 1 }, piece).fault).toBe(
					'too-many-values'
				);
			})
		);
	});
});
