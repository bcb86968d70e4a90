import { expect, test } from 'vitest';
import recorded from '#lib/rpc/errors/testdata/recorded.json' with { type: 'json' };
import specified from '#lib/rpc/errors/testdata/specified.json' with { type: 'json' };
import { rejections } from './rejections.ts';

const refused = (response: string): string =>
	rejections.text({ code: 'daemon.refused', params: { response } });

test.each<[string, string]>([
	['64: scriptpubkey', 'datacarriersize'],
	['64: dust', 'too small'],
	['16: mempool conflict', 'spends the same inputs'],
	[
		'16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
		'token rule'
	],
	['16: tx-overwinter-expired', 'has expired'],
	['16: bad-txns-in-belowout', 'worth more than the inputs'],
	['18: bad-txns-inputs-spent', 'spent in the meantime'],
	['Missing inputs', 'spent in the meantime'],
	['AcceptToMemoryPool: absurdly high fees, 1000 > 10', 'absurdly high']
])('%s is explained, and the daemon is quoted', (response, explained) => {
	expect(refused(response)).toContain(explained);
	expect(refused(response)).toContain(`The daemon said: ${response}`);
});

test.each(
	[...specified, ...recorded].flatMap(({ method, says }) =>
		method === 'sendrawtransaction' ? [says] : []
	)
)('nobody is told to build another one as long as the page says not to: %s', (response) => {
	expect(refused(response)).not.toMatch(/build (?:the transaction|it)\b/i);
});

test('a response that nobody knows is shown as it is', () => {
	expect(refused('16: bad-txns-something-new')).toBe(
		'The daemon refused it: 16: bad-txns-something-new'
	);
});

test('a refusal without a response is explained', () => {
	expect(refused('')).toContain('unsigned');
});
