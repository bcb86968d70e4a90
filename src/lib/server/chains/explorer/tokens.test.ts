import { expect, it } from 'vitest';
import { tokenFacts } from './tokens.ts';

const ID = 'ab'.repeat(32);
const plain = {
	result: 'success' as const,
	tokenid: ID,
	owner: `02${'cd'.repeat(32)}`,
	name: 'TOK',
	supply: 100n,
	description: ''
};

it('calls a token without data fungible and made here', () => {
	expect(tokenFacts(ID, plain)).toMatchObject({ kind: 'fungible', data: null, imported: null });
});

it('calls a token with data non-fungible', () => {
	expect(tokenFacts(ID, { ...plain, supply: 1n, data: 'f1aa' })).toMatchObject({
		kind: 'non-fungible',
		data: 'f1aa'
	});
});

it('says where an imported token comes from', () => {
	expect(
		tokenFacts(ID, {
			...plain,
			IsImported: 'yes',
			sourceChain: 'ALPHA',
			sourceTokenId: 'ef'.repeat(32)
		}).imported
	).toEqual({ chain: 'ALPHA', tokenid: 'ef'.repeat(32) });
});

it('does not show the daemon’s placeholder as a chain', () => {
	expect(
		tokenFacts(ID, {
			...plain,
			IsImported: 'yes',
			sourceChain: "can't decode",
			sourceTokenId: "can't decode"
		}).imported
	).toEqual({ chain: null, tokenid: null });
});
