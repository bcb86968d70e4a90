import { PAGE_REFUSALS } from '#lib/messages/pageRefusals.ts';
import { error } from '@sveltejs/kit';
import type { Identity, Member } from '#lib/server/access/policy/identity.ts';

/**
 * Who a request of a member acts for. The table of routes lets only members in; whoever comes past it is asked
 * to log in all the same.
 * @throws a 401 of SvelteKit
 */
export function requireMember({ identity }: { identity: Identity }): Member {
	return identity.via === 'public'
		? error(401, { message: PAGE_REFUSALS['sign-in-needed'] })
		: identity;
}
