/** Texts that fields of all forms share. */
export const FIELDS = {
	knownRecipients: 'Known recipients'
} as const;
