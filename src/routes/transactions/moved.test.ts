import { describe, expect, it } from 'vitest';
import { movedBy } from './moved.ts';

const TOKEN = 'ab'.repeat(32);
const none = () => undefined;

describe('what a transaction of the team moves', () => {
	it('is the sum of a payment with all its recipients', () => {
		const payments = [
			{ address: 'R1', amount: 1n },
			{ address: 'R2', amount: 2n }
		];
		expect(movedBy({ kind: 'coin-send', payments, amount: 3n, fee: 1n }, none)).toEqual({
			amount: 3n,
			decimals: null,
			recipients: ['R1', 'R2']
		});
	});

	it('is the units of a token with the digits that the team sees', () => {
		const asked = { tokenid: TOKEN, recipient: '02', units: 150n };
		expect(movedBy({ kind: 'token-transfer', ...asked }, () => 2)).toEqual({
			amount: 150n,
			decimals: 2,
			recipients: ['02']
		});
		expect(movedBy({ kind: 'token-burn', ...asked }, none)).toEqual({
			amount: 150n,
			decimals: 0,
			recipients: []
		});
	});

	it('is nothing where a notary says that a burn happened', () => {
		const said = { burnTxid: TOKEN, source: 'ALPHA', txOutProof: '' };
		expect(movedBy({ kind: 'notary-approval', ...said }, none).amount).toBeNull();
	});
});
