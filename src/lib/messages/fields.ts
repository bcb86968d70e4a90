/** What fields of all forms say around what is typed. */
export const FIELDS = {
	optional: 'optional',
	knownRecipients: 'Known recipients',
	working: 'Working…'
} as const;
