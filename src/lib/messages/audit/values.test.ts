import { describe, expect, test } from 'vitest';
import { changeWords } from '../changes.ts';
import { recordedValue } from './values.ts';

const RULE = {
	who: { is: 'member', account: 'a1' },
	wallet: null,
	kind: 'coin-send',
	asset: { is: 'coin', chain: 'ALPHA' },
	over: '1000000000',
	window: null,
	recipient: { is: 'anyone' },
	effect: { is: 'deny' }
};

describe('a value of an event', () => {
	test.each([
		['limit', { count: '3', amount: '200000000' }, '3 in 24 hours, 2.00000000 coins in 24 hours'],
		['limit', { count: null, amount: null }, 'none'],
		['fee-cap', { most: '7000' }, '0.00007000 coins'],
		['fee-cap', { most: null }, 'none'],
		['wallets', { every: false, daemons: ['ALPHA', 'BETA'] }, 'ALPHA, BETA'],
		['every-chain', {}, 'every chain'],
		['account-state', { role: 'viewer', enabled: false, lost: null }, 'viewer, disabled'],
		['account-means', { means: 'invitation-single-sign-on' }, 'invitation and single sign-on'],
		['approval-void', { why: 'facts-changed' }, 'The transaction has a different effect now.'],
		[
			'moved',
			{ movements: [{ kind: 'coin-send', chain: 'ALPHA', tokenid: null, total: '110000000' }] },
			'1.1 ALPHA'
		],
		[
			'rule',
			{ rule: RULE, members: [['a1', 'eve']], tokens: [] },
			'Sends of coins of ALPHA by eve, more than 10 ALPHA in one transaction: deny.'
		],
		[
			'row',
			{
				table: 'accounts',
				key: ['a1'],
				whose: 'eve',
				account: 'a1',
				expected: [
					['role', 'viewer'],
					['password_hash', '']
				],
				found: [
					['role', 'admin'],
					['password_hash', '']
				]
			},
			'The account eve was changed outside of Komodeck: role expected viewer, found admin; password_hash was replaced.'
		],
		[
			'change',
			{ change: 'member.wallets', facts: { member: 'eve', before: 'none', after: 'ALPHA' } },
			'Wallets of eve'
		]
	])('with the code %s is shown in words', (code, params, text) => {
		expect(recordedValue({ code, params })).toBe(text);
	});

	test('is found inside of others, which stay as they are', () => {
		const to = { code: 'no-address', params: {} };
		const stored = { recipients: [{ to, amount: '1' }], asset: { code: 'new-token', params: {} } };
		expect(recordedValue(stored)).toEqual({
			recipients: [{ to: 'a script without an address', amount: '1' }],
			asset: 'a new token'
		});
	});

	test('of a proposal that an early release stored names the same wallets', () => {
		const linesOf = (wallets: string) =>
			changeWords('member.invite', { name: 'eve', role: 'operator', wallets }).lines;
		expect(linesOf('none').map(({ label }) => label)).toEqual(['Role']);
		for (const [stored, shown] of [
			['every wallet', 'All'],
			['ALPHA, BETA', 'ALPHA, BETA']
		] as const) {
			expect(linesOf(stored)).toContainEqual({ label: 'Wallets', before: 'None', after: shown });
		}
	});

	test('that is a text, or that this release cannot read, is shown as it is stored', () => {
		for (const stored of [
			'2.00000000 coins',
			null,
			7,
			{ code: 'unheard-of', params: {} },
			{ code: 'rule', params: { rule: { who: { is: 'a new kind' } }, members: [] } }
		]) {
			expect(recordedValue(stored)).toEqual(stored);
		}
	});
});
