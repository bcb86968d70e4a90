import { error } from '@sveltejs/kit';
import { POLICIES } from '#lib/messages/pages/policies.ts';

/**
 * Refuses API tokens in forms that send something, while any policy rule concerns API tokens. What a form
 * sends goes out in the name of the member, possibly later and by a worker, so a token could bypass its
 * rule. API tokens are meant for the RPC API.
 * @throws SvelteKit's 403
 */
export async function refuseRuledToken({ identity, app }: App.Locals): Promise<void> {
	if (identity.via !== 'token') return;
	const rules = await app.policies.list();
	const areRuled = rules.some(({ who }) => who.is === 'token' || who.is === 'any-token');
	if (areRuled) error(403, { message: POLICIES.tokenForms });
}
