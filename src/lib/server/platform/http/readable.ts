import { BODY_FAULT_WORDS, NOT_A_FORM } from '#lib/messages/requests.ts';

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Makes `formData` of a request tell what its sender did wrong: by itself it throws a bare TypeError, which
 * looks like a fault of the server.
 *
 * @param refuse throws what becomes an answer with this status and sentence
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
