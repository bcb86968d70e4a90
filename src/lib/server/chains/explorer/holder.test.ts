import { expect, it } from 'vitest';
import { pubkeyFaultMessage } from '#lib/messages/pages/holder.ts';
import { pubkeyFault } from './holder.ts';

const key = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95';

it('finds nothing wrong with a key on the curve', () => {
	expect(pubkeyFault(key)).toBeNull();
});

it.each([
	['RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2', { code: 'address' }, /^This is an address/],
	[`${key.slice(0, -1)}g`, { code: 'notHex' }, /hex digits only/],
	[key.slice(2), { code: 'length', digits: 64 }, /^A public key has 66 hex digits; this has 64\.$/],
	[`04${key.slice(2)}`, { code: 'prefix' }, /starts with 02 or 03/],
	[`02${'ff'.repeat(32)}`, { code: 'notOnCurve' }, /point on the curve/]
])('names the first thing that is wrong with %s', (text, fault, words) => {
	const found = pubkeyFault(text);
	expect(found).toEqual(fault);
	expect(found && pubkeyFaultMessage(found)).toMatch(words);
});
