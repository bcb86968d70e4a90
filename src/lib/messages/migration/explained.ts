import { explainErrorText } from '../daemon-errors/index.ts';

/** Explains a daemon's error, as a sentence to append to others; empty when there is no explanation. */
export function meaning(response: string, method: string | null = null): string {
	const known = explainErrorText(method, response);
	return known === null ? '' : ` ${known.what}`;
}

/** Explains a refusal that repeats, together with the daemon's own text. */
export function refusalHint(response: string): string {
	const known = explainErrorText('sendrawtransaction', response);
	return known === null ? `${response}.` : `${response}. ${known.what} ${known.next}`;
}
