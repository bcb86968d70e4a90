/** What fields of all forms say around what is typed. */
export const FIELDS = {
	knownRecipients: 'Known recipients'
} as const;
