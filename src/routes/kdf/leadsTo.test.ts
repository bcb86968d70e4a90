import { expect, test } from 'vitest';
import { leadsTo } from './leadsTo.ts';

test('the path and the query of a provider’s URL, which may hold a key, are left out', () => {
	expect(leadsTo('https://node.example:8545/v3/canary?key=canary')).toBe(
		'https://node.example:8545'
	);
	expect(leadsTo('https://canary:canary@node.example/')).toBe('https://node.example');
	expect(leadsTo('not an address')).toBe('not an address');
});
