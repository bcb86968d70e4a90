/** Why the policies voided an approval request. */

const WORDS = {
	'facts-changed': 'The transaction has a different effect now.',
	'rule-changed': 'The rule that asked for the approval was changed.',
	unrecorded: 'The request differs from the audit log.'
} as const;

export type ApprovalVoid = keyof typeof WORDS;

export const approvalVoidWords = (why: ApprovalVoid): string => WORDS[why];

/** Returns the text of a stored reason: members and early releases stored their own words. */
export const approvalReasonWords = (stored: string, isVoid: boolean): string =>
	isVoid && Object.hasOwn(WORDS, stored) ? WORDS[stored as ApprovalVoid] : stored;
