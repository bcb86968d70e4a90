/** What an identity may call: the table of its role, and the lists of its API token. Pure. */
import type { Denial } from '#lib/messages/denials.ts';
import type { Access } from '#lib/rpc/method.ts';
import type { Identity } from '../identity/identity.ts';
import { mayAccess } from '../policy/permissions.ts';

/** A method as roles and API tokens see it. */
export interface CalledMethod {
	/** Name on the wire. */
	name: string;
	access: Access;
}

/**
 * Returns why the method itself is denied, whatever its parameters are; null when it is allowed.
 * @param place id of the daemon or trading node
 */
export function methodDenial(
	identity: Identity,
	place: string,
	{ name, access }: CalledMethod
): Denial | null {
	if (!mayAccess(identity.role, access, false)) {
		return { code: 'role', role: identity.role, method: name };
	}
	if (identity.via !== 'token') return null;
	const { methods, daemons } = identity.token;
	if (methods !== null && !methods.includes(name)) return { code: 'token-method' };
	if (daemons !== null && !daemons.includes(place)) return { code: 'token-place' };
	return null;
}
