import { describe, expect, test } from 'vitest';
import type { Plain } from '../client/plain.ts';
import { permittedParams } from './permittedParams.ts';

const server = (url: string, protocol: 'TCP' | 'SSL' = 'TCP') => ({ url, protocol });
const closed = (url: string, protocol: 'TCP' | 'SSL' | 'HTTP' | 'gRPC') => ({
	url,
	protocol,
	forbidden: true
});
const open = (url: string) => ({ url, protocol: 'TCP', forbidden: false }) as const;

const light = (data: { readonly [name: string]: Plain }) => ({
	ticker: 'ARRR',
	activation_params: { mode: { rpc: 'Light', rpc_data: data } }
});

describe('the parameters of an activation', () => {
	test('stay as they are when no server is in a network that is not listed', () => {
		const params = { coin: 'KMD', servers: [server('a:1')], max_connected: 3 };
		expect(permittedParams(params, [open('a:1')])).toEqual(params);
	});

	test('lose closed servers, and wait for no more connections than servers are left', () => {
		const params = {
			coin: 'KMD',
			servers: [server('a:1'), server('b:1'), server('b:1', 'SSL')],
			min_connected: 3,
			max_connected: 3
		};
		expect(permittedParams(params, [open('a:1'), closed('b:1', 'TCP')])).toEqual({
			coin: 'KMD',
			servers: [server('a:1'), server('b:1', 'SSL')],
			min_connected: 2,
			max_connected: 2
		});
		expect(
			permittedParams({ servers: [server('a:1')], min_connected: 1 }, [closed('a:1', 'TCP')])
		).toEqual({ servers: [], min_connected: 1 });
	});

	test('lose closed nodes of an EVM chain, in both forms of its call', () => {
		const probes = [closed('http://b', 'HTTP')];
		expect(permittedParams({ nodes: [{ url: 'http://a' }, { url: 'http://b' }] }, probes)).toEqual({
			nodes: [{ url: 'http://a' }]
		});
		expect(permittedParams({ urls: ['http://a', 'http://b'] }, probes)).toEqual({
			urls: ['http://a']
		});
	});

	test('lose closed servers of both kinds that a shielded coin needs', () => {
		const params = light({
			electrum_servers: [server('a:1'), server('b:1')],
			light_wallet_d_servers: ['https://c', 'https://d']
		});
		expect(permittedParams(params, [closed('b:1', 'TCP'), closed('https://d', 'gRPC')])).toEqual(
			light({ electrum_servers: [server('a:1')], light_wallet_d_servers: ['https://c'] })
		);
	});
});
