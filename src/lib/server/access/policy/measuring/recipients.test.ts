import { expect, test } from 'vitest';
import { recipientsOfCall } from './recipients.ts';

test('a call pays the address that it names, and no text that is longer than any address', () => {
	const paid = (text: string) => recipientsOfCall('sendtoaddress', [JSON.stringify(text), '1']);
	const address = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
	expect(paid(address)).toEqual([address]);
	expect(paid('R'.repeat(1_000))).toBeNull();
	expect(paid('an address')).toBeNull();
});
