import { describe, expect, test } from 'vitest';
import { recipientLines } from './lines.ts';

const KEY = `02${'ab'.repeat(32)}`;
const ADDRESS = 'RRMEVW9BGvs27Z1wnAmGAMa1jeU5bWKg3g';

const read = (text: string) =>
	recipientLines(text).map(({ recipient, amount }) => [recipient, amount]);

describe.each([KEY, ADDRESS])('after %s', (recipient) => {
	test.each([',', ', ', ' , ', ';', '; ', '\t', ' ', '   '])(
		'%j leads to the amount',
		(between) => {
			expect(read(`${recipient}${between}2.5`)).toEqual([[recipient, '2.5']]);
			expect(read(` ${recipient}${between}2.5 \r\n`)).toEqual([[recipient, '2.5']]);
		}
	);

	test.each([
		// Cut at the comma, the amount would be 1.
		[',1,000', '1,000'],
		[' 1,5', '1,5'],
		[';1,5', '1,5'],
		[' 1 2', '1 2'],
		[',250,for the berth', '250,for the berth'],
		[',250,,', '250'],
		['', '']
	])('nothing of %j is left out', (after, amount) => {
		expect(read(`${recipient}${after}`)).toEqual([[recipient, amount]]);
	});
});

test('lines with different separators stand beside each other', () => {
	expect(read(`${KEY} 1\n${KEY},2\n${KEY};3\n${KEY}\t4`)).toEqual([
		[KEY, '1'],
		[KEY, '2'],
		[KEY, '3'],
		[KEY, '4']
	]);
	expect(read(`${KEY},1\n${KEY} 2\n${KEY};3`)).toEqual([
		[KEY, '1'],
		[KEY, '2'],
		[KEY, '3']
	]);
	expect(read(`${KEY};1\n${KEY},2`)).toEqual([
		[KEY, '1'],
		[KEY, '2']
	]);
});

test('a label may have spaces, and in quotes a comma', () => {
	expect(read('House wallet,5\n"Smith, John",6')).toEqual([
		['House wallet', '5'],
		['Smith, John', '6']
	]);
});

test('column names and empty lines are left out, and lines keep their numbers', () => {
	expect(recipientLines(`address,coins\r\n\r\n${ADDRESS}, 250 \r\n`)).toEqual([
		{ line: 3, recipient: ADDRESS, amount: '250' }
	]);
	expect(recipientLines(' \n\t\n')).toEqual([]);
});

test('as many separators as a form takes are read at once', { timeout: 5_000 }, () => {
	const most = 256 * 1024;
	for (const sign of [',', ';', '\t', ' ', ', ', ' ,\t']) {
		const many = sign.repeat(most / sign.length);
		for (const text of [`${ADDRESS} 1${many}x`, `${ADDRESS}${many}x`, `"${ADDRESS} 1${many}x";2`]) {
			expect(recipientLines(text)).toHaveLength(1);
		}
	}
	expect(read(`${ADDRESS} 1 ;,\t;`)).toEqual([[ADDRESS, '1']]);
});
