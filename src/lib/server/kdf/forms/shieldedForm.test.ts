/** The form of a shielded coin, whose chain is read through Electrum and lightwalletd servers. */
import { describe, expect, it } from 'vitest';
import { readCoins } from '../coins/parse.ts';
import { methodsFor } from '../coins/methodsFor.ts';
import { initialFields, type Offer, type Typed } from './fields.ts';
import { chosenServers, readForm } from './readForm.ts';

const LIGHT = 'https://lightd1.example:443';
const { coins } = readCoins({
	ARRR: {
		coin: 'ARRR',
		required_confirmations: 2,
		requires_notarization: true,
		protocol: { type: 'ZHTLC', protocol_data: {} },
		light_wallet_d_servers: [LIGHT]
	}
});
const coin = coins[0]!;
const servers = [{ url: 'a.example:10001', protocol: 'TCP' as const }];
const offer: Offer = {
	coin,
	method: 'task::enable_z_coin',
	servers,
	sockets: false,
	mayName: true
};
const read = (change: Partial<Typed> = {}, more: Partial<Offer> = {}) => {
	const given = { ...offer, ...more };
	return readForm({ ...initialFields(given), ...change }, given);
};
const faults = (change: Partial<Typed>, more: Partial<Offer> = {}) => {
	const answer = read(change, more);
	return answer.ok ? {} : answer.errors;
};

describe('the form of a shielded coin', () => {
	it('has one way, and sends everything but what the node is to decide', () => {
		expect(methodsFor(coin)).toEqual(['task::enable_z_coin']);
		expect(read()).toEqual({
			ok: true,
			params: {
				ticker: 'ARRR',
				activation_params: {
					mode: {
						rpc: 'Light',
						rpc_data: {
							electrum_servers: servers,
							light_wallet_d_servers: [LIGHT],
							min_connected: 1,
							max_connected: 1,
							skip_sync_params: false
						}
					},
					required_confirmations: 2,
					requires_notarization: true,
					scan_blocks_per_iteration: 1000,
					scan_interval_ms: 0,
					account: 0
				}
			}
		});
	});

	it.each([
		[{ sync_from: 'earliest' }, 'earliest'],
		[{ sync_from: 'height', sync_height: '152855' }, { height: 152_855 }],
		// Midnight UTC.
		[{ sync_from: 'date', sync_date: '2024-01-02' }, { date: 1_704_153_600 }]
	])('begins to read where it is told: %o', (change, start) => {
		expect(read(change)).toMatchObject({
			params: { activation_params: { mode: { rpc_data: { sync_params: start } } } }
		});
	});

	it.each([
		['server', { server: [] }, /at least one server/],
		['light_server', { light_server: [] }, /at least one lightwalletd server/],
		['light_server', { light_server: ['https://elsewhere.example'] }, /no longer in the list/],
		['free_light_servers', { free_light_servers: 'own.example:443' }, /https:\/\//],
		['sync_from', { sync_from: 'yesterday' }, /where to begin/],
		['sync_date', { sync_from: 'date', sync_date: '2024-13-02' }, /Enter the date/],
		['sync_date', { sync_from: 'date', sync_date: '2024-02-30' }, /Enter the date/],
		['sync_date', { sync_from: 'date' }, /Enter the date/],
		['sync_height', { sync_from: 'height' }, /whole number/],
		['scan_blocks_per_iteration', { scan_blocks_per_iteration: '0' }, /1 or more/],
		['scan_interval_ms', { scan_interval_ms: '-1' }, /whole number/],
		['scan_interval_ms', { scan_interval_ms: '1000001' }, /from 0 to 1000000/],
		['account', { account: '' }, /whole number/]
	] as const)('says at the field %s what is wrong with it: %o', (field, change, sentence) => {
		expect(faults(change as Partial<Typed>)[field]).toMatch(sentence);
	});

	it('keeps servers that are in no list, and paths on the disk of the node, to admins', () => {
		const own = { mayName: false };
		expect(faults({ free_light_servers: 'https://own.example' }, own)).toHaveProperty(
			'free_light_servers'
		);
		expect(faults({ zcash_params_path: '/etc' }, own)).toHaveProperty('zcash_params_path');
		expect(read({ zcash_params_path: '/params' })).toMatchObject({
			params: { activation_params: { zcash_params_path: '/params' } }
		});
	});

	it('gives its servers of both kinds to be tested, however wrong the rest is', () => {
		const typed = { ...initialFields(offer), sync_from: 'yesterday' };
		expect(chosenServers(typed, offer)).toEqual({
			servers,
			lightServers: [LIGHT],
			errors: {}
		});
	});
});
