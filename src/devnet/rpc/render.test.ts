import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { transparent } from '#lib/chain/transaction.ts';
import { decodedTransaction } from './render.ts';

test('an output for one of two keys is decoded with both addresses and the number of signatures', () => {
	const keys = [1, 2].map((n) => publicKeyOf(new Uint8Array(32).fill(n)));
	const pushes = keys.flatMap((key) => [key.length, ...key]);
	const script = Uint8Array.of(0x51, ...pushes, 0x52, 0xae);
	const { vout } = decodedTransaction(transparent({ vin: [], vout: [{ value: 1n, script }] }), 0);
	expect(vout).toMatchObject([
		{
			scriptPubKey: {
				type: 'multisig',
				reqSigs: { source: '1' },
				addresses: keys.map((key) => addressOfPubkey(key))
			}
		}
	]);
});
