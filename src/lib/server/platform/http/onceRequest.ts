/** Which requests name themselves, and their answers as they are given more than once. */
import { CONFIRM_FIELDS } from './confirmField.ts';
import { contentTypeOf, isForm } from './contentType.ts';
import type { Answer } from '../idempotency/answer.ts';
import { fingerprintOf, fingerprintOfText, isKey } from '../idempotency/idempotency.ts';

/** The hidden field of forms, and the header of the API. (draft-ietf-httpapi-idempotency-key-header) */
const FIELD = 'idempotency-key';
const HEADER = 'idempotency-key';

interface RequestKey {
	key: string;
	fingerprint: string;
	/** The key of a form that holds something else by now names another request. */
	isForm: boolean;
}

/** The key of a request whose body is in memory; null when it has none; `bad` when it is none. */
export async function keyOfRequest(request: Request): Promise<RequestKey | 'bad' | null> {
	const header = request.headers.get(HEADER);
	if (header !== null && !isKey(header)) return 'bad';
	const form = await formOf(request);
	if (header !== null) {
		// The key stands in the digest, so that nobody finds out by trying what a form with a password held.
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

/** The form of a request without what confirms it, which is another one each time; null where it has none. */
async function formOf(request: Request): Promise<FormData | null> {
	if (!isForm(contentTypeOf(request.headers))) return null;
	let form: FormData;
	try {
		form = await request.clone().formData();
	} catch {
		// What cannot be read is refused where it is read.
		return null;
	}
	for (const field of CONFIRM_FIELDS) form.delete(field);
	return form;
}

/** An answer with its whole body. */
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
