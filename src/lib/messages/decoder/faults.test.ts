import { expect, test } from 'vitest';
import { explainHex } from '#lib/chain/explain.ts';
import { explainFaultMessage } from './faults.ts';

test.each([
	['', 'Nothing to decode: paste hex first.'],
	['0400zz', 'This is not hex. Character 5 is not a hexadecimal digit.'],
	['abc', 'This is not hex. The number of hexadecimal digits is odd.'],
	[
		'ff'.repeat(300),
		'Not recognized: 300 bytes that are no transaction, block, proof, payload, payouts or script.'
	],
	[
		'0400008085202f8901',
		'This starts like a transaction, but makes no sense from byte 8 onward. The number of inputs is 1, more than the remaining bytes can hold.'
	]
])('the words for what %.20j cannot be decoded as', (hex, words) => {
	const found = explainHex(hex);
	expect('code' in found && explainFaultMessage(found)).toBe(words);
});
