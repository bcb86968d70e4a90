import { describe, expect, it } from 'vitest';
import { rawElements, rawMembers } from './rawJson.ts';

describe('the raw text of JSON parts', () => {
	it('keeps each value as it was written', () => {
		const text = ' {"a" : 1.10, "b\\"c":{"x":["]}",2]}, "id":"\\\\" ,"e":null}\n';
		expect(rawMembers(text)).toEqual([
			['a', '1.10'],
			['b"c', '{"x":["]}",2]}'],
			['id', '"\\\\"'],
			['e', 'null']
		]);
		expect(rawElements('[1e5, "a,b", [], {"k":[1]} ]')).toEqual([
			'1e5',
			'"a,b"',
			'[]',
			'{"k":[1]}'
		]);
		expect(rawElements('[]')).toEqual([]);
		expect(rawMembers('{}')).toEqual([]);
	});

	it.each(['', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{a:1}', '{"a":"x}', '{} {}', '[1]'])(
		'refuses %j as an object',
		(text) => {
			expect(() => rawMembers(text)).toThrow(expect.objectContaining({ code: 'answer.malformed' }));
		}
	);
});
