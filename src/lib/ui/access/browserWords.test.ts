import { expect, test } from 'vitest';
import { browserWords } from './browserWords.ts';

test.each([
	[
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
		'Chrome on Linux'
	],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0',
		'Edge on Windows'
	],
	['Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Windows'],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
		'Safari on iOS'
	],
	[
		'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36',
		'Chrome on Android'
	],
	['curl/8.5.0', 'curl/8.5.0'],
	['x'.repeat(60), `${'x'.repeat(40)}…`],
	['', 'not said'],
	[null, 'not said']
])('%s is called %s', (userAgent, words) => {
	expect(browserWords(userAgent)).toBe(words);
});
