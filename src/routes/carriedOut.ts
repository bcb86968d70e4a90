import { redirect } from '@sveltejs/kit';
import type { Carried } from '#lib/server/access/proposals/change.ts';

/** What carrying a change out gave. One that waits for other admins leads to its page instead. */
export function carriedOut<Done>({ proposal, done }: Carried<Done>): Done {
	if (proposal !== null) redirect(303, `/approvals/changes/${proposal}`);
	return done;
}
