import { expect, test } from 'vitest';
import { authorityOf } from './notaryAuthority.ts';

test.each([
	['TXSCLX', 'TXSCL'],
	['CFEKA', 'LABS'],
	['TESTX', 'LABS'],
	['LABS', 'LABS'],
	['THIS_CHAIN_IS_BANNED', 'LABS'],
	['ALPHA', 'KMD'],
	['KMD', 'KMD']
])('%s is notarized by the notaries of %s', (chain, authority) => {
	expect(authorityOf(chain)).toBe(authority);
});
