/** Which requests name themselves, and their answers as they are given more than once. */
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
	if (header !== null) {
		if (!isKey(header)) return 'bad';
		return {
			key: header,
			fingerprint: fingerprintOfText(await request.clone().text()),
			isForm: false
		};
	}
	if (
		!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(
			request.headers.get('content-type') ?? ''
		)
	) {
		return null;
	}
	let form: FormData;
	try {
		form = await request.clone().formData();
	} catch {
		// What cannot be read is refused where it is read.
		return null;
	}
	const key = form.get(FIELD);
	if (typeof key !== 'string' || !isKey(key)) return null;
	return { key, fingerprint: await fingerprintOf(form), isForm: true };
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
