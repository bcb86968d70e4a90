/** Checklist for the admin of a new installation. */
export const FIRST_STEPS_TITLE = 'First steps';
export const DISMISS = 'Dismiss';
export const DONE = 'Done:';
export const TO_DO = 'To do:';
export const stepsDone = (done: number, steps: number): string => `${done} of ${steps}`;

/** Returns the text of a step, and the page to do it on. */
export function firstStepMessage(
	id: 'account' | 'daemons' | 'invite' | 'limits' | 'token' | 'migration',
	chain: string | null,
	destination: string | null
): { text: string; href: string } {
	switch (id) {
		case 'account':
			return { text: 'Create admin account', href: '/account' };
		case 'daemons':
			return { text: 'Check that every daemon is online', href: '/admin/connect-daemons' };
		case 'invite':
			return { text: 'Invite your team', href: '/admin/members#invite' };
		case 'limits':
			return { text: 'Set a spending limit', href: '/admin/policies/limits' };
		case 'token':
			return chain === null
				? { text: 'Create a token', href: '/daemons' }
				: {
						text: `Create a token on ${chain}`,
						href: `/chains/${encodeURIComponent(chain)}/tokens/new`
					};
		case 'migration':
			return chain === null || destination === null
				? { text: 'Migrate coins to another chain', href: '/migrations/new' }
				: {
						text: `Migrate 1 ${chain} to ${destination}`,
						href: `/migrations/new?${new URLSearchParams({ source: chain, destination, amount: '1', to: 'own' })}`
					};
	}
}
