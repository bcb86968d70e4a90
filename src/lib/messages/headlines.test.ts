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

	it('makes characters visible that a burn hides in the name of a chain', () => {
		const coins = { value: 100_000_000n, ticker: 'ALPHA' };
		const name = 'BETA\u202e';
		const shown = 'BETA‹U+202E›';
		expect([
			headlineMessage({ code: 'burn', burned: coins, target: name }),
			headlineMessage({ code: 'token-burn', token, target: name }),
			headlineMessage({ code: 'import', created: coins, source: name }),
			headlineMessage({ code: 'token-import', token, source: name })
		]).toEqual([
			`Burns 1 ALPHA for ${shown}`,
			`Burns 123.45 Gold for ${shown}`,
			`Imports 1 ALPHA from ${shown}`,
			`Imports 123.45 Gold from ${shown}`
		]);
	});
});
