const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/** Whether SvelteKit found the body to be over the limit. */
function isTooLarge(cause: unknown): boolean {
	if (!(cause instanceof Error)) return false;
	return ('status' in cause && cause.status === 413) || isTooLarge(cause.cause);
}

/**
 * Makes `formData` of a request tell what its sender did wrong: by itself it throws a bare TypeError, which
 * looks like a fault of the server.
 *
 * @param refuse throws what becomes an answer with this status and sentence
 */
export function withReadableForm(
	request: Request,
	refuse: (status: 400 | 413 | 415, sentence: string) => never
): void {
	const read = request.formData.bind(request);
	request.formData = async () => {
		if (!FORM.test(request.headers.get('content-type') ?? '')) {
			return refuse(415, 'This address takes a form, and what was sent is none.');
		}
		try {
			return await read();
		} catch (cause) {
			if (isTooLarge(cause)) return refuse(413, 'This is more than is taken at once. Send less.');
			return refuse(400, 'The form cannot be read: it is broken or incomplete. Nothing was done.');
		}
	};
}
