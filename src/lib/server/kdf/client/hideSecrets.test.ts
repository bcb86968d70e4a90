import { describe, expect, test } from 'vitest';
import { hideSecrets } from './hideSecrets.ts';

describe('an answer that repeats a secret', () => {
	test.each([
		// However the string is escaped.
		['{"a":"x \\u0031\\u0032 y"}', '12', '{"a":"x ••• y"}'],
		['{"a":"line\\nn"}', 'n', '{"a":"line\\n•••"}'],
		['{"a":"{\\"pin\\":\\"q\\\\\\"1\\"}"}', 'q"1', '{"a":"{\\"pin\\":\\"•••\\"}"}'],
		// Names of the envelope are kept, other names of that length are not.
		['{"result":"result","x-result":1}', 'result', '{"result":"•••","x-•••":1}'],
		// A number is masked as a whole or not at all.
		['{"id":1234567,"n":0.123456,"p":123456}', '123456', '{"id":1234567,"n":0.123456,"p":"•••"}'],
		// Text that is not JSON.
		['PIN 12 is wrong, not 123', '12', 'PIN ••• is wrong, not 123'],
		['[node] PIN 12 is wrong', '12', '[node] PIN ••• is wrong'],
		['{"cut":"PIN 12', '12', '{"cut":"PIN •••'],
		['<p>words of mine</p>', 'words of mine', '<p>•••</p>']
	])('%s without %s', (text, secret, left) => {
		expect(hideSecrets(text, [secret])).toBe(left);
	});

	test('millions of values take no time worth telling', () => {
		const numbers = `[${'0,'.repeat(500_000)}"12"]`;
		const quotes = `["${'\\\\'.repeat(250_000)}","12"]`;
		expect(hideSecrets(numbers, ['12']).endsWith(',"•••"]')).toBe(true);
		expect(hideSecrets(quotes, ['12']).endsWith(',"•••"]')).toBe(true);
		const texts = `[${'"a",'.repeat(8_000_000)}"a long secret"]`;
		expect(hideSecrets(texts, ['a long secret']).endsWith(',"•••"]')).toBe(true);
	});
});
