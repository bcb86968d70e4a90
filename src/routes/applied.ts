import { redirect } from '@sveltejs/kit';
import type { ChangeOutcome } from '#lib/server/access/proposals/change.ts';

/** What applying a change gave. One that waits for other admins leads to its page instead. */
export function applied<Done>({ proposal, done }: ChangeOutcome<Done>): Done {
	if (proposal !== null) redirect(303, `/approvals/changes/${proposal}`);
	return done;
}
