import { expect, test } from 'vitest';
import type { Denial } from '#lib/messages/denials.ts';
import { RPC_INTERNAL_ERROR } from '#lib/rpc/errorCodes.ts';
import { keptRefusal } from './refusals.ts';

const frozen = { code: 'safety.sends-frozen', params: { by: 'ada', reason: '' } } as const;

test('an answer that is held back has the status of its reason, for a script that decides whether to ask again', () => {
	const held: [Denial, number][] = [
		[{ code: 'safety', why: frozen }, 503],
		[{ code: 'wallet', why: { code: 'wallet.not-granted', params: { daemon: 'ALPHA' } } }, 403],
		[{ code: 'signature', why: { code: 'signature.hash-type', params: {} } }, 403],
		[{ code: 'token-limit', why: { code: 'token-limit.revoked', params: {} } }, 403],
		[{ code: 'limit', why: { code: 'limit.account-gone', params: {} } }, 429]
	];
	for (const [denial, status] of held) {
		// Not the code of an unknown method: the daemon has executed it.
		expect(keptRefusal({ kind: 'denied', denial }, '1'), denial.code).toMatchObject({
			status,
			code: RPC_INTERNAL_ERROR
		});
	}
});
