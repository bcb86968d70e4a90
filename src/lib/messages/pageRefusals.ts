/** Why access to a page is refused. */
export const PAGE_REFUSALS = {
	'token-invalid': 'The API token is unknown, expired or revoked.',
	'token-elsewhere': 'This API token is not for use from this address. Nothing was done.',
	'foreign-origin': 'This request came from a page of another site, so nothing was done.',
	'sign-in-needed': 'Log in first.',
	forbidden: 'Your role does not allow this.',
	'token-limited':
		'This API token is limited, so it is for the RPC API alone. Use one without limits here.',
	'session-only': 'An API token cannot do this. Log in with a browser.',
	'confirmation-needed': 'Confirm first that it is you: nothing was done.',
	'sure-needed': 'This cannot be undone, so it must be confirmed first: nothing was done.',
	'factor-needed':
		'Your role requires a second factor, and you have none yet. Set it up first: nothing was done.',
	'factor-required':
		'The role of this API token’s member requires a second factor, and there is none yet. The member sets it up in a browser; until then the token does not work.',
	'method-not-allowed': 'This address does not take that method.',
	'not-found': 'There is nothing at this address.'
} as const;

export type PageRefusalCode = keyof typeof PAGE_REFUSALS;
