import { describe, expect, test } from 'vitest';
import { readStored } from './catalogue.ts';
import { accountStateWords, type StoredAccountState } from './accountStates.ts';
import { recordedReason } from './denials.ts';
import { errorMessage } from './errors/index.ts';
import { storedErrorMessage } from './errors/recorded.ts';
import { reasons } from './migration/reasons.ts';

const reasonText = (message: object): string =>
	reasons.text(readStored(reasons.parse, JSON.stringify(message)));

const TIMEOUT = {
	code: 'daemon.timeout',
	params: { daemon: 'ALPHA', method: 'getinfo', delivery: 'unknown' }
} as const;

describe('a stored reason of a migration', () => {
	test.each([
		['words', { detail: 'No answer came.' }, 'ALPHA is offline: No answer came.'],
		['the code of the failed call', { error: TIMEOUT }, /^ALPHA is offline: .{10,}\.$/]
	])('that holds %s is read', (_what, failed, text) => {
		const stored = { code: 'daemon.no-answer', params: { chain: 'ALPHA', ...failed } };
		expect(reasonText(stored)).toMatch(text);
	});

	test('with the words of an index, as releases before stored them, says what the index is for', () => {
		const params = { index: 'txindex', chain: 'ALPHA', detail: 'Old words.' };
		const check = { code: 'index.off', params };
		expect(reasonText({ code: 'check.failed', params: { check } })).toMatch(
			/^txindex of ALPHA is off\. A transaction is found/
		);
	});
});

test('a refusal without words of the daemon is told as one, with what is known of it', () => {
	const params = { chain: 'ALPHA', response: '' };
	expect(reasonText({ code: 'refusal.passing', params })).toBe(
		'ALPHA rejects this at the moment (it was refused). Komodeck tries again.'
	);
	expect(reasonText({ code: 'import.refused', params })).toMatch(
		/^ALPHA rejected the import: it was refused\. The daemon gives no reason\./
	);
});

test('the problem of an index is shown in the words of its code, and as it was where it is a sentence', () => {
	const stored = JSON.stringify({ code: 'indexer.no-daemon', params: { chain: 'ALPHA' } });
	expect(storedErrorMessage(stored)).toBe('No daemon of ALPHA is configured for reading.');
	expect(storedErrorMessage('ALPHA is away.')).toBe('ALPHA is away.');
});

test('the reason of an event is shown in the words of its code, and as it was where it is a sentence', () => {
	expect(recordedReason({ code: 'role', role: 'viewer', method: 'stop' })).toBe(
		'the role viewer may not call stop'
	);
	expect(recordedReason({ code: 'address', why: 'page' })).toBe('The page refused it.');
	expect(recordedReason('unconfirmed')).toBe('to be confirmed after a restore');
	expect(recordedReason('the role viewer may not call it')).toBe('the role viewer may not call it');
});

test('the state of a restored account is shown in words, and as it was where it is a sentence', () => {
	const operator = { role: 'operator', enabled: true } as const;
	const states: readonly (readonly [StoredAccountState, string])[] = [
		[{ account: 'none' }, 'no such account'],
		[{ ...operator, enabled: false, lost: null }, 'operator, disabled'],
		[{ ...operator, lost: { what: 'password' } }, 'operator, enabled, another password'],
		[
			{ ...operator, lost: { what: 'wallet', wallet: 'ALPHA' } },
			'operator, enabled, without the wallet ALPHA'
		],
		[
			{ ...operator, lost: { what: 'identity' } },
			'operator, enabled, without a single sign-on identity of the backup'
		],
		['admin, enabled, another second factor', 'admin, enabled, another second factor']
	];
	for (const [stored, words] of states) expect(accountStateWords(stored)).toBe(words);
});

test('what a server refuses, and what differs of a token, is told alike from its code and from earlier words', () => {
	for (const what of ['tip', 'to name its last block']) {
		expect(errorMessage('egress.refused', { server: 'a.example:1', what })).toBe(
			'a.example:1 refuses to name its last block.'
		);
	}
	for (const fact of ['source-chain', 'source chain']) {
		const params = { chain: 'BETA', fact, found: 'GAMMA', burned: 'ALPHA' };
		expect(errorMessage('review.arrived-other', params)).toContain(
			'its source chain is “GAMMA” and not “ALPHA”'
		);
	}
});
