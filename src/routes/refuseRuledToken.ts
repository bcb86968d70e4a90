import { error } from '@sveltejs/kit';
import { POLICIES } from '#lib/messages/pages/policies.ts';

/**
 * Before a form sends something. What a form sends goes out in the name of the member, maybe later and by a worker:
 * where a rule is about API tokens, one that posts a form would pass it by. The RPC API is theirs.
 * @throws a 403 of SvelteKit
 */
export async function refuseRuledToken({ identity, app }: App.Locals): Promise<void> {
	if (identity.via !== 'token') return;
	const rules = await app.policies.list();
	const areRuled = rules.some(({ who }) => who.is === 'token' || who.is === 'any-token');
	if (areRuled) error(403, { message: POLICIES.tokenForms });
}
