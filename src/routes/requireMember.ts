import { PAGE_REFUSALS } from '#lib/messages/pageRefusals.ts';
import { error } from '@sveltejs/kit';
import type { Identity, Member } from '#lib/server/access/identity/identity.ts';

/**
 * Returns the member who makes the request. The route table admits members only; this check is a second
 * line of defense.
 * @throws SvelteKit's 401
 */
export function requireMember({ identity }: { identity: Identity }): Member {
	return identity.via === 'public'
		? error(401, { message: PAGE_REFUSALS['sign-in-needed'] })
		: identity;
}
