import { randomUUID } from 'node:crypto';
import {
	error as httpError,
	json,
	redirect,
	type Handle,
	type HandleServerError,
	type RequestEvent,
	type ServerInit
} from '@sveltejs/kit';
import type { RouteId } from '$app/types';
import { getApp } from '#lib/server/app.ts';
import { withinRequest, type RequestContext } from '#lib/server/audit/context.ts';
import { guard, REFUSALS, type Refusal } from '#lib/server/auth/guard.ts';
import { cameByHttps, securityHeaders } from '#lib/server/auth/headers.ts';
import { VISITOR } from '#lib/server/auth/identity.ts';
import { createLog } from '#lib/server/auth/log.ts';
import { routes, type RouteAccess } from '#lib/server/auth/routes.ts';
import { COST, tooManyWords } from '#lib/server/auth/throttleRequests.ts';
import { databaseTrouble, RETRY_SECONDS, troubleWords } from '#lib/server/db/trouble.ts';
import { stands } from '#lib/server/guards/stands.ts';
import { keptForm, withKeptForm, type KeptForm } from '#lib/server/http/keptForm.ts';
import { isNoAction } from '#lib/server/http/formAction.ts';
import { NOTHING_POLICY, plainPage, PLAIN_POLICY } from '#lib/server/http/plainPage.ts';
import { withReadableForm } from '#lib/server/http/readable.ts';
import { themeOf } from '#lib/ui/theme.ts';

/** A route that the table forgets does not compile. */
const table = routes satisfies Record<RouteId, RouteAccess>;

const log = createLog();

export const init: ServerInit = async () => {
	await getApp();
};

/** A caller's own id is kept when it is harmless, so that two logs can be laid side by side. */
function requestIdOf(given: string | null): string {
	if (given !== null && !stands('request-id')) return given;
	return given !== null && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export const handle: Handle = async ({ event, resolve }) => {
	const { locals, request, cookies, url } = event;
	const app = await getApp();
	locals.app = app;
	locals.requestId = requestIdOf(request.headers.get('x-request-id'));
	locals.theme = themeOf(cookies.get('theme'));
	locals.secure = cameByHttps(url, request.headers.get('host'), app.auth.origin);
	locals.identity = VISITOR;
	locals.account = null;
	locals.trouble = null;

	let refusal: Refusal | null;
	try {
		const guarded = await guard(app.auth, table, {
			routeId: event.route.id,
			method: request.method,
			headers: request.headers
		});
		refusal = guarded.refusal;
		locals.identity = guarded.identity;
		locals.account = guarded.identity.account;
		if (refusal !== null) await record(event, refusal.code, refusal.message);
	} catch (error) {
		// Who it is cannot be found out, so nobody is let in.
		if (noteTrouble(event, error) === null) throw error;
		return finished(event, troubleAnswer(event));
	}
	const wait = event.isSubRequest ? null : await secondsOverBudget(event);
	if (wait !== null) return finished(event, tooManyAnswer(event, wait));

	if (refusal === null && request.method === 'POST' && isNoAction(url)) {
		refusal = { code: 'not-found', ...REFUSALS['not-found'] };
	}

	const { identity } = locals;
	if (identity.via === 'session' && identity.session.fresh) {
		const id = app.auth.sessions.read(request.headers);
		if (id !== null) {
			const { name, value, attributes } = app.auth.sessions.cookie(id, locals.secure);
			cookies.set(name, value, attributes);
		}
	}

	if (request.method === 'POST') {
		withReadableForm(request, (status, message) =>
			httpError(status, { message, code: 'unreadable-form', requestId: locals.requestId })
		);
	}

	// Without a route SvelteKit answers 404 with the usual page.
	const context: RequestContext = { id: locals.requestId, refused: false };
	const response =
		refusal === null || event.route.id === null
			? await withinRequest(context, () =>
					resolve(event, {
						transformPageChunk: ({ html }) => html.replaceAll('%komodeck.theme%', locals.theme)
					})
				)
			: await refuse(event, refusal);
	// Calls of the console are on record by themselves, and a switch that is thrown is no missing right.
	const isCall = event.route.id?.startsWith('/console') === true;
	if (refusal === null && response.status === 403 && !context.refused && !isCall) {
		await record(event, 'forbidden', 'The page refused it.');
	}
	return finished(event, afterTrouble(event, response));
};

/** Puts on record what somebody may not open or do; of whoever shows no account only the number is kept. */
async function record(event: RequestEvent, code: Refusal['code'], reason: string): Promise<void> {
	const { request, route, url, locals } = event;
	const { refusals } = locals.app;
	const { identity } = locals;
	if (code === 'foreign-origin') return refusals.stranger('page', 'origin');
	if (code === 'token-invalid') return refusals.stranger('page', 'credential');
	if (identity.via === 'public') {
		return code === 'sign-in-needed' ? refusals.stranger('page', 'sign-in') : undefined;
	}
	if (code !== 'forbidden' || event.isSubRequest) return;
	const limited =
		identity.via === 'token' &&
		(identity.token.methods !== null || identity.token.daemons !== null);
	await withinRequest(locals.requestId, () =>
		refusals.refused(identity, {
			where: 'page',
			why: limited ? 'token' : 'role',
			what: `${request.method === 'HEAD' ? 'GET' : request.method} ${route.id}`,
			place: null,
			reason,
			path: url.pathname
		})
	);
}

/** The headers that every answer has. */
function finished({ locals, route }: RequestEvent, response: Response): Response {
	const { headers } = response;
	locals.app.metrics.answered(route.id, response.status);
	if (stands('security-headers')) {
		for (const [name, value] of Object.entries(securityHeaders(locals.secure))) {
			headers.set(name, value);
		}
	}
	// SvelteKit gives pages theirs; what is no page needs nothing at all.
	if (!headers.has('content-security-policy')) {
		headers.set('content-security-policy', NOTHING_POLICY);
	}
	if (!stands('content-policy')) {
		headers.delete('content-security-policy');
		headers.delete('x-frame-options');
	}
	headers.set('x-request-id', locals.requestId);
	if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
	return response;
}

/** Whether a browser asks for a page to show, and not for data. */
const wantsPage = ({ request, isDataRequest }: RequestEvent): boolean =>
	!isDataRequest && (request.headers.get('accept') ?? '').includes('text/html');

/** An answer to what was not carried out: made of nothing but words, whoever asks and however. */
function wordsAnswer(
	event: RequestEvent,
	status: number,
	title: string,
	error: App.Error,
	seconds: number
): Response {
	const { request, url, locals } = event;
	const retry = { 'retry-after': String(seconds), 'cache-control': 'private, no-store' };
	if (request.headers.get('x-sveltekit-action') === 'true') {
		return json({ type: 'error', status, error }, { status, headers: retry });
	}
	if (wantsPage(event) && !event.isSubRequest) {
		const { message, safe, next } = error;
		const sentences = [message, safe, next].filter((sentence) => sentence !== undefined);
		return new Response(plainPage({ title, sentences, requestId: locals.requestId }), {
			status,
			headers: {
				...retry,
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': PLAIN_POLICY
			}
		});
	}
	const body = url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status, headers: retry });
}

/** Where a request comes from; whoever comes around a proxy that should name it shares one budget. */
function addressOf(event: RequestEvent): string {
	try {
		return event.getClientAddress();
	} catch {
		return 'unknown';
	}
}

/** Whether a file is asked for, in whatever spelling: the router reads `tokens%2Ecsv` as `tokens.csv`. */
const isFile = ({ url, params }: RequestEvent): boolean =>
	[url.pathname, ...Object.values(params)].some((part) => /\.(?:csv|json)$/.test(part ?? ''));

/** The seconds to wait when the caller has asked for too much, else null. */
async function secondsOverBudget(event: RequestEvent): Promise<number | null> {
	const { locals, request } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const cost = isFile(event) && !event.isDataRequest ? COST.export : COST.read;
	const wait = await locals.app.requestBudget.take(
		locals.identity,
		addressOf(event),
		reading ? cost : COST.change
	);
	return stands('request-budget') ? wait : null;
}

function tooManyAnswer(event: RequestEvent, seconds: number): Response {
	const error: App.Error = {
		message: tooManyWords(seconds),
		code: 'too-many-requests',
		requestId: event.locals.requestId
	};
	return wordsAnswer(event, 429, 'Too many requests', error, seconds);
}

/** What the database said, kept with the request; null when the error is not its. */
function noteTrouble(event: RequestEvent, error: unknown): App.Error | null {
	const trouble = databaseTrouble(error);
	if (trouble === null) return null;
	const { requestId } = event.locals;
	event.locals.trouble = trouble;
	log.error(
		{ err: error, requestId, method: event.request.method, route: event.route.id, status: 503 },
		'the database refused'
	);
	return troubleError(event.locals);
}

function troubleError({ trouble, requestId }: App.Locals): App.Error {
	const { what, safe, next } = troubleWords(trouble ?? 'gone');
	return { message: what, safe, next, code: `database-${trouble ?? 'gone'}`, requestId };
}

const troubleAnswer = (event: RequestEvent): Response =>
	wordsAnswer(
		event,
		503,
		'The database is not available',
		troubleError(event.locals),
		RETRY_SECONDS
	);

/** A fault of the database is no fault of the program: it has a status of its own, and words in every form. */
function afterTrouble(event: RequestEvent, response: Response): Response {
	if (event.locals.trouble === null || response.status !== 500) return response;
	// A page in the usual frame has SvelteKit's policy; what could not be framed says it plainly.
	if (!response.headers.has('content-security-policy')) return troubleAnswer(event);
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(RETRY_SECONDS));
	return new Response(response.body, { status: 503, headers });
}

/** What was typed into the form of a request, to be given back; null when it holds none that can be. */
async function postedForm({ request, url }: RequestEvent): Promise<KeptForm | null> {
	try {
		return keptForm(url, await request.formData());
	} catch {
		return null;
	}
}

async function refuse(event: RequestEvent, refusal: Refusal): Promise<Response> {
	const { request, url, locals } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const forPage =
		event.isDataRequest || (request.headers.get('accept') ?? '').includes('text/html');
	if (refusal.code === 'sign-in-needed' && reading && forPage) {
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
	if (forPage && !event.isDataRequest && !event.isSubRequest) {
		// The page for this says it within the usual frame; a thrown error would get a bare one.
		const show = (more = ''): Promise<Response> =>
			event.fetch(`/denied?why=${refusal.code}${more}`, {
				headers: { accept: 'text/html', 'x-request-id': locals.requestId }
			});
		const kept = refusal.code === 'sign-in-needed' ? await postedForm(event) : null;
		const page = kept ? await withKeptForm(kept, (key) => show(`&kept=${key}`)) : await show();
		const headers = new Headers(page.headers);
		if (kept) headers.set('cache-control', 'private, no-store');
		return new Response(page.body, { status: refusal.status, headers });
	}
	const challenge: Record<string, string> =
		refusal.status === 401 ? { 'www-authenticate': 'Bearer realm="komodeck"' } : {};
	// The JSON API has one shape for everything that it refuses.
	const body = event.url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status: refusal.status, headers: challenge });
}

export const handleError: HandleServerError = ({ error, event, status, message }) => {
	// A failure before `handle` has no id yet.
	event.locals.requestId = requestIdOf(event.locals.requestId ?? null);
	const { requestId } = event.locals;
	if (status < 500) {
		return { message, code: status === 404 ? 'not-found' : 'bad-request', requestId };
	}
	const trouble = noteTrouble(event, error);
	if (trouble !== null) return trouble;
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
