import type { Denial } from '#lib/messages/denials.ts';
import type { Refusals, RefusedWhy } from '../audit/refusals.ts';
import type { Member } from '../identity/identity.ts';
import type { CallDemands } from './demands.ts';

/** Category of each denial in the log of refusals. */
const WHY: Readonly<Record<Denial['code'], RefusedWhy>> = {
	role: 'role',
	'token-method': 'token',
	'token-place': 'token',
	'token-wallet': 'token',
	'token-limit': 'token',
	parameters: 'role',
	servers: 'role',
	signature: 'signature',
	recipient: 'recipient',
	wallet: 'wallet',
	limit: 'limit',
	factor: 'factor',
	policy: 'policy',
	safety: 'safety'
};

/** What was attempted, as far as it is logged. */
export type Tried = Pick<CallDemands, 'method' | 'place' | 'facts'>;

/** Logs a denial. */
export async function recordDenial(
	refusals: Pick<Refusals, 'refused'>,
	identity: Member,
	{ method, place, facts }: Tried,
	denial: Denial
): Promise<void> {
	const why = WHY[denial.code];
	await refusals.refused(identity, {
		where: 'call',
		why,
		what: method.name,
		place,
		reason: denial,
		// A caller without the right to the method has not shown that its parameters are valid: leave them
		// out.
		...(why === 'role' || why === 'token' ? {} : { facts: facts() })
	});
}
