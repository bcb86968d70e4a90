import { expect, it } from 'vitest';
import { isolated } from './isolated.ts';

it('isolates names that are written from right to left, in part too, and leaves all others', () => {
	for (const name of ['זהב', 'الذهب', 'Gold זהב', '𐤀𐤁', '𞤀𞤁']) {
		expect(isolated(name)).toBe(`\u2068${name}\u2069`);
	}
	for (const name of ['Gold', '金 7', 'Золото', '000 BTC', '']) expect(isolated(name)).toBe(name);
});
