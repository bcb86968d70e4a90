import { describe, expect, test } from 'vitest';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { activationReasons, callReason } from '#lib/messages/activation/reasons.ts';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { readCoins } from '#lib/server/kdf/coins/parse.ts';
import { isAlreadyActive, isPassing } from '#lib/server/kdf/calls/coinFailure.ts';
import { wasRequested } from '#lib/server/kdf/calls/failure.ts';
import { methodsFor } from '#lib/server/kdf/coins/methodsFor.ts';
import { notTaken } from '#lib/server/kdf/calls/taskFailure.ts';
import { explainActivation, explainSigning } from './failureWords.ts';

const refused = (type: string, message: string): Failure => ({
	kind: 'refused',
	type,
	message,
	data: null
});
const created = (why: string): Failure =>
	refused('CoinCreationError', `Error on platform coin BCH creation: ${why}`);

const DEAD =
	'JsonRpcError { client_info: "coin: BCH", error: Internal("All servers errored: [127.0.0.1:1]") }';

describe('a coin of which the node reached no server', () => {
	test.each([refused('Transport', `Transport error: ${DEAD}`), created(DEAD)])(
		'is tried again, as the release and as the interface document tell it: $type',
		(failure) => {
			expect(isPassing(failure)).toBe(true);
			const at = { node: 'node-1', coin: 'BCH', method: 'task::enable_bch', wrongPins: 0 } as const;
			const { what, next } = explainActivation(at, failure);
			expect(what).toMatch(/^The node could not reach any server of BCH\. It says: /);
			expect(next).toContain('try again later');
		}
	);

	test.each([
		'Failed to get client version for all nodes',
		'All ETH RPC servers unavailable',
		'Failed to get gas price from station'
	])('is tried again where that of an EVM chain has words of its own: %s', (message) => {
		expect(isPassing(refused('Transport', message))).toBe(true);
	});

	test('is tried again where a legacy call says it in the words that are explained as such', () => {
		const failure: Failure = {
			kind: 'refused',
			type: null,
			message: 'All electrum servers are unavailable',
			data: null
		};
		expect(isPassing(failure)).toBe(true);
		const { next } = explainActivation(
			{ node: 'node-1', coin: 'KMD', method: 'electrum' },
			failure
		);
		expect(next).toContain('try again later');
	});

	test('is told from one that cannot be created however often', () => {
		for (const why of [
			'Using empty bchd_urls is unsafe for SLP users!',
			'Unknown address format: bech64',
			'InvalidPin',
			'Hardware Wallet context is not initialized'
		]) {
			expect(isPassing(created(why)), why).toBe(false);
		}
	});
});

test('a coin is active already in each of the words that are explained as such', () => {
	const words = [
		'Coin KMD already initialized',
		'Coin KMD already activated',
		'Coin ETH is already activated',
		'Coin KMD is activated already'
	];
	for (const message of words) {
		const failure: Failure = { kind: 'refused', type: null, message, data: null };
		expect(isAlreadyActive(failure), message).toBe(true);
		const { what } = explainActivation({ node: 'n', coin: 'KMD', method: 'electrum' }, failure);
		expect(what).toMatch(/^The coin is already active/);
	}
	const failed = { kind: 'away', type: null, message: words[0]!, data: null } as const;
	expect(isAlreadyActive(failed)).toBe(false);
});

describe('a call that did not reach its node', () => {
	const away = (type: string | null): Failure => ({ kind: 'away', type, message: '', data: null });
	const about = { node: 'node-1', coin: 'KMD', method: 'electrum' } as const;

	test.each([
		[
			'PasswordReplaced',
			/password (?:of the trading node )?was replaced/,
			/^Try again in a moment/,
			undefined
		],
		['PasswordUnreadable', /password .*cannot be read/, /^An admin checks the file/, true],
		[null, /is offline|^Nothing answers/, /^Check that the node runs/, undefined]
	] as const)('says why, wherever it is shown: %s', (type, what, next, admin) => {
		const failure = away(type);
		const words = explainActivation(about, failure);
		expect(words.what).toMatch(what);
		expect(words.next).toMatch(next);
		expect(words.admin).toBe(admin);
		for (const code of ['unsigned', 'unlisted'] as const) {
			const other = explainSigning('node-1', 'KMD', { code, failure });
			expect(other.what).toBe(words.what);
			expect(other.next).toBe(type === null ? 'Try again.' : words.next);
		}
		const { why } = notTaken(failure);
		const params = { node: 'node-1', why, control: null };
		expect(errorMessage('activation.answer-not-taken', params)).toMatch(what);
		const stored = storedMessage(callReason('call.failed', failure));
		const reason = readStored(activationReasons.parse, stored);
		expect(activationReasons.text(reason)).toMatch(what);
	});

	test('may be made again, and counts as not requested', () => {
		for (const type of ['PasswordReplaced', 'PasswordUnreadable']) {
			expect(isPassing(away(type))).toBe(true);
			expect(wasRequested(away(type))).toBe(false);
		}
	});
});

test('says of a task that the node does not know any more what is known, and what to do', () => {
	const words = explainActivation(
		{ node: 'node-1', coin: 'KMD', method: 'task::enable_utxo' },
		{ kind: 'refused', type: 'NoSuchTask', message: 'No such task 7', data: 7 }
	);
	expect(words).toEqual({
		what: 'The node no longer knows this task: it was ended, its result was already read, or the node was restarted.',
		said: JSON.stringify(
			{ error: 'No such task 7', error_type: 'NoSuchTask', error_data: 7 },
			null,
			2
		),
		safe: 'The list of coins shows whether the coin is active.',
		next: 'Check whether the coin is active; if not, start again.'
	});
});

describe('another way is offered for a coin', () => {
	const manyAddresses: Failure = {
		kind: 'refused',
		type: null,
		message:
			'Deactivated coin due to error in balance querying: Ok(Err(UnexpectedDerivationMethod(ExpectedSingleAddress)))',
		data: null
	};
	const otherProtocol = refused(
		'UnexpectedCoinProtocol',
		'Unexpected platform protocol {"type":"UTXO"} for X'
	);
	const { coins } = readCoins([
		{ coin: 'KMD', protocol: { type: 'UTXO' } },
		{ coin: 'BCH', protocol: { type: 'BCH' } },
		{ coin: 'QTUM', protocol: { type: 'QTUM' } },
		{ coin: 'ETH', protocol: { type: 'ETH' } },
		{ coin: 'USDC-ERC20', protocol: { type: 'ERC20' } },
		{ coin: 'TOKEN-QRC20', protocol: { type: 'QRC20' } }
	]);
	const offers = (failure: Failure) =>
		coins.map((coin) => {
			const about = { node: 'node-1', coin: coin.ticker, method: 'electrum' } as const;
			return explainActivation({ ...about, ways: methodsFor(coin) }, failure).offer;
		});

	test('where it is one of its ways', () => {
		expect(offers(manyAddresses)).toEqual([
			'task::enable_utxo',
			'task::enable_bch',
			'task::enable_qtum',
			'task::enable_eth',
			'task::enable_erc20',
			// The node has no task for this method.
			undefined
		]);
		expect(offers(otherProtocol).filter(Boolean)).toEqual(['task::enable_utxo']);
		const token = coins.find(({ protocol }) => protocol === 'ERC20')!;
		const about = { node: 'node-1', coin: token.ticker, method: 'enable_erc20' } as const;
		const ofToken = refused(
			'UnexpectedDerivationMethod',
			"Expected 'SingleAddress' derivation method"
		);
		expect(explainActivation({ ...about, ways: methodsFor(token) }, ofToken).offer).toBe(
			'task::enable_erc20'
		);
	});
});

test.each([
	['CoinIsNotFound', 'Coin KMD is not found', null, /KMD is not active on this node/],
	[
		'InternalError',
		'Internal error: No such coin: KMD',
		'No such coin: KMD',
		/KMD is not active on this node/
	],
	['InternalError', 'Internal error: boom', 'boom', /^The node failed\. It says: boom/],
	[
		'InternalError',
		'Internal error: Unsupported method: x',
		'Unsupported method: x',
		/on a device or in another wallet/
	],
	[
		'PrefixNotFound',
		'sign_message_prefix is not set in coin config',
		null,
		/KMD has no sign_message_prefix/
	],
	['SigningError', 'Signing failed: x', 'x', /could not sign/],
	[
		'InvalidRequest',
		'Invalid request: Message signing is not supported by the given coin type',
		'Message signing is not supported by the given coin type',
		/cannot sign messages/
	],
	[
		'InvalidRequest',
		'x',
		'You need to enable kdf with enable_hd to sign messages with a specific account/address',
		/one address per coin/
	],
	['InvalidRequest', 'x', "Invalid path to coin 'm/44', expected 'm/45'", /does not belong to KMD/],
	['InvalidRequest', 'x', 'Unknown BIP32 error: x', /path is not valid/],
	['SomethingNew', 'a new refusal', null, /a new refusal/]
])('a refused signature says %s (%s) in words', (type, message, data, what) => {
	const failure: Failure = { kind: 'refused', type, message, data };
	const words = explainSigning('n', 'KMD', { code: 'unsigned', failure });
	expect(words.what).toMatch(what);
	expect(words.safe).toBe('Nothing was signed.');
});

test('a node that lists no more addresses says why, and that listing again is safe', () => {
	const failure = refused('EmptyAddressesLimitReached', 'Last 20 are unused');
	const words = explainSigning('n', 'KMD', { code: 'unlisted', failure });
	expect(words.what).toMatch(/unused/);
	expect(words.safe).toMatch(/^Nothing was signed\. .*again is safe/);
});

test('a listing whose answer was lost goes on where it ended', () => {
	const failure: Failure = { kind: 'unsure', type: null, message: '', data: null };
	const { safe } = explainSigning('n', 'KMD', { code: 'unlisted', failure });
	expect(safe).toContain('it goes on where it ended');
});

test('a signature by another address names both, and what is no signature says so', () => {
	const other = { code: 'other-signer', signer: 'RBy', expected: 'RShown' } as const;
	const { what } = explainSigning('n', 'KMD', other);
	expect(what).toContain('RBy');
	expect(what).toContain('RShown');
	const words = explainSigning('n', 'KMD', { code: 'unreadable-signature' });
	expect(words.what).toMatch(/no signature of this message/);
});
