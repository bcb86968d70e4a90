import { randomUUID } from 'node:crypto';
import {
	json,
	redirect,
	type Handle,
	type HandleServerError,
	type ServerInit
} from '@sveltejs/kit';
import type { RouteId } from '$app/types';
import { getApp } from '#lib/server/app.ts';
import { guard, type Refusal } from '#lib/server/auth/guard.ts';
import { cameByHttps, securityHeaders } from '#lib/server/auth/headers.ts';
import { createLog } from '#lib/server/auth/log.ts';
import { routes, type RouteAccess } from '#lib/server/auth/routes.ts';
import { themeOf } from '#lib/ui/theme.ts';

/** A route that the table forgets does not compile. */
const table = routes satisfies Record<RouteId, RouteAccess>;

const log = createLog();

export const init: ServerInit = async () => {
	await getApp();
};

/** A caller's own id is kept when it is harmless, so that two logs can be laid side by side. */
function requestIdOf(given: string | null): string {
	return given !== null && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export const handle: Handle = async ({ event, resolve }) => {
	const { locals, request, cookies, url } = event;
	const app = await getApp();
	locals.app = app;
	locals.requestId = requestIdOf(request.headers.get('x-request-id'));
	locals.theme = themeOf(cookies.get('theme'));
	locals.secure = cameByHttps(url, request.headers.get('host'), app.auth.origin);

	const { identity, refusal } = await guard(app.auth, table, {
		routeId: event.route.id,
		method: request.method,
		headers: request.headers
	});
	locals.identity = identity;
	locals.account = identity.account;

	if (identity.via === 'session' && identity.session.fresh) {
		const id = app.auth.sessions.read(request.headers.get('cookie'));
		if (id !== null) {
			const { name, value, attributes } = app.auth.sessions.cookie(id, locals.secure);
			cookies.set(name, value, attributes);
		}
	}

	// Without a route SvelteKit answers 404 with the usual page.
	const response =
		refusal === null || event.route.id === null
			? await resolve(event, {
					transformPageChunk: ({ html }) => html.replaceAll('%komodeck.theme%', locals.theme)
				})
			: await refuse(event, refusal);

	const headers = securityHeaders(locals.secure);
	for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
	response.headers.set('x-request-id', locals.requestId);
	if (!response.headers.has('cache-control')) {
		response.headers.set('cache-control', 'private, no-cache');
	}
	return response;
};

async function refuse(event: Parameters<Handle>[0]['event'], refusal: Refusal): Promise<Response> {
	const { request, url, locals } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const wantsPage =
		event.isDataRequest || (request.headers.get('accept') ?? '').includes('text/html');
	if (refusal.code === 'sign-in-needed' && reading && wantsPage) {
		const location = `/login?next=${encodeURIComponent(url.pathname + url.search)}`;
		// For a data request SvelteKit has a form of its own, which it makes of the thrown one.
		if (event.isDataRequest) redirect(303, location);
		return new Response(null, { status: 303, headers: { location } });
	}
	const error: App.Error = {
		message: refusal.message,
		code: refusal.code,
		requestId: locals.requestId
	};
	// What `use:enhance` understands.
	if (request.headers.get('x-sveltekit-action') === 'true') {
		return json({ type: 'error', status: refusal.status, error }, { status: refusal.status });
	}
	if (wantsPage && !event.isDataRequest && !event.isSubRequest) {
		// The page for this says it within the usual frame; a thrown error would get a bare one.
		const page = await event.fetch(`/denied?why=${refusal.code}`, {
			headers: { accept: 'text/html', 'x-request-id': locals.requestId }
		});
		return new Response(page.body, { status: refusal.status, headers: page.headers });
	}
	const challenge: Record<string, string> =
		refusal.status === 401 ? { 'www-authenticate': 'Bearer realm="komodeck"' } : {};
	// The JSON API has one shape for everything that it refuses.
	const body = event.url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status: refusal.status, headers: challenge });
}

export const handleError: HandleServerError = ({ error, event, status, message }) => {
	// A failure before `handle` has no id yet.
	const requestId = requestIdOf(event.locals.requestId ?? null);
	if (status < 500)
		return { message, code: status === 404 ? 'not-found' : 'bad-request', requestId };
	log.error(
		{ err: error, requestId, method: event.request.method, route: event.route.id, status },
		'request failed'
	);
	return {
		message: `This failed on the server. An admin finds it in the log as request ${requestId}.`,
		code: codeOf(error),
		requestId
	};
};

/** The code of one of our own errors; other libraries' codes say nothing to a reader. */
function codeOf(error: unknown): string {
	if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
		if (/^[a-z]+(-[a-z]+)*$/.test(error.code)) return error.code;
	}
	return 'internal';
}
