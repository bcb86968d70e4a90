import { redirect } from '@sveltejs/kit';
import type { ChangeOutcome } from '#lib/server/access/changes/change.ts';

/** Returns the result of applying a change, or redirects to its page when it needs approval by other admins. */
export function applied<Done>({ proposal, done }: ChangeOutcome<Done>): Done {
	if (proposal !== null) redirect(303, `/approvals/changes/${proposal}`);
	return done;
}
