import { expect, it, test } from 'vitest';
import { kdfErrorPatterns } from '#lib/rpc/errors/kdf.ts';
import { withoutTrace } from '#lib/rpc/kdf/envelope.ts';
import { kdfErrorTypes } from '#lib/rpc/kdf/errorTypes.ts';
import { explainKdfError } from './index.ts';
import { coinSentence } from './sentence.ts';
import { kdfErrorWords } from './words.ts';

const typed = (type: string, message = '', method = 'task::enable_utxo::status') =>
	explainKdfError(method, { type, message, data: undefined });
const older = (text: string, method = 'electrum') =>
	explainKdfError(method, { type: null, message: withoutTrace(text), data: undefined });

it('every error type of the registry has words', () => {
	const types = [...new Set(kdfErrorTypes.map(({ type }) => type))];
	expect(types.length).toBeGreaterThan(70);
	expect(types.filter((type) => typed(type) === null)).toEqual([]);
});

it('no entry explains a type that the registry does not know', () => {
	const known = new Set(kdfErrorTypes.map(({ type }) => type));
	const strangers = kdfErrorPatterns.filter(({ type }) => type !== undefined && !known.has(type));
	expect(strangers).toEqual([]);
});

it('every sentence ends as one, and none repeats what the node said', () => {
	for (const { what, next } of Object.values(kdfErrorWords)) {
		for (const coin of [null, 'KMD']) {
			expect(coinSentence(what, coin)).toMatch(/^[A-Z][^{}]*\.$/s);
			expect(coinSentence(next, coin)).toMatch(/^[A-Z][^{}]*\.$/s);
		}
	}
});

it('the coin is named where it is known', () => {
	const refusal = { type: 'NoSuchCoin', message: 'No such coin LTC', data: undefined };
	expect(explainKdfError('account_balance', refusal, 'LTC')?.what).toBe(
		'LTC is not active on this node.'
	);
	expect(explainKdfError('account_balance', refusal)?.what).toBe(
		'The coin is not active on this node.'
	);
});

/** Errors in the legacy form, as releases 1.0 to 3.0 write them, and the beginning of their explanation. */
test.each([
	[
		'rpc:195] RPC call failed: legacy:140] lp_coins:6228] mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported',
		'Neither the node’s coins file nor the request sets mm2 for the coin'
	],
	[
		'rpc:198] RPC call failed: legacy:144] lp_coins:6239] "protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one',
		'The node does not know the coin: its coins file'
	],
	[
		'rpc:198] RPC call failed: legacy:172] lp_coins:5100] Coin ETH already initialized',
		'The coin is already active'
	],
	['lp_coins:1308] eth:295] Coin ETH is already activated', 'The coin is already active'],
	[
		'rpc:195] RPC call failed: legacy:140] lp_coins:4893] utxo_standard:75] utxo_coin_builder:572] Internal error: manager:129] min_connected should be greater than 0',
		'The minimum number of connected servers is 0'
	],
	[
		'rpc:184] Internal error: manager:132] min_connected (2) must be <= max_connected (1)',
		'The minimum number of connections is higher'
	],
	[
		'rpc:198] Internal error: manager:133] min_connected (1) must be <= max_connected (0)',
		'No server was given'
	],
	[
		'rpc:198] RPC call failed: legacy:152] Deactivated coin due to error in balance querying: Ok(Err(utxo_common:3098] Transport("All servers errored: []")))',
		'The node deactivated the coin: it could not read'
	],
	[
		'rpc:195] RPC call failed: legacy:148] Deactivated coin due to error in balance querying: Err(TimeoutError { duration: 5s })',
		'The node deactivated the coin: the servers took too long'
	],
	[
		'rpc:198] RPC call failed: legacy:152] Deactivated coin due to error in balance querying: Ok(Err(utxo_common:3098] lp_coins:4658] UnexpectedDerivationMethod(ExpectedSingleAddress)))',
		'The node’s wallet has many addresses'
	],
	[
		"rpc:198] RPC call failed: legacy:173] eth:4740] lp_coins:4658] Expected 'SingleAddress' derivation method",
		'The node’s wallet has many addresses'
	],
	[
		"rpc:198] utxo_coin_builder:936] Error parsing the native wallet configuration '/root/.komodo/TOKEL/TOKEL.conf': No such file or directory (os error 2)",
		'The node cannot use the daemon of the coin'
	],
	[
		"rpc:198] Conf file /root/.komodo/X/X.conf doesn't have the rpcuser key",
		'The node cannot use the daemon of the coin'
	],
	[
		'rpc:198] Rpc port is not set neither in `coins` file nor in native daemon config',
		'Neither the coins file nor the daemon’s configuration'
	],
	[
		'rpc:195] RPC call failed: legacy:168] lp_coins:4900] eth:6581] Failed to get client version for all urls',
		'None of the coin’s nodes responded'
	],
	['All electrum servers are unavailable', 'The node could not reach any server of the coin'],
	['rpc:195] Coin KMD already activated', 'The coin is already active'],
	['All BSC RPC servers unavailable', 'None of the coin’s nodes responded'],
	['Failed to get gas price from station', 'The gas station did not return a price'],
	["rpc:195] swap_contract_address can't be zero address", 'The address of a swap contract'],
	['rpc:195] ZHTLC protocol is not supported by lp_coininit', 'This call cannot activate'],
	['rpc:195] Platform coin BCH is not activated', 'The platform coin of this token'],
	['rpc:195] RPC call failed: legacy:221] No such coin: LTC', 'The coin is not active'],
	["rpc:198] RPC call failed: legacy:143] No 'coin' field", 'The request does not name a coin'],
	['No coins enabled', 'No coin is active']
])('%s', (text, begins) => {
	expect(older(text)?.what.startsWith(begins)).toBe(true);
});

it('the same type has other words where its text says more', () => {
	expect(typed('InternalError', 'Internal error: No such coin: LTC', 'sign_message')?.what).toBe(
		'The coin is not active on this node, or it does not exist.'
	);
	const creation = (reason: string): string | undefined =>
		typed('CoinCreationError', `Error on platform coin BCH creation: ${reason}`)?.what;
	expect(creation('Using empty bchd_urls is unsafe for SLP users!')).toMatch(/could burn tokens/);
	expect(creation('InvalidPin')).toMatch(/rejected the PIN/);
	expect(creation('Hardware Wallet context is not initialized')).toMatch(/not set up on this node/);
	expect(creation('ZCashParamsNotFound')).toMatch(/does not find the proving keys/);
	expect(creation('1 server inactive')).toMatch(/could not reach any server/);
	expect(creation('anything else')).toMatch(/could not set the coin up/);
	expect(typed('HwError', 'Found multiple devices. Please unplug unused devices')?.what).toMatch(
		/More than one/
	);
	expect(
		explainKdfError('task::init_trezor::status', {
			type: 'HwError',
			message: 'Hardware wallet error',
			data: 'NoTrezorDeviceAvailable'
		})?.what
	).toBe('No hardware wallet is connected.');
	expect(older("There're active swaps using RICK", 'disable_coin')?.what).toMatch(/stays active/);
	expect(older('anything that nobody wrote about')).toBeNull();
});
