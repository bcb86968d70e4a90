import type { RequestEvent } from '@sveltejs/kit';
import { securityHeaders } from '#lib/server/platform/http/headers.ts';
import { NOTHING_POLICY } from '#lib/server/platform/http/plainPage.ts';

/** The headers that every answer has. */
export function finished({ locals, route }: RequestEvent, response: Response): Response {
	const { headers } = response;
	locals.app.metrics.answered(route.id, response.status);
	for (const [name, value] of Object.entries(securityHeaders(locals.secure))) {
		headers.set(name, value);
	}
	// SvelteKit gives pages theirs; what is no page needs nothing at all.
	if (!headers.has('content-security-policy')) {
		headers.set('content-security-policy', NOTHING_POLICY);
	}
	headers.set('x-request-id', locals.requestId);
	// Of use between SvelteKit's own parts alone.
	headers.delete('x-sveltekit-page');
	const caching = headers.get('cache-control');
	// What was shown to an account stays in no cache: whoever has the browser next finds nothing.
	if (locals.identity.via !== 'public' && caching?.includes('no-store') !== true) {
		headers.set('cache-control', 'private, no-store');
	} else if (caching === null) headers.set('cache-control', 'private, no-cache');
	return response;
}
