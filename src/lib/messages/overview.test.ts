import { expect, it } from 'vitest';
import { chainsLead } from './overview.ts';

it('says how many daemons are online beside the chains', () => {
	expect(chainsLead(5, [], { all: 7, offline: 0 })).toBe('All 5 chains and 7 daemons online');
	expect(chainsLead(5, [], { all: 7, offline: 1 })).toBe('All 5 chains and 6 of 7 daemons online');
	expect(chainsLead(1, [], { all: 1, offline: 0 })).toBe('1 chain and 1 daemon online');
});
