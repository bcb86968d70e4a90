import { expect, it } from 'vitest';
import { pubkeyFault } from './holder.ts';

const key = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95';

it('finds nothing wrong with a key on the curve', () => {
	expect(pubkeyFault(key)).toBeUndefined();
});

it('tells an address from a key', () => {
	expect(pubkeyFault('RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2')).toContain('This is an address');
});

it('names the first thing that is wrong with a key', () => {
	expect(pubkeyFault(`${key.slice(0, -1)}g`)).toContain('hex digits only');
	expect(pubkeyFault(key.slice(2))).toBe('A public key has 66 hex digits; this has 64.');
	expect(pubkeyFault(`04${key.slice(2)}`)).toContain('starts with 02 or 03');
	expect(pubkeyFault(`02${'ff'.repeat(32)}`)).toContain('point on the curve');
});
