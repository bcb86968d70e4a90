import { expect, test } from 'vitest';
import { activationReasons, callReason } from '#lib/messages/activation/reasons.ts';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import { failureMessage, type Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { kdfError, type KdfError } from '../client/kdfError.ts';
import { kdfPortOver } from './kdfPort.ts';

const CALLED = { kdf: 'node-1', method: 'get_enabled_coins' };
const NOT_SENT = { delivery: 'not-sent' } as const;

const errors: readonly [string | null, KdfError][] = [
	[null, kdfError('kdf.unreachable', CALLED, NOT_SENT)],
	['PasswordReplaced', kdfError('kdf.password-replaced', CALLED, NOT_SENT)],
	['PasswordUnreadable', kdfError('kdf.password-unreadable', CALLED, NOT_SENT)]
];

test('a call keeps why it gave no result as a code, and its sentence is made when it is read', async () => {
	const broken = kdfError('kdf.truncated', CALLED, { delivery: 'unknown' });
	const nodes = kdfPortOver({ call: () => Promise.reject(broken) });
	const caught: unknown = await nodes
		.call('node-1', 'get_enabled_coins', {})
		.catch((error: unknown) => error);
	if (!isAppError(caught, 'activation.call-failed')) throw new Error('It did not fail.');
	const stored = JSON.stringify(caught.params.failure);
	expect(stored).not.toContain(broken.message);
	expect(JSON.parse(stored)).toMatchObject({
		kind: 'unsure',
		message: '',
		error: { code: 'kdf.truncated', params: CALLED }
	});
	expect(caught.message).toBe(broken.message);
	// Early releases stored the sentence.
	const old = { kind: 'unsure', type: null, message: broken.message, data: null, spoiled: true };
	for (const row of [stored, JSON.stringify(old)]) {
		const failure = JSON.parse(row) as Failure;
		expect(failureMessage(failure)).toBe(broken.message);
		const reason = storedMessage(callReason('call.failed', failure));
		const read = readStored(activationReasons.parse, reason);
		expect(activationReasons.text(read)).toBe(broken.message);
	}
});

test.each(errors)('a call that did not reach the node keeps why: %s', async (type, error) => {
	const nodes = kdfPortOver({ call: () => Promise.reject(error) });
	await expect(nodes.call('node-1', 'get_enabled_coins', {})).rejects.toMatchObject({
		code: 'activation.call-failed',
		params: { failure: { kind: 'away', type } }
	});
});
