import { describe, expect, test } from 'vitest';
import { lifetimesOf, readTokenRequest, type TypedToken } from './tokenRequest.ts';

const NOW = 1_800_000_000_000;
const ADDRESS = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA';
const KEY = '0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e';
const fine: TypedToken = {
	name: 'cron',
	role: 'viewer',
	expires: '30',
	methods: ['getinfo', 'tokenlist'],
	daemons: ['ALPHA'],
	wallets: [],
	addresses: '',
	each: '',
	day: '',
	recipients: ''
};
const choices = {
	places: ['KMD', 'ALPHA'],
	wallets: ['ALPHA'],
	chains: ['KMD', 'ALPHA'],
	rule: { mostDays: 365, endless: true }
};
const read = (typed: Partial<TypedToken>) =>
	readTokenRequest({ ...fine, ...typed }, 'operator', choices, NOW);

describe('the form of a new API token', () => {
	test('gives the lists, and the end from now on', () => {
		expect(read({})).toEqual({
			request: {
				name: 'cron',
				role: 'viewer',
				methods: ['getinfo', 'tokenlist'],
				daemons: ['ALPHA'],
				wallets: null,
				addresses: null,
				amounts: null,
				recipients: null,
				expiresAt: NOW + 30 * 24 * 60 * 60 * 1000
			}
		});
		expect(read({ expires: '', methods: [], daemons: [] })).toMatchObject({
			request: { methods: null, daemons: null, expiresAt: null }
		});
	});

	test('reads networks, amounts by chain and recipients, of which a key stands for its address', () => {
		expect(
			read({
				wallets: ['ALPHA'],
				addresses: '10.1.2.3/8, ::1\n192.0.2.7',
				each: '5 ALPHA=0.5',
				day: 'ALPHA=20',
				recipients: `${ADDRESS} ${KEY.toUpperCase()}`
			})
		).toMatchObject({
			request: {
				wallets: ['ALPHA'],
				addresses: ['10.0.0.0/8', '::1', '192.0.2.7'],
				amounts: [
					{ chain: '*', each: 500_000_000n, day: null },
					{ chain: 'ALPHA', each: 50_000_000n, day: 2_000_000_000n }
				],
				recipients: [ADDRESS, expect.stringMatching(/^R\w{33}$/) as string]
			}
		});
	});

	test('takes no second amount for a chain: a decimal comma would make a larger limit', () => {
		expect(read({ each: '1,5' })).toMatchObject({
			errors: { each: expect.stringMatching(/^There are two amounts for every chain\./) as string }
		});
		expect(read({ day: 'ALPHA=20 5 ALPHA=30' })).toMatchObject({
			errors: { day: expect.stringMatching(/^There are two amounts for ALPHA\./) as string }
		});
	});

	test('offers ends within what an admin allows, and takes no other', () => {
		expect(lifetimesOf({ mostDays: 365, endless: true })).toEqual(['7', '30', '90', '365', '']);
		expect(lifetimesOf({ mostDays: 60, endless: false })).toEqual(['7', '30', '60']);
		expect(lifetimesOf({ mostDays: 1, endless: false })).toEqual(['1']);
		expect(lifetimesOf({ mostDays: 1000, endless: false })).toEqual([
			'7',
			'30',
			'90',
			'365',
			'1000'
		]);
		expect(read({ expires: '31' })).toMatchObject({
			errors: { expires: expect.any(String) as string }
		});
	});

	test('takes methods of a trading node by their names on the wire', () => {
		const methods = ['sign_message', 'task::enable_utxo::init', 'electrum', 'my_tx_history'];
		expect(read({ methods })).toMatchObject({ request: { methods } });
	});

	test('limits a token only to methods that there are', () => {
		for (const word of [
			'getinfos',
			'GETINFO',
			'legacy:my_tx_history',
			'constructor',
			'__proto__'
		]) {
			expect(read({ methods: ['getinfo', word] })).toEqual({
				errors: { methods: `There is no method "${word}".` }
			});
		}
	});

	test('names every mistake at once', () => {
		expect(
			read({
				name: 'n'.repeat(300),
				role: 'admin',
				expires: '31',
				methods: ['x'.repeat(100)],
				daemons: ['OMEGA'],
				wallets: ['KMD'],
				addresses: '10.0.0.0/33',
				each: 'OMEGA=1',
				day: 'many',
				recipients: 'nobody'
			})
		).toEqual({
			errors: {
				name: 'Give the token a name of 1 to 80 characters.',
				role: 'A token can do at most what its member can do.',
				expires: 'Choose when the API token expires.',
				methods: `There is no method "${'x'.repeat(60)}…".`,
				daemons: 'There is no daemon "OMEGA". There are: KMD, ALPHA.',
				wallets: 'There is no daemon "KMD". There are: ALPHA.',
				addresses: '"10.0.0.0/33" is no IP address and no network.',
				each: 'There is no chain "OMEGA". There are: KMD, ALPHA.',
				day: expect.stringMatching(/^many: /) as string,
				recipients: '"nobody" is no address and no public key.'
			}
		});
	});
});
