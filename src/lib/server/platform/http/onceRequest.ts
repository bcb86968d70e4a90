/** Reads idempotency keys from requests, and converts responses for storage and replay. */
import { NAMED_FIELD, SURE_FIELD } from '#lib/text/irreversible.ts';
import { CONFIRM_FIELDS } from './confirmField.ts';
import { contentTypeOf, isForm } from './contentType.ts';
import type { Answer } from '../idempotency/answer.ts';
import { fingerprintOf, fingerprintOfText, isKey } from '../idempotency/idempotency.ts';

/** Name of the hidden form field and of the API's header. (draft-ietf-httpapi-idempotency-key-header) */
const FIELD = 'idempotency-key';
const HEADER = 'idempotency-key';

interface RequestKey {
	key: string;
	fingerprint: string;
	/** Whether the key comes from a form; reusing it with other content then counts as another request. */
	isForm: boolean;
}

/**
 * Returns the idempotency key of a request whose body is in memory; null when it has none; `bad` when it is
 * malformed.
 */
export async function keyOfRequest(request: Request): Promise<RequestKey | 'bad' | null> {
	const header = request.headers.get(HEADER);
	if (header !== null && !isKey(header)) return 'bad';
	const form = await formOf(request);
	if (header !== null) {
		// The key is part of the digest, so that a form with a password cannot be guessed from its fingerprint.
		const fingerprint =
			form === null
				? fingerprintOfText(await request.clone().text())
				: fingerprintOfText(`${header} ${await fingerprintOf(form)}`);
		return { key: header, fingerprint, isForm: false };
	}
	const key = form?.get(FIELD);
	if (form === null || typeof key !== 'string' || !isKey(key)) return null;
	return { key, fingerprint: await fingerprintOf(form), isForm: true };
}

/** Returns the form without its confirmation fields, which differ each time; null when the body is no form. */
async function formOf(request: Request): Promise<FormData | null> {
	if (!isForm(contentTypeOf(request.headers))) return null;
	let form: FormData;
	try {
		form = await request.clone().formData();
	} catch {
		// A malformed form is refused by the code that reads it.
		return null;
	}
	for (const field of [...CONFIRM_FIELDS, SURE_FIELD, NAMED_FIELD]) form.delete(field);
	return form;
}

/** Reads a response in full. */
export const answerOfResponse = async (response: Response): Promise<Answer> => ({
	status: response.status,
	headers: [...response.headers],
	body: new Uint8Array(await response.arrayBuffer())
});

export const responseOf = ({ status, headers, body }: Answer): Response =>
	new Response(body.length === 0 ? null : body, {
		status,
		headers: headers.map(([name, value]): [string, string] => [name, value])
	});
