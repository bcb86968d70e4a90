import { describe, expect, test } from 'vitest';
import { readTokenRequest, type TypedToken } from './tokenRequest.ts';

const NOW = 1_800_000_000_000;
const fine: TypedToken = {
	name: 'cron',
	role: 'viewer',
	expires: '30',
	methods: 'getinfo, tokenlist',
	daemons: 'ALPHA'
};
const read = (typed: Partial<TypedToken>) =>
	readTokenRequest({ ...fine, ...typed }, 'operator', ['KMD', 'ALPHA'], NOW);

describe('the form of a new API token', () => {
	test('gives the lists, and the end from now on', () => {
		expect(read({})).toEqual({
			request: {
				name: 'cron',
				role: 'viewer',
				methods: ['getinfo', 'tokenlist'],
				daemons: ['ALPHA'],
				expiresAt: NOW + 30 * 24 * 60 * 60 * 1000
			}
		});
		expect(read({ expires: '', methods: ' ', daemons: '' })).toMatchObject({
			request: { methods: null, daemons: null, expiresAt: null }
		});
	});

	test('takes methods of a trading node by their names on the wire', () => {
		expect(
			read({ methods: 'sign_message task::enable_utxo::init electrum my_tx_history' })
		).toMatchObject({
			request: { methods: ['sign_message', 'task::enable_utxo::init', 'electrum', 'my_tx_history'] }
		});
	});

	test('limits a token only to methods that there are', () => {
		for (const word of [
			'getinfos',
			'GETINFO',
			'legacy:my_tx_history',
			'constructor',
			'__proto__'
		]) {
			expect(read({ methods: `getinfo ${word}` })).toEqual({
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
				methods: 'x'.repeat(100),
				daemons: 'OMEGA'
			})
		).toEqual({
			errors: {
				name: 'Give the token a name of 1 to 80 characters.',
				role: 'A token can do at most what its member can do.',
				expires: 'Choose when the token expires.',
				methods: `There is no method "${'x'.repeat(60)}…".`,
				daemons: 'There is no daemon "OMEGA". There are: KMD, ALPHA.'
			}
		});
	});
});
