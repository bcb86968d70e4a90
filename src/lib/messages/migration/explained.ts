import { explainErrorText } from '../daemon-errors/index.ts';

/** What a daemon's response means, as a sentence to put behind others; empty for one that nobody wrote about. */
export function meaning(response: string, method: string | null = null): string {
	const known = explainErrorText(method, response);
	return known === null ? '' : ` ${known.what}`;
}

/** What can be done about a refusal that repeats itself: its meaning, and the response that came. */
export function refusalHint(response: string): string {
	const known = explainErrorText('sendrawtransaction', response);
	return known === null ? `${response}.` : `${response}. ${known.what} ${known.next}`;
}
