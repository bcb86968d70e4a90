import { describe, expect, it } from 'vitest';
import { headlineMessage, type TokenUnits } from './headlines.ts';

const token: TokenUnits = { tokenid: 'ab'.repeat(32), name: 'Gold', units: 12_345n, decimals: 2 };

describe('a headline', () => {
	it('shows the decimals of a token with a name, and base units of one without', () => {
		const destroyed = (name: string | null) =>
			headlineMessage({ code: 'token-destroy', token: { ...token, name } });
		expect(destroyed('Gold')).toBe('Burns 123.45 Gold permanently');
		for (const name of [null, ' ']) {
			expect(destroyed(name)).toBe('Burns 12\u202f345 base units of a token permanently');
		}
	});
});
