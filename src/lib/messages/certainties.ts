/** What is certain after a failure, as the sentence that follows the message. */
export const CERTAINTIES = {
	'not-sent': 'Nothing was sent.',
	'send-unknown':
		'It is still not known whether the transaction went out before: do not build another one.',
	'not-changed': 'Nothing was changed.',
	'not-ended': 'Nothing was ended.',
	'not-discarded': 'Nothing was discarded.',
	'discard-unknown':
		'It is not known whether its bytes are out by other means, so it was not discarded.',
	'draft-kept': 'The draft is as it was.'
} as const;

export type Certainty = keyof typeof CERTAINTIES;

/** Appends the certainty to a message; returns it unchanged when there is nothing to add. */
export const withCertainty = (message: string, certain: Certainty | null): string =>
	certain === null ? message : `${message} ${CERTAINTIES[certain]}`;
