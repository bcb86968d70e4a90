/** Texts of this size and more are worth it; a smaller one fits a packet anyway. */
const WORTH_BYTES = 1024;
const TEXTS = /^(text\/(html|csv|plain)|application\/(json|openapi\+json))\b/;

/** Whether a client takes gzip (RFC 9110: a weight of 0 refuses it). */
export function takesGzip(acceptEncoding: string | null): boolean {
	for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
		const [name, ...parameters] = part.split(';').map((piece) => piece.trim());
		if (name !== 'gzip' && name !== '*') continue;
		return !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
	}
	return false;
}

/**
 * The answer, compressed where that helps. Only what is read: an answer to a form may repeat what was
 * typed beside a secret that is shown once, and the size of the two compressed together would tell of it.
 * An event stream goes out as it is, because compression would hold events back.
 */
export function compressed(request: Request, response: Response): Response {
	const { headers, body, status } = response;
	const length = headers.get('content-length');
	if (
		request.method !== 'GET' ||
		body === null ||
		status !== 200 ||
		headers.has('content-encoding') ||
		!TEXTS.test(headers.get('content-type') ?? '') ||
		(length !== null && Number(length) < WORTH_BYTES)
	) {
		return response;
	}
	const changed = new Headers(headers);
	changed.append('vary', 'accept-encoding');
	if (!takesGzip(request.headers.get('accept-encoding'))) {
		return new Response(body, { status, headers: changed });
	}
	changed.set('content-encoding', 'gzip');
	changed.delete('content-length');
	const etag = changed.get('etag');
	// The bytes differ from those of the plain answer: the tag may only promise the same content.
	if (etag !== null && !etag.startsWith('W/')) changed.set('etag', `W/${etag}`);
	return new Response(body.pipeThrough(new CompressionStream('gzip')), {
		status,
		headers: changed
	});
}
