import { expect, it } from 'vitest';
import { activityMessage, chainsLead } from './overview.ts';

it('says how many daemons are online beside the chains', () => {
	expect(chainsLead(5, [], { all: 7, unusable: 0 })).toBe('All 5 chains and 7 daemons online');
	expect(chainsLead(5, [], { all: 7, unusable: 1 })).toBe('All 5 chains and 6 of 7 daemons online');
	expect(chainsLead(1, [], { all: 1, unusable: 0 })).toBe('1 chain and 1 daemon online');
});

it('makes characters visible that a burn hides in the name of a chain', () => {
	expect(activityMessage('burn', 'BETA\u202e', null)).toBe('Burn to BETA‹U+202E›');
	expect(activityMessage('token-import', 'BETA\u202e', null)).toBe(
		'Token import from BETA‹U+202E›'
	);
});

it('tells an import whose source chain is not named from a self-import', () => {
	expect(activityMessage('import', '', null)).toBe('Import, source chain not named');
	expect(activityMessage('import', null, null)).toBe('Self-import');
});
