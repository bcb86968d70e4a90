import { expect, test } from 'vitest';
import { sizeVerdict } from './tokenSize.ts';

const FITS = { script: 5_000 };

test('warns of a burn above 30 percent of 10001 bytes', () => {
	expect(sizeVerdict({ ...FITS, burn: 3_000 }, 'BETA', null)).toBeNull();
	expect(sizeVerdict({ ...FITS, burn: 3_001 }, 'BETA', null)).toEqual({
		result: 'warn',
		message: { code: 'token.large', params: { burn: 3_001, recommended: 3_000 } }
	});
});
