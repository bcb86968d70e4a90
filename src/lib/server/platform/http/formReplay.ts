import { randomUUID } from 'node:crypto';
import type { Question } from '#lib/text/irreversible.ts';
import { safeNext } from './safeNext.ts';

/** A form that was posted but not processed, kept so that the user can submit it again. */
export interface FormReplay {
	/** Path and query that it is posted to. */
	action: string;
	/** Names and values in order; a name may be repeated. */
	fields: readonly (readonly [name: string, value: string])[];
	/** Why the confirmation that was typed was not accepted, as a sentence. */
	problem?: string;
	/** What the form does that cannot be undone; its fields say that this is meant. */
	question?: Question;
	/** Whether only that has to be confirmed, and not who the member is. */
	isKnown?: boolean;
}

/** Maximum total length of names and values; the largest batch transfer has half of it. */
const MOST_LETTERS = 128 * 1024;

/**
 * Names of fields, of a page or for a method's parameter, whose values are never written back into a page.
 * Whole names: a chain's ticker can be part of a field's name.
 */
const SECRET =
	/^(?:p\.)?(?:(?:confirm-)?password|passwd|passphrase|secret|priv(?:ate)?_?keys?|wif|seed(?:_?phrase)?|mnemonic|user_action|pin|current|repeat)$/i;

/**
 * Returns the fields of a posted form; null where it cannot be given back in full: it contains a file or a
 * secret, or is too large. A form without fields (a button) can be submitted again as well.
 * @param isSecret says of the form's page which further fields may contain a secret, by name
 */
export function formReplay(
	address: URL,
	form: FormData,
	isSecret: (name: string) => boolean
): FormReplay | null {
	const action = safeNext(address.pathname + address.search);
	const fields: [string, string][] = [];
	let letters = 0;
	for (const [name, value] of form) {
		if (typeof value !== 'string') return null;
		if (value !== '' && (SECRET.test(name) || isSecret(name))) return null;
		letters += name.length + value.length;
		if (letters > MOST_LETTERS) return null;
		fields.push([name, value]);
	}
	return action === '/' ? null : { action, fields };
}

/** Kept forms, from the refused request to the rendering of the page that reports the refusal. */
const onTheirWay = new Map<string, FormReplay>();

/**
 * Renders a page that offers to submit a form again. `show` receives the key under which the internal request
 * for that page finds the form.
 */
export async function withFormReplay<T>(
	kept: FormReplay,
	show: (key: string) => Promise<T>
): Promise<T> {
	const key = randomUUID();
	onTheirWay.set(key, kept);
	try {
		return await show(key);
	} finally {
		onTheirWay.delete(key);
	}
}

/** Returns the form for a key while its page is being rendered; null otherwise. */
export const replayFormOf = (key: string | null): FormReplay | null =>
	onTheirWay.get(key ?? '') ?? null;
