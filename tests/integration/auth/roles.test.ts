/** Which role may call which method: each rule written by hand, independent of the application's tables. */
import { describe, expect, test } from 'vitest';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { demands } from '#lib/rpc/kdf/demands.ts';
import { kdfDefinition, kdfMethods, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { mayAccess, narrower, rolesUpTo } from '#lib/server/access/policy/permissions.ts';
import { ROLES, type Role } from '#lib/server/access/identity/roles.ts';

/** One-letter names for sets of roles, so that the table below is easy to read. */
const v: Role = 'viewer';
const o: Role = 'operator';
const n: Role = 'notary';
const a: Role = 'admin';

const DAEMON_RULES: readonly [
	rule: string,
	methods: readonly DaemonMethod[],
	who: readonly Role[]
][] = [
	[
		'chains, tokens and burns',
		['getinfo', 'getblock', 'tokeninfo', 'getimports', 'getwalletburntransactions'],
		[v, o, n, a]
	],
	[
		'the balance of a wallet',
		['getbalance', 'getwalletinfo', 'getunconfirmedbalance'],
		[v, o, n, a]
	],
	[
		'what a wallet holds and did',
		['listunspent', 'listtransactions', 'gettransaction', 'getreceivedbyaddress'],
		[o, n, a]
	],
	[
		'raw notary queries',
		['calc_MoM', 'MoMoMdata', 'height_MoM', 'getNotarisationsForBlock', 'scanNotarisationsDB'],
		[o, n, a]
	],
	[
		'what a notary does',
		['migrate_checkburntransactionsource', 'migrate_createnotaryapprovaltransaction'],
		[n, a]
	],
	['building', ['tokencreate', 'migrate_createburntransaction', 'signrawtransaction'], [o, n, a]],
	['sending', ['sendrawtransaction', 'sendtoaddress', 'kvupdate'], [o, n, a]],
	['signing a message', ['signmessage'], [o, a]],
	['importing an address, changing the daemon', ['importaddress', 'setpubkey', 'generate'], [a]],
	[
		'secrets and shutting down',
		['dumpprivkey', 'dumpwallet', 'importprivkey', 'walletpassphrase', 'encryptwallet', 'stop'],
		[]
	]
];

const NODE_RULES: readonly [
	rule: string,
	method: KdfMethod,
	params: Readonly<Record<string, unknown>>,
	who: readonly Role[]
][] = [
	['a balance', 'my_balance', { coin: 'KMD' }, [v, o, n, a]],
	['the servers of the coins file', 'electrum', { coin: 'KMD', servers: [{ url: 'a:1' }] }, [o, a]],
	['a signature', 'sign_message', { coin: 'KMD', message: 'm' }, [o, a]],
	[
		'a remote signer',
		'task::enable_eth::init',
		{ ticker: 'ETH', activation_params: { priv_key_policy: { type: 'RemoteSigner' } } },
		[a]
	],
	['disabling a coin', 'disable_coin', { coin: 'KMD' }, [a]],
	['a private key', 'show_priv_key' as KdfMethod, {}, []],
	['the words of a wallet', 'get_mnemonic' as KdfMethod, {}, []],
	['stopping the node', 'stop' as KdfMethod, {}, []]
];

const whoMay = (access: Parameters<typeof mayAccess>[1]): Role[] =>
	ROLES.filter((role) => mayAccess(role, access, false));

describe('on a daemon', () => {
	for (const [rule, methods, who] of DAEMON_RULES) {
		test(`${rule}: ${who.join(', ') || 'nobody'}`, () => {
			for (const method of methods) {
				expect(`${method}: ${whoMay(daemonMethods[method].access)}`).toBe(`${method}: ${who}`);
			}
		});
	}

	test('a visitor has none of it but what is read, and that only where browsing is public', () => {
		for (const { access } of Object.values(daemonMethods)) {
			expect(mayAccess('visitor', access, false)).toBe(false);
			expect(mayAccess('visitor', access, true)).toBe(access === 'read');
		}
	});

	test('no method that gives a secret away or changes the keys is open to anybody', () => {
		const secret = /priv|wallet(pass|lock)|dump|encrypt|^stop$|seed|mnemonic/i;
		for (const [method, { access }] of Object.entries(daemonMethods)) {
			if (secret.test(method)) expect(`${method} ${access}`).toBe(`${method} never`);
		}
	});
});

describe('on a trading node', () => {
	for (const [rule, method, params, who] of NODE_RULES) {
		test(`${rule}: ${who.join(', ') || 'nobody'}`, () => {
			const { access } = kdfDefinition(method);
			const needed = access === 'never' ? access : demands(method, params as never).access;
			expect(whoMay(needed)).toEqual(who);
		});
	}

	test('no method that gives a secret away is open to anybody', () => {
		for (const [method, { access }] of Object.entries(kdfMethods) as [
			string,
			{ access: string }
		][]) {
			if (/priv|mnemonic|^stop$|withdraw|delete_wallet/.test(method)) {
				expect(`${method} ${access}`).toBe(`${method} never`);
			}
		}
	});
});

describe('a token', () => {
	test('holds at most what both it and its person may do, whichever was lowered', () => {
		for (const token of ROLES) {
			for (const person of ROLES) {
				const now = narrower(token, person);
				for (const access of [
					'read',
					'wallet-query',
					'notary-query',
					'build',
					'broadcast',
					'notary',
					'sign'
				] as const) {
					if (!mayAccess(now, access, false)) continue;
					expect(mayAccess(token, access, false)).toBe(true);
					expect(mayAccess(person, access, false)).toBe(true);
				}
			}
		}
	});

	test('is offered no role beyond its person’s', () => {
		expect(rolesUpTo('viewer')).toEqual(['viewer']);
		expect(rolesUpTo('operator')).toEqual(['viewer', 'operator']);
		expect(rolesUpTo('notary')).toEqual(['viewer', 'notary']);
		expect(rolesUpTo('admin')).toEqual(['viewer', 'operator', 'notary', 'admin']);
	});
});
