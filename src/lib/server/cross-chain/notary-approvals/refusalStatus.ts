import type { RefusalCode } from '#lib/messages/notary-approvals/given.ts';

/** HTTP statuses of refusals, for scripts. */
export const REFUSAL_STATUS: Readonly<Record<RefusalCode, number>> = {
	'not-an-id': 400,
	absent: 422,
	'no-approval': 422,
	'other-burn': 422,
	unsound: 422,
	'no-notary': 422,
	'enough-of-one': 409,
	'too-many-unknown': 503,
	'no-such-burn': 404,
	closed: 409,
	throttled: 429
};
