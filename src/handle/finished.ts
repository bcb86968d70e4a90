import type { RequestEvent } from '@sveltejs/kit';
import { securityHeaders } from '#lib/server/platform/http/headers.ts';
import { NOTHING_POLICY } from '#lib/server/platform/http/plainPage.ts';

/** Adds the headers that every response has, and drops the body of one to HEAD. */
export function finished({ locals, request, route }: RequestEvent, response: Response): Response {
	const { headers } = response;
	locals.app.metrics.answered(route.id, response.status);
	for (const [name, value] of Object.entries(securityHeaders(locals.secure))) {
		headers.set(name, value);
	}
	// SvelteKit sets the policy of pages; other responses may load nothing.
	if (!headers.has('content-security-policy')) {
		headers.set('content-security-policy', NOTHING_POLICY);
	}
	headers.set('x-request-id', locals.requestId);
	// Only needed between SvelteKit's own parts.
	headers.delete('x-sveltekit-page');
	const caching = headers.get('cache-control');
	// Responses to an account must not be cached, so that the next user of the browser finds nothing.
	if (locals.identity.via !== 'public' && caching?.includes('no-store') !== true) {
		headers.set('cache-control', 'private, no-store');
	} else if (caching === null) headers.set('cache-control', 'private, no-cache');
	if (request.method !== 'HEAD' || response.body === null) return response;
	// Node.js takes and drops a body for HEAD at once: an export would be read whole, without waiting for a reader.
	// The body may have failed before.
	response.body.cancel().catch(() => undefined);
	return new Response(null, response);
}
