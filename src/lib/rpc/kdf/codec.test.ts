import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../json.ts';
import { decodeKdfParams, decodeKdfResult, encodeKdfParams } from './codec.ts';
import {
	findKdfMethod,
	isKdfMethod,
	methodOfBody,
	kdfDefinition,
	nodeExamples,
	kdfMethods,
	type KdfMethod,
	type KdfParams
} from './index.ts';
import { RpcError } from '../rpcError.ts';

const wire = (value: unknown) => parseJson(JSON.stringify(value));
const keys = Object.keys(kdfMethods) as KdfMethod[];

test('every example can be written in both dialects and read again, in each and without saying which', () => {
	let count = 0;
	for (const key of keys) {
		for (const example of nodeExamples(key)) {
			for (const dialect of ['kdf', 'seed'] as const) {
				const written = encodeKdfParams(key, example, dialect) ?? undefined;
				const again = written === undefined ? undefined : parseJson(stringifyJson(written));
				expect(decodeKdfParams(key, again, dialect), `${key} ${dialect}`).toEqual(example);
				expect(decodeKdfParams(key, again), `${key} any`).toEqual(example);
			}
			count += 1;
		}
	}
	expect(count).toBe(keys.filter((key) => kdfDefinition(key).access !== 'never').length);
});

describe('words', () => {
	const key = 'task::enable_bch::user_action';
	const action = (type: string) => ({ task_id: 1, user_action: { action_type: type, pin: '12' } });

	test('of each dialect are refused by the other, and taken where either is', () => {
		const native = decodeKdfParams(key, wire(action('TrezorPin')), 'kdf');
		expect(native.user_action.action_type).toBe('HardwarePin');
		expect(decodeKdfParams(key, wire(action('HardwarePin')), 'seed')).toEqual(native);
		expect(decodeKdfParams(key, wire(action('HardwarePin')))).toEqual(native);
		expect(() => decodeKdfParams(key, wire(action('HardwarePin')), 'kdf')).toThrow(
			expect.objectContaining({
				params: {
					place: 'user_action.action_type',
					fault: expect.stringMatching('TrezorPin') as string
				}
			})
		);
		expect(() => decodeKdfParams(key, wire(action('TrezorPin')), 'seed')).toThrow(RpcError);
	});

	test('of a task’s steps are neutral here, and those that nobody knows pass', () => {
		const status = (dialect: 'kdf' | 'seed', details: unknown, word = 'InProgress') =>
			decodeKdfResult('task::enable_utxo::status', wire({ status: word, details }), dialect);
		expect(status('kdf', 'WaitingForTrezorToConnect').details).toBe('WaitingForHardwareToConnect');
		expect(status('seed', 'WaitingForHardwareToConnect').details).toBe(
			'WaitingForHardwareToConnect'
		);
		expect(status('kdf', 'EnterTrezorPin', 'UserActionRequired').details).toBe('EnterHardwarePin');
		expect(status('seed', undefined, 'UserActionRequired').details).toBe('EnterHardwarePin');
		expect(status('kdf', 'SomethingNew').details).toBe('SomethingNew');
	});

	test('of the error of a failed task stand in the same place, whatever the dialect and the status', () => {
		const error = {
			error: 'Internal error: x',
			error_path: 'lib',
			error_trace: 'lib:1]',
			error_type: 'Internal',
			error_data: 'x'
		};
		const read = (answer: unknown) =>
			decodeKdfResult('task::enable_bch::status', wire(answer), 'seed');
		const native = read({ status: 'Error', details: error });
		expect(native).toEqual({ status: 'Error', details: error });
		expect(read({ status: 'Error', details: { result: error } })).toEqual(native);
		expect(read({ status: 'Ok', details: { result: error } })).toEqual(native);
	});
});

describe('who holds the key', () => {
	type KeyPolicy = NonNullable<KdfParams<'enable_eth_with_tokens'>['priv_key_policy']>;
	const evm = <P>(policy: P) => ({
		ticker: 'ETH',
		nodes: [],
		swap_contract_address: `0x${'1'.repeat(40)}`,
		fallback_swap_contract: `0x${'2'.repeat(40)}`,
		erc20_tokens_requests: [],
		priv_key_policy: policy
	});
	const utxo = <P>(policy: P) => ({
		ticker: 'KMD',
		activation_params: { mode: { rpc: 'Native' as const }, priv_key_policy: policy }
	});

	test.each<[KeyPolicy, object, unknown]>([
		[{ type: 'ContextPrivKey' }, { type: 'ContextPrivKey' }, 'ContextPrivKey'],
		[{ type: 'HardwareWallet' }, { type: 'Trezor' }, 'Trezor'],
		[
			{ type: 'RemoteSigner', session: 'aa' },
			{ type: 'WalletConnect', params: { session_topic: 'aa' } },
			{ WalletConnect: { session_topic: 'aa' } }
		]
	])('%j is spelled for EVM and for UTXO coins in their own ways', (native, tagged, bare) => {
		const ofEvm = encodeKdfParams('enable_eth_with_tokens', evm(native), 'kdf');
		expect((ofEvm as { priv_key_policy: unknown }).priv_key_policy).toEqual(tagged);
		const ofUtxo = encodeKdfParams('task::enable_utxo::init', utxo(native), 'kdf');
		expect(
			(ofUtxo as { activation_params: { priv_key_policy: unknown } }).activation_params
				.priv_key_policy
		).toEqual(bare);
		const read = decodeKdfParams('enable_eth_with_tokens', wire(evm(tagged)));
		expect(read.priv_key_policy).toEqual(native);
	});

	test('is read from either form of the documents', () => {
		const read = (policy: unknown) =>
			decodeKdfParams('enable_eth_with_tokens', wire(evm(policy))).priv_key_policy;
		const remote = { type: 'RemoteSigner', session: 'aa' };
		expect(read({ type: 'RemoteSigner', data: 'aa' })).toEqual(remote);
		expect(read({ type: 'WalletConnect', data: 'aa' })).toEqual(remote);
		expect(() => read('ContextPrivKey')).toThrow(/"place":"priv_key_policy/);
	});
});

describe('the path of an address', () => {
	const selector = (address: unknown, dialect?: 'kdf' | 'seed') =>
		decodeKdfParams('sign_message', wire({ coin: 'KMD', message: '', address }), dialect).address;

	test('is a path, or account, side and number together', () => {
		const parts = { account_id: 1, chain: 'Internal', address_id: 2 };
		expect(selector({ derivation_path: "m/44'/141'/1'/1/2" }, 'kdf')).toEqual({
			derivation_path: "m/44'/141'/1'/1/2"
		});
		expect(selector(parts, 'kdf')).toEqual(parts);
		expect(() => selector({ account_id: 1 }, 'kdf')).toThrow(RpcError);
		expect(() => selector({ ...parts, chain: 'external' })).toThrow(RpcError);
		expect(() => selector({ ...parts, chain: 1 })).toThrow(RpcError);
	});

	test('is completed with zeros where the interface document says so', () => {
		expect(selector({ address_id: 2 }, 'seed')).toEqual({
			account_id: 0,
			chain: 'External',
			address_id: 2
		});
		expect(() => selector({}, 'seed')).toThrow(RpcError);
	});
});

describe('methods', () => {
	test('are found by name and envelope; names of Object.prototype are none', () => {
		expect(findKdfMethod('get_enabled_coins', 'legacy')).toBe('legacy:get_enabled_coins');
		expect(methodOfBody('get_enabled_coins', true)).toBe('get_enabled_coins');
		expect(methodOfBody('get_enabled_coins', false)).toBe('legacy:get_enabled_coins');
		expect(methodOfBody('sign_message', false)).toBe('sign_message');
		expect(methodOfBody('electrum', true)).toBeNull();
		for (const name of ['constructor', '__proto__', 'toString', 'legacy:get_enabled_coins']) {
			expect(methodOfBody(name, false)).toBeNull();
		}
		expect(isKdfMethod('hasOwnProperty')).toBe(false);
		for (const key of keys) {
			const { name, envelope } = kdfDefinition(key);
			expect(findKdfMethod(name, envelope)).toBe(key);
		}
	});

	test('of a released node get no parameters where it takes none', () => {
		expect(encodeKdfParams('get_enabled_coins', {}, 'kdf')).toBeNull();
		expect(encodeKdfParams('get_enabled_coins', {}, 'seed')).toEqual({});
		expect(decodeKdfParams('get_enabled_coins', undefined)).toEqual({});
		expect(encodeKdfParams('wc_get_sessions', {}, 'kdf')).toEqual({});
	});

	test('give balances whose tickers agree', () => {
		const details = (wallet_balance: unknown) => ({
			status: 'Ok',
			details: { ticker: 'KMD', current_block: 7, wallet_balance }
		});
		const read = (wallet: unknown) => () =>
			decodeKdfResult('task::enable_utxo::status', wire(details(wallet)), 'kdf');
		const balance = { spendable: '1.5', unspendable: '0' };
		const iguana = { wallet_type: 'Iguana', address: 'R9', balance: { KMD: balance } };
		expect(read(iguana)).not.toThrow();
		expect(read({ ...iguana, balance: { LTC: balance } })).toThrow();
		const hd = (total: unknown, own: unknown) => ({
			wallet_type: 'HD',
			accounts: [
				{
					account_index: 0,
					derivation_path: "m/44'/141'/0'",
					total_balance: total,
					addresses: [
						{
							address: 'R9',
							derivation_path: "m/44'/141'/0'/0/0",
							chain: 'External',
							balance: own
						}
					]
				}
			]
		});
		expect(read(hd({ KMD: balance }, { KMD: balance }))).not.toThrow();
		expect(read(hd({}, { KMD: balance }))).toThrow();
		expect(read(hd({ KMD: balance, LTC: balance }, { KMD: balance }))).toThrow();
	});

	test('are read from older builds, and from a node of the interface document in formats of its own', () => {
		const older = { result: '2.0.996_mm2_3bb412578_Linux' };
		expect(decodeKdfResult('version', wire(older), 'kdf')).toEqual(older);
		const info = { derivation_method: { type: 'Iguana' }, pubkey: 'a key' };
		const free = {
			current_block: 1,
			eth_addresses_infos: {
				'an address': { ...info, balances: { spendable: '1', unspendable: '0' } }
			},
			erc20_addresses_infos: {},
			nfts_infos: []
		};
		expect(decodeKdfResult('enable_eth_with_tokens', wire(free), 'seed')).toEqual(free);
		expect(() => decodeKdfResult('enable_eth_with_tokens', wire(free), 'kdf')).toThrow();
		const signed = { signature: 'of any form' };
		expect(decodeKdfResult('sign_message', wire(signed), 'seed')).toEqual(signed);
		expect(() => decodeKdfResult('sign_message', wire(signed), 'kdf')).toThrow(/signature/);
	});
});

test('thousands of unknown members are refused in a short sentence', () => {
	const members = Array.from({ length: 5_000 }, (_, at) => [`member${at}`, at]);
	let refused: unknown;
	try {
		decodeKdfParams('my_balance', wire({ coin: 'KMD', ...Object.fromEntries(members) }));
	} catch (error) {
		refused = error;
	}
	expect(refused).toBeInstanceOf(RpcError);
	expect(JSON.stringify((refused as RpcError).params).length).toBeLessThan(500);
});
