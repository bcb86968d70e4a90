import { describe, expect, test } from 'vitest';
import { errorPatterns, recognizeError } from './index.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import specified from './testdata/specified.json' with { type: 'json' };

describe('every text that daemons were described or seen to say is recognized', () => {
	test.each(specified)('described in section $section: $says', ({ method, says }) => {
		expect(recognizeError(method, says), says).not.toBeNull();
	});

	test.each(recorded)('recorded of $method ($code), number %#', ({ method, says }) => {
		expect(recognizeError(method, says), says).not.toBeNull();
	});
});

test('each entry is met by at least one text, and by its own words first', () => {
	for (const { says, of, code } of errorPatterns) {
		if (typeof says !== 'string') continue;
		const method = of?.[0] ?? 'getinfo';
		expect(recognizeError(method, says)?.code, says).toBe(code);
	}
});

test('no two entries have the same code', () => {
	const codes = errorPatterns.map(({ code }) => code);
	expect(new Set(codes).size).toBe(codes.length);
});

test('the same words of two methods can mean different things', () => {
	expect(recognizeError('sendrawtransaction', '')?.code).toBe('broadcast.no-reason');
	expect(recognizeError('tokencreate', '')?.code).toBe('tokens.not-signed');
	expect(recognizeError('getinfo', '')).toBeNull();
});

test.each([
	['16: komodo-interest-invalid', 'broadcast.locktime-too-old'],
	['16: bad-txns-coinbase-spend-has-transparent-outputs', 'broadcast.coinbase-shielded-only'],
	['64: opreturn too big', 'broadcast.data-too-large'],
	['16: bad-txns-version-too-low', 'broadcast.malformed'],
	['16: bad-txns-txintotal-toolarge', 'broadcast.malformed'],
	['64: bad-txns-too-many-sigops', 'broadcast.malformed'],
	['16: bad-txns-valuebalance-nonzero', 'broadcast.malformed'],
	['16: bad-txns-vpub_old-negative', 'broadcast.malformed'],
	['16: bad-txns-vpub_new-toolarge', 'broadcast.malformed'],
	['16: bad-txns-vpubs-both-nonzero', 'broadcast.malformed'],
	['18: bad-txns-joinsplit-requirements-not-met', 'broadcast.shielded-invalid'],
	['16: bad-txns-joinsplit-verification-failed', 'broadcast.shielded-invalid'],
	['16: bad-txns-invalid-joinsplit-signature', 'broadcast.shielded-invalid'],
	['16: bad-txns-sapling-spend-description-invalid', 'broadcast.shielded-invalid'],
	['16: bad-txns-sapling-output-description-invalid', 'broadcast.shielded-invalid'],
	['16: bad-txns-sapling-binding-signature-invalid', 'broadcast.shielded-invalid'],
	['16: bad-joinsplits-nullifiers-duplicate', 'broadcast.shielded-invalid'],
	['16: bad-spend-description-nullifiers-duplicate', 'broadcast.shielded-invalid'],
	['16: bad-txns-acpublic-chain', 'broadcast.privacy-rule'],
	['16: bad-txns-acprivacy-chain', 'broadcast.privacy-rule'],
	['16: bad-txns-acprivate-chain', 'broadcast.privacy-rule'],
	['16: bad-txns-sprout-expired', 'broadcast.privacy-rule'],
	['16: bad-tx-expiry-height-too-high', 'broadcast.expiry-too-high'],
	['16: tx-overwinter-flag-not-set', 'broadcast.version-not-active'],
	['16: bad-tx-version-group-id', 'broadcast.version-not-active']
])('a mempool that says %s is understood', (says, code) => {
	expect(recognizeError('sendrawtransaction', says)?.code).toBe(code);
});

test.each([
	['getchaintxstats', 'Block is not in main chain', 'general.block-taken-back'],
	[
		'getchaintxstats',
		"Invalid block count: should be between 0 and the block's height - 1",
		'general.param-range'
	],
	['getlastsegidstakes', 'Only applies to ac_staked chains\n', 'general.no-staking'],
	['setstakingsplit', 'New PoS64 staker not active yet\n', 'general.no-staking'],
	['setstakingsplit', 'must be between 0 and 100 inclusive.\n', 'general.param-range'],
	['coinsupply', 'invalid height', 'general.param-range'],
	['coinsupply', 'couldnt calculate supply', 'general.not-counted'],
	['kvsearch', 'cant find key', 'general.key-unknown'],
	['kvsearch', 'key too big', 'general.key-length'],
	['kvupdate', 'cant modify write once key without passphrase', 'general.key-protected'],
	['generate', 'Mining Disabled', 'general.templates-turned-off'],
	['generate', 'Mining Enabled', 'general.templates-turned-on'],
	['getblocktemplate', 'Mining is Disabled', 'general.templates-off'],
	['getblocktemplate', 'Komodo is downloading blocks...', 'general.no-network'],
	['setgenerate', 'Wallet disabled and -mineraddress not set', 'general.no-mining-address'],
	['createmultisig', 'not enough keys supplied (got 1 keys, but need', 'transactions.multisig'],
	['createmultisig', ' Invalid public key: 02', 'transactions.multisig'],
	['verifymessage', 'Malformed base64 encoding', 'general.signature-malformed'],
	['signmessage', 'Private key not available', 'general.key-not-held'],
	[
		'gettxoutproof',
		'(Not all) transactions not found in specified block',
		'transactions.other-block'
	],
	['gettxoutproof', 'Transaction index corrupt', 'general.block-unreadable'],
	[
		'createrawtransaction',
		'Invalid parameter, expiryheight must be nonnegative and less than 500000000.',
		'transactions.input-out-of-range'
	],
	['createrawtransaction', 'Invalid script: 00 (only P2PKH', 'transactions.address-or-script'],
	['createrawtransaction', 'Expected type string for txid, got number', 'general.expected-type'],
	[
		'signrawtransaction',
		'12345678 is not a valid consensus branch id',
		'transactions.branch-unknown'
	],
	[
		'signrawtransaction',
		'Previous output scriptPubKey mismatch:\nOP_DUP',
		'transactions.other-script'
	],
	['lockunspent', 'Invalid parameter, expected hex txid', 'general.member-not-hex'],
	[
		'getnewaddress',
		'Error: Keypool ran out, please call keypoolrefill first',
		'general.keys-used-up'
	],
	['sendtoaddress', 'Invalid amount for send', 'transactions.amount-not-positive'],
	['sendtoaddress', 'Invalid PRIV address', 'transactions.private-chain'],
	['sendtoaddress', 'Invalid Komodo address', 'general.address-invalid'],
	[
		'fundrawtransaction',
		'The transaction amount is too small to send after the fee has been deducted',
		'transactions.output-too-small'
	],
	['fundrawtransaction', 'Transaction too large', 'transactions.too-large'],
	[
		'fundrawtransaction',
		'Insufficient funds, coinbase funds can only be spent after they have been sent to a zaddr',
		'transactions.funds-unshielded'
	],
	['importaddress', 'Invalid Komodo address or script', 'transactions.address-or-script'],
	[
		'importaddress',
		'The wallet already contains the private key for this address or script',
		'general.key-held'
	],
	['setpubkey', 'pubkey entered is invalid.', 'tokens.pubkey-invalid']
])('%s that says %j is understood', (method, says, code) => {
	expect(recognizeError(method, says)?.code).toBe(code);
});

test('the usage of a method is known by its name, that of another is not', () => {
	const usage = 'tokentransfer tokenid destpubkey amount\n';
	expect(recognizeError('tokentransfer', usage)?.code).toBe('usage');
	expect(recognizeError('tokeninfo', usage)).toBeNull();
	expect(recognizeError('tokenlist', 'tokenlist\n')?.code).toBe('usage');
	expect(recognizeError('getinfo', 'getinformation is nothing')).toBeNull();
});

test.each([
	'16: bad-txns-something-new',
	'17: Missing inputs and more',
	'This text is from the future',
	'x64: scriptpubkey',
	'64: scriptpubkey2'
])('%s is not taken for something known', (words) => {
	expect(recognizeError('sendrawtransaction', words)).toBeNull();
});

test('a hostile text of great length is answered at once', () => {
	const began = performance.now();
	for (const piece of ['a', "'", '(', ' ', 'txid ', '\n'])
		recognizeError('sendrawtransaction', piece.repeat(200_000));
	expect(performance.now() - began).toBeLessThan(5_000);
});
