/** Fields of forms that do something that cannot be undone. */

/** Says that it is meant, with the value `yes`. */
export const SURE_FIELD = 'sure';
/** The name of what it is about. Only displayed. */
export const NAMED_FIELD = 'named';

/** What a member must confirm before it is done. */
export interface Question {
	/** What is done, for the button. */
	title: string;
	/** The same, with the name of what it is about. */
	about: string;
	/** What cannot be undone. */
	text: string;
}
