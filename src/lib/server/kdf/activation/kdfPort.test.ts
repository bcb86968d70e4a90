import { expect, test } from 'vitest';
import { kdfError, type KdfError } from '../client/kdfError.ts';
import { kdfPortOver } from './kdfPort.ts';

const CALLED = { kdf: 'node-1', method: 'get_enabled_coins' };
const NOT_SENT = { delivery: 'not-sent' } as const;

const errors: readonly [string | null, KdfError][] = [
	[null, kdfError('kdf.unreachable', CALLED, NOT_SENT)],
	['PasswordReplaced', kdfError('kdf.password-replaced', CALLED, NOT_SENT)],
	['PasswordUnreadable', kdfError('kdf.password-unreadable', CALLED, NOT_SENT)]
];

test.each(errors)('a call that did not reach the node keeps why: %s', async (type, error) => {
	const nodes = kdfPortOver({ call: () => Promise.reject(error) });
	await expect(nodes.call('node-1', 'get_enabled_coins', {})).rejects.toMatchObject({
		code: 'activation.call-failed',
		params: { failure: { kind: 'away', type } }
	});
});
