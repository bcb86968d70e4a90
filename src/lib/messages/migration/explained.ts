import { explainErrorText } from '../daemon-errors/index.ts';

/** Returns a daemon's text for a sentence; a daemon may also refuse without one. */
export const quoted = (response: string): string => (response === '' ? 'it was refused' : response);

/** Explains a daemon's error, as a sentence to append to others; empty when there is no explanation. */
export function meaning(response: string, method: string | null = null): string {
	const known = explainErrorText(method, response);
	return known === null ? '' : ` ${known.what}`;
}

/** Explains a refusal that repeats, together with the daemon's own text. */
export function refusalHint(response: string): string {
	const known = explainErrorText('sendrawtransaction', response);
	return known === null
		? `${quoted(response)}.`
		: `${quoted(response)}. ${known.what} ${known.next}`;
}
