import { BODY_FAULT_WORDS, NOT_A_FORM } from '#lib/messages/requests.ts';

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Makes `request.formData()` report malformed or non-form bodies as client errors: by default it throws a bare
 * TypeError, which would be reported as a server error.
 *
 * @param refuse throws an error that becomes a response with this status and sentence
 */
export function withReadableForm(
	request: Request,
	refuse: (status: 400 | 415, sentence: string) => never
): void {
	const read = request.formData.bind(request);
	request.formData = async () => {
		if (!FORM.test(request.headers.get('content-type') ?? '')) {
			return refuse(415, NOT_A_FORM);
		}
		try {
			return await read();
		} catch {
			return refuse(400, BODY_FAULT_WORDS.broken);
		}
	};
}
