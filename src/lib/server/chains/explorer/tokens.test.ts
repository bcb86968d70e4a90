import { expect, it } from 'vitest';
import { tokenFacts } from './tokens.ts';

const plain = {
	result: 'success' as const,
	tokenid: 'ab'.repeat(32),
	owner: `02${'cd'.repeat(32)}`,
	name: 'TOK',
	supply: 100n,
	description: ''
};

it('calls a token without data fungible and made here', () => {
	expect(tokenFacts(plain)).toMatchObject({ kind: 'fungible', data: null, imported: null });
});

it('calls a token with data non-fungible', () => {
	expect(tokenFacts({ ...plain, supply: 1n, data: 'f1aa' })).toMatchObject({
		kind: 'non-fungible',
		data: 'f1aa'
	});
});

it('says where an imported token comes from', () => {
	expect(
		tokenFacts({
			...plain,
			IsImported: 'yes',
			sourceChain: 'ALPHA',
			sourceTokenId: 'ef'.repeat(32)
		}).imported
	).toEqual({ chain: 'ALPHA', tokenid: 'ef'.repeat(32) });
});

it('does not show the daemon’s placeholder as a chain', () => {
	expect(
		tokenFacts({
			...plain,
			IsImported: 'yes',
			sourceChain: "can't decode",
			sourceTokenId: "can't decode"
		}).imported
	).toEqual({ chain: null, tokenid: null });
});
