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
import { AuthError } from '#lib/server/access/accounts/errors.ts';
import {
	callerIdOf,
	currentRequest,
	withinRequest,
	type RequestContext
} from '#lib/server/access/audit/context.ts';
import { VISITOR } from '#lib/server/access/policy/identity.ts';
import { routes, type RouteAccess } from '#lib/server/access/policy/routes.ts';
import { bodyLimitsOf } from '#lib/server/access/requests/bodyLimits.ts';
import { guard, REFUSALS, type Refusal } from '#lib/server/access/requests/guard.ts';
import { getApp } from '#lib/server/app.ts';
import { isDuplicate } from '#lib/server/platform/database/duplicate.ts';
import {
	databaseTrouble,
	RETRY_SECONDS,
	troubleWords
} from '#lib/server/platform/database/trouble.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import { takeConfirmation } from '#lib/server/platform/http/confirmField.ts';
import type { BodyFault } from '#lib/server/platform/http/fieldCounter.ts';
import { isNoAction, namedActions } from '#lib/server/platform/http/formAction.ts';
import { cameByHttps, securityHeaders } from '#lib/server/platform/http/headers.ts';
import { keptForm, withKeptForm, type KeptForm } from '#lib/server/platform/http/keptForm.ts';
import {
	answerOfResponse,
	keyOfRequest,
	responseOf
} from '#lib/server/platform/http/onceRequest.ts';
import { NOTHING_POLICY, plainPage, PLAIN_POLICY } from '#lib/server/platform/http/plainPage.ts';
import { withReadableForm } from '#lib/server/platform/http/readable.ts';
import { BODY_FAULTS, takeBody } from '#lib/server/platform/http/takeBody.ts';
import type { Once } from '#lib/server/platform/idempotency/idempotency.ts';
import { createLog } from '#lib/server/platform/logging/log.ts';
import { COST, tooManyWords } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { themeOf } from '#lib/ui/theme.ts';
import type { RouteId } from '$app/types';

/** A route that the table forgets does not compile. */
const table = routes satisfies Record<RouteId, RouteAccess>;

const log = createLog();

export const init: ServerInit = async () => {
	await getApp();
};

const contextOf = ({
	requestId: id,
	callerRequestId: callerId,
	identity
}: App.Locals): RequestContext => ({
	id,
	callerId,
	actor: identity.via === 'public' ? null : identity,
	refused: false
});

export const handle: Handle = async ({ event, resolve }) => {
	const { locals, request, cookies, url } = event;
	const app = await getApp();
	locals.app = app;
	const address = addressOf(event);
	event.getClientAddress = () => address;
	// The page of a refusal is a request of its own within the one that was refused.
	locals.requestId = (event.isSubRequest ? currentRequest() : null) ?? randomUUID();
	locals.callerRequestId = callerIdOf(request.headers.get('x-request-id'));
	locals.theme = themeOf(cookies.get('theme'));
	locals.secure = cameByHttps(url, request.headers.get('host'), app.auth.origin);
	locals.identity = VISITOR;
	locals.account = null;
	locals.trouble = null;
	locals.duplicate = false;

	let refusal: Refusal | null;
	try {
		const guarded = await guard(app.auth, table, {
			routeId: event.route.id,
			method: request.method,
			actions: namedActions(url),
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

	const asksPassword = refusal?.code === 'confirmation-needed';
	if ((refusal === null || asksPassword) && request.method === 'POST' && event.route.id !== null) {
		// Before anything parses it: what a parser makes of a wild body stops everybody else.
		const signedIn = identity.account !== null;
		const taken = await takeBody(request, bodyLimitsOf(event.route.id, signedIn));
		if (typeof taken === 'string') return finished(event, bodyFaultAnswer(event, taken));
		event.request = taken;
		withReadableForm(taken, (status, message) =>
			httpError(status, { message, code: 'unreadable-form', requestId: locals.requestId })
		);
	}

	if (refusal !== null && asksPassword && request.method === 'POST') {
		try {
			const problem = await confirmationProblem(event);
			if (problem === null) refusal = null;
			else if (problem !== 'missing') {
				return finished(event, await askAgain(event, refusal, problem));
			}
		} catch (error) {
			if (noteTrouble(event, error) === null) throw error;
			return finished(event, troubleAnswer(event));
		}
	}

	// Without a route SvelteKit answers 404 with the usual page.
	const context = contextOf(locals);
	const answer = async (): Promise<Response> =>
		withinRequest(context, () =>
			resolve(event, {
				transformPageChunk: ({ html }) => html.replaceAll('%komodeck.theme%', locals.theme)
			})
		);
	const response =
		refusal === null || event.route.id === null
			? await onceFor(event, answer)
			: await refuse(event, refusal);
	// Calls of the console are on record by themselves, and a switch that is thrown is no missing right.
	const isCall = event.route.id?.startsWith('/console') === true;
	if (refusal === null && response.status === 403 && !context.refused && !isCall) {
		await record(event, 'forbidden', 'The page refused it.');
	}
	return finished(event, afterTrouble(event, response));
};

/** Carries out what names itself once, and answers it again with what was answered then. */
async function onceFor(event: RequestEvent, answer: () => Promise<Response>): Promise<Response> {
	const { request, url, locals } = event;
	const { account, app, requestId } = locals;
	// What strangers may post makes nothing twice, and they get no room in the database.
	if (request.method !== 'POST' || account === null || event.isSubRequest) return answer();
	const named = await keyOfRequest(request);
	if (named === null) return answer();
	const refused = (status: number, code: string, message: string): Response =>
		wordsAnswer(event, status, 'This cannot be taken', { message, code, requestId }, null);
	if (named === 'bad') {
		return refused(
			400,
			'bad-idempotency-key',
			'The Idempotency-Key has 8 to 128 visible characters.'
		);
	}
	const { key, fingerprint, isForm } = named;
	let once: Once;
	try {
		once = await app.idempotency(
			{
				actor: account.id,
				route: `${url.pathname}${url.search}`,
				key: isForm ? `${key} ${fingerprint}` : key,
				fingerprint
			},
			async () => answerOfResponse(await answer())
		);
	} catch (error) {
		if (noteTrouble(event, error) === null) throw error;
		return troubleAnswer(event);
	}
	switch (once.kind) {
		case 'answer':
			return responseOf(once.answer);
		case 'reused':
			return refused(
				422,
				'idempotency-key-reused',
				'This Idempotency-Key came with another request before. Nothing was done: use a new key.'
			);
		case 'running':
			return refused(
				409,
				'still-running',
				'The same request came before and is still being carried out. Nothing was done twice: look again in a moment.'
			);
	}
}

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
	if (!['forbidden', 'session-only'].includes(code) || event.isSubRequest) return;
	const limited =
		code === 'session-only' ||
		(identity.via === 'token' &&
			(identity.token.methods !== null || identity.token.daemons !== null));
	await withinRequest(contextOf(locals), () =>
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
	for (const [name, value] of Object.entries(securityHeaders(locals.secure))) {
		headers.set(name, value);
	}
	// SvelteKit gives pages theirs; what is no page needs nothing at all.
	if (!headers.has('content-security-policy')) {
		headers.set('content-security-policy', NOTHING_POLICY);
	}
	headers.set('x-request-id', locals.requestId);
	const caching = headers.get('cache-control');
	// What was shown to an account stays in no cache: whoever has the browser next finds nothing.
	if (locals.identity.via !== 'public' && caching?.includes('no-store') !== true) {
		headers.set('cache-control', 'private, no-store');
	} else if (caching === null) headers.set('cache-control', 'private, no-cache');
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
	seconds: number | null
): Response {
	const { request, url, locals } = event;
	const headers = {
		...(seconds === null ? {} : { 'retry-after': String(seconds) }),
		'cache-control': 'private, no-store'
	};
	if (request.headers.get('x-sveltekit-action') === 'true') {
		return json({ type: 'error', status, error }, { status, headers });
	}
	if (wantsPage(event) && !event.isSubRequest) {
		const { message, safe, next } = error;
		const sentences = [message, safe, next].filter((sentence) => sentence !== undefined);
		return new Response(plainPage({ title, sentences, requestId: locals.requestId }), {
			status,
			headers: {
				...headers,
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': PLAIN_POLICY
			}
		});
	}
	const body = url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status, headers });
}

/** Where a request came from; that of the connection where a proxy should have said it and was passed by. */
function addressOf({ getClientAddress, platform }: RequestEvent): string {
	try {
		return getClientAddress();
	} catch {
		return platform?.req.socket.remoteAddress ?? 'unknown';
	}
}

/** Whether a file is asked for, in whatever spelling: the router reads `tokens%2Ecsv` as `tokens.csv`. */
const isFile = ({ url, params }: RequestEvent): boolean =>
	[url.pathname, ...Object.values(params)].some((part) => /\.(?:csv|json)$/.test(part ?? ''));

/** What a body adds to the cost of a change: one for each 64 KiB that it may have. */
function bodyCost({ request, route, locals }: RequestEvent): number {
	const { bytes } = bodyLimitsOf(route.id, locals.account !== null);
	const length = Number(request.headers.get('content-length') ?? bytes);
	return Math.floor(Math.min(length, bytes) / SMALL_BODY.bytes);
}

/** The seconds to wait when the caller has asked for too much, else null. */
async function secondsOverBudget(event: RequestEvent): Promise<number | null> {
	const { locals, request } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const cost = isFile(event) && !event.isDataRequest ? COST.export : COST.read;
	const { identity } = locals;
	const wait = await locals.app.requestBudget.take(
		{
			account: identity.account?.id ?? null,
			token: identity.via === 'token' ? identity.token.id : null,
			address: addressOf(event)
		},
		reading ? cost : COST.change + bodyCost(event)
	);
	return wait;
}

function tooManyAnswer(event: RequestEvent, seconds: number): Response {
	const error: App.Error = {
		message: tooManyWords(seconds),
		code: 'too-many-requests',
		requestId: event.locals.requestId
	};
	return wordsAnswer(event, 429, 'Too many requests', error, seconds);
}

function bodyFaultAnswer(event: RequestEvent, fault: BodyFault): Response {
	const { status, message } = BODY_FAULTS[fault];
	const { requestId } = event.locals;
	const error: App.Error = { message, code: `body-${fault}`, requestId };
	return wordsAnswer(event, status, 'This cannot be taken', error, null);
}

/** What the database said, kept with the request; null when the error is not its. */
function noteTrouble(event: RequestEvent, error: unknown): App.Error | null {
	const trouble = databaseTrouble(error);
	if (trouble === null) return null;
	const { requestId, callerRequestId } = event.locals;
	event.locals.trouble = trouble;
	log.error(
		{
			err: error,
			requestId,
			callerRequestId,
			method: event.request.method,
			route: event.route.id,
			status: 503
		},
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
	if (event.locals.duplicate && response.status === 500) {
		return new Response(response.body, { status: 409, headers: response.headers });
	}
	if (event.locals.trouble === null || response.status !== 500) return response;
	// A page in the usual frame has SvelteKit's policy; what could not be framed says it plainly.
	if (!response.headers.has('content-security-policy')) return troubleAnswer(event);
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(RETRY_SECONDS));
	return new Response(response.body, { status: 503, headers });
}

/** Where a page that was not opened sends its reader first. */
const DOORS: Partial<Record<Refusal['code'], string>> = {
	'sign-in-needed': '/login',
	'confirmation-needed': '/confirm'
};

/** What was typed into the form of a request, to be given back; null when it holds none that can be. */
async function postedForm(
	{ request, url }: RequestEvent,
	code: Refusal['code']
): Promise<KeptForm | null> {
	try {
		// Where the password was looked for, the body is in memory already.
		if (code === 'confirmation-needed') return keptForm(url, await request.formData());
		const taken = await takeBody(request, SMALL_BODY);
		return typeof taken === 'string' ? null : keptForm(url, await taken.formData());
	} catch {
		return null;
	}
}

/**
 * Reads the password that came with a form and confirms the session by it.
 * @returns null when it did; `missing` when there is none to look at
 */
async function confirmationProblem(event: RequestEvent): Promise<AuthError | 'missing' | null> {
	const { request, locals } = event;
	const { identity } = locals;
	if (identity.via !== 'session') return 'missing';
	// What cannot be read confirms nothing, and is refused as it is.
	const password = await takeConfirmation(request).catch(() => null);
	if (password === null) return 'missing';
	try {
		await locals.app.auth.confirm({
			account: identity.account,
			password,
			address: addressOf(event),
			idHash: identity.session.idHash
		});
		return null;
	} catch (error) {
		if (error instanceof AuthError) return error;
		throw error;
	}
}

/** Shows the form once more after a password that did not do. */
async function askAgain(
	event: RequestEvent,
	refusal: Refusal,
	problem: AuthError
): Promise<Response> {
	const answer = await refuse(event, refusal, problem.message);
	if (problem.retryAfter === null) return answer;
	const headers = new Headers(answer.headers);
	headers.set('retry-after', String(problem.retryAfter));
	return new Response(answer.body, { status: 429, headers });
}

/** The page that takes the place of the one that was asked for. */
const placeOf = (event: RequestEvent, code: Refusal['code']): { place: string; keeps: boolean } => {
	if (code !== 'confirmation-needed') {
		return { place: `/denied?why=${code}`, keeps: code === 'sign-in-needed' };
	}
	return { place: `/confirm?next=${encodeURIComponent(event.url.pathname)}`, keeps: true };
};

async function refuse(event: RequestEvent, refusal: Refusal, problem?: string): Promise<Response> {
	const { request, url, locals } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const forPage =
		event.isDataRequest || (request.headers.get('accept') ?? '').includes('text/html');
	const door = DOORS[refusal.code];
	if (door !== undefined && reading && forPage) {
		const location = `${door}?next=${encodeURIComponent(url.pathname + url.search)}`;
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
		const { place, keeps } = placeOf(event, refusal.code);
		// The page for this says it within the usual frame; a thrown error would get a bare one.
		const show = (more = ''): Promise<Response> =>
			withinRequest(contextOf(locals), () =>
				event.fetch(`${place}${more}`, { headers: { accept: 'text/html' } })
			);
		const form = keeps ? await postedForm(event, refusal.code) : null;
		const kept = form && problem !== undefined ? { ...form, problem } : form;
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
	event.locals.requestId ||= randomUUID();
	const { requestId, callerRequestId } = event.locals;
	if (status < 500) {
		return { message, code: status === 404 ? 'not-found' : 'bad-request', requestId };
	}
	const trouble = noteTrouble(event, error);
	if (trouble !== null) return trouble;
	if (isDuplicate(error)) {
		event.locals.duplicate = true;
		return {
			message: 'The same was saved by another request at the same moment.',
			safe: 'Nothing was saved twice.',
			next: 'Look at the page again before you repeat it.',
			code: 'duplicate',
			requestId
		};
	}
	log.error(
		{
			err: error,
			requestId,
			callerRequestId,
			method: event.request.method,
			route: event.route.id,
			status
		},
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
