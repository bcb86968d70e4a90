import { randomUUID } from 'node:crypto';
import { safeNext } from './safeNext.ts';

/** A form that was posted and not carried out, so that it can be sent once more. */
export interface FormReplay {
	/** Path and query of this server that it is posted to. */
	action: string;
	/** Names and values in their order; a name may stand there more than once. */
	fields: readonly (readonly [name: string, value: string])[];
	/** Why the password that was typed with it did not do, as a sentence. */
	problem?: string;
}

/** Letters of a form that are worth writing into a page: the longest batch transfer has half of it. */
const MOST_LETTERS = 128 * 1024;

/** Names of fields whose values never go back into a page. */
const SECRET = /passw|passphrase|secret|priv|wif|seed|mnemonic|^(?:pin|current|repeat)$/i;

/**
 * What a form that was posted held; null where it cannot be given back whole: a file, a secret, or too much.
 * A button alone holds nothing, and can be pressed again all the same.
 */
export function formReplay(address: URL, form: FormData): FormReplay | null {
	const action = safeNext(address.pathname + address.search);
	const fields: [string, string][] = [];
	let letters = 0;
	for (const [name, value] of form) {
		if (typeof value !== 'string' || SECRET.test(name)) return null;
		letters += name.length + value.length;
		if (letters > MOST_LETTERS) return null;
		fields.push([name, value]);
	}
	return action === '/' ? null : { action, fields };
}

/** Forms on their way from the request that was refused to the page that says so. */
const onTheirWay = new Map<string, FormReplay>();

/**
 * Shows a page that offers to send a form once more. `show` is given the key by which the page's own request,
 * which is another one than the refused, asks for the form.
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

/** The form behind a key, while its page is being made; else null. */
export const keptBehind = (key: string | null): FormReplay | null =>
	onTheirWay.get(key ?? '') ?? null;
