import { expect, test } from 'vitest';
import { explainRefusal } from './refusals.ts';
import { AppError } from '../../platform/errors/appError.ts';

const refused = (rpcMessage: string): string =>
	explainRefusal(
		new AppError('daemon.rpc-error', {
			daemon: 'ALPHA',
			method: 'sendrawtransaction',
			delivery: 'delivered',
			rpcCode: -26,
			rpcMessage
		})
	);

test.each<[string, string]>([
	['64: scriptpubkey', 'datacarriersize'],
	['64: dust', 'too small'],
	['16: mempool conflict', 'spends the same coins'],
	[
		'16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
		'token rule'
	],
	['16: tx-overwinter-expired', 'Too many blocks'],
	['16: bad-txns-in-belowout', 'more than it spends'],
	['18: bad-txns-inputs-spent', 'spent in the meantime'],
	['Missing inputs', 'spent in the meantime'],
	['AcceptToMemoryPool: absurdly high fees, 1000 > 10', 'absurdly high']
])('%s is explained, and the daemon is quoted', (words, explained) => {
	expect(refused(words)).toContain(explained);
	expect(refused(words)).toContain(`The daemon said: ${words}`);
});

test('words that nobody knows are shown as they are', () => {
	expect(refused('16: bad-txns-something-new')).toBe(
		'The daemon refused it: 16: bad-txns-something-new'
	);
});

test('a refusal without words gets some', () => {
	for (const nothing of ['', ' \n']) expect(refused(nothing)).toContain('unsigned');
});
