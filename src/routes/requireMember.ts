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

/**
 * Returns the member who makes the request, and the session in which it is made.
 * @throws SvelteKit's 401
 */
export function requireSession({ identity }: { identity: Identity }) {
	if (identity.via !== 'session') error(401, { message: PAGE_REFUSALS['sign-in-needed'] });
	return { account: identity.account, session: identity.session };
}
