import { expect, test } from 'vitest';
import { fixturesIn } from './fixture.ts';

test('a file holds several fixtures by name, each with its digits and its order', () => {
	const first = '{"service":"daemon","response":{"b":200000000.00000001,"a":1e-8}}';
	const second = '{"provenance":{},"instances":{}}';
	expect(fixturesIn(`{"one": ${first},\n"two": ${second}}`)).toEqual([
		['one', first],
		['two', second]
	]);
});

test('a file holds several fixtures, even when one of them does not say what it is', () => {
	const text = '{"one":{"service":"daemon"},"two":{"method":"getinfo"},"note":"no fixture"}';
	expect(fixturesIn(text)).toEqual([
		['one', '{"service":"daemon"}'],
		['two', '{"method":"getinfo"}'],
		['note', '"no fixture"']
	]);
});

test('a file holds one fixture without a name', () => {
	for (const text of ['{"service": "daemon", "request": {"service": "x"}}', '{}', '[]', 'no JSON'])
		expect(fixturesIn(text)).toEqual([['', text]]);
});
