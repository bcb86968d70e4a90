import { json, type RequestEvent } from '@sveltejs/kit';
import { withinRequest } from '#lib/server/access/audit/context.ts';
import { rightFor, type RequestedRight } from '#lib/server/access/access-requests/rights.ts';
import { methodsOf, whoMay } from '#lib/server/access/policy/allow.ts';
import { routes } from '#lib/server/access/policy/routes.ts';
import type { Refusal } from '#lib/server/access/requests/guard.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import {
	formReplay,
	withFormReplay,
	type FormReplay
} from '#lib/server/platform/http/formReplay.ts';
import { takeBody } from '#lib/server/platform/http/takeBody.ts';
import { secretFieldsOf } from '#lib/server/rpc-proxy/console/secretFields.ts';
import { SURE_FIELD } from '#lib/text/irreversible.ts';
import { contextOf } from './context.ts';
import type { AskedAct } from './irreversible.ts';
import { pageOf } from './once.ts';

/** Pages to which a browser is redirected when it may not open the requested one yet. */
const PAGES: Partial<Record<Refusal['code'], string>> = {
	'sign-in-needed': '/login',
	'confirmation-needed': '/confirm',
	'factor-needed': '/account/factors'
};

/** Refusals of a form that is executed once it is confirmed. */
const CONFIRMABLE: ReadonlySet<Refusal['code']> = new Set(['confirmation-needed', 'sure-needed']);

/** Returns the submitted form data, to be offered again; null when there is none that can be. */
async function postedForm(
	{ request, url, route, params }: RequestEvent,
	code: Refusal['code'],
	act: AskedAct | null
): Promise<FormReplay | null> {
	const secret = secretFieldsOf(route.id, params.method ?? '');
	const replay = (form: FormData): FormReplay | null =>
		formReplay(url, form, (name) => secret.has(name));
	try {
		// The check of the confirmation has already read the body into memory.
		if (CONFIRMABLE.has(code)) {
			const form = await request.formData();
			if (act === null) return replay(form);
			// The page that offers the form again shows the question.
			form.set(SURE_FIELD, 'yes');
			const kept = replay(form);
			return kept && { ...kept, question: act.question, isKnown: code === 'sure-needed' };
		}
		const taken = await takeBody(request, SMALL_BODY);
		return typeof taken === 'string' ? null : replay(await taken.formData());
	} catch {
		return null;
	}
}

/** Returns the right that a member could request, if only the role is insufficient. */
function lackedRight(
	{ route, request, locals }: RequestEvent,
	code: Refusal['code']
): RequestedRight | null {
	if (code !== 'forbidden' || locals.identity.via !== 'session' || route.id === null) return null;
	return rightFor(whoMay(routes, route.id, request.method));
}

/** Returns the page to show instead of the requested one, and whether it keeps the submitted form. */
const placeOf = (event: RequestEvent, code: Refusal['code']): { place: string; keeps: boolean } => {
	if (!CONFIRMABLE.has(code)) {
		const right = lackedRight(event, code);
		const path = encodeURIComponent(event.url.pathname);
		const lacks = right === null ? '' : `&right=${right}&path=${path}`;
		return { place: `/denied?why=${code}${lacks}`, keeps: code === 'sign-in-needed' };
	}
	return { place: `/confirm?next=${encodeURIComponent(pageOf(event.url))}`, keeps: true };
};

/**
 * Answers a refused request: with a redirect, another page, the same page with a problem, or an error body.
 */
export async function refuse(
	event: RequestEvent,
	refusal: Refusal,
	{ act = null, problem }: { act?: AskedAct | null; problem?: string } = {}
): Promise<Response> {
	const { request, url, locals } = event;
	const reading = request.method === 'GET' || request.method === 'HEAD';
	const forPage =
		event.isDataRequest || (request.headers.get('accept') ?? '').includes('text/html');
	const page = PAGES[refusal.code];
	if (page !== undefined && reading && forPage) {
		const location = `${page}?next=${encodeURIComponent(url.pathname + url.search)}`;
		// For data requests SvelteKit converts this to its own format. It does not catch a thrown redirect
		// when the path is undecodable: the client would wait forever.
		return new Response(null, { status: 303, headers: { location } });
	}
	const right = lackedRight(event, refusal.code);
	const allow: Record<string, string> =
		refusal.code === 'method-not-allowed' && event.route.id !== null
			? { allow: methodsOf(routes, event.route.id).join(', ') }
			: {};
	const error: App.Error = {
		message: refusal.message,
		code: refusal.code,
		requestId: locals.requestId,
		...(right === null ? {} : { lacks: { right, path: url.pathname } }),
		...(refusal.code === 'sure-needed' && act !== null ? { question: act.question } : {})
	};
	// The format that `use:enhance` expects.
	if (request.headers.get('x-sveltekit-action') === 'true') {
		return json({ type: 'error', status: refusal.status, error }, { status: refusal.status });
	}
	if (forPage && !event.isDataRequest && !event.isSubRequest) {
		const { place, keeps } = placeOf(event, refusal.code);
		// The page shows the error within the usual layout; a thrown error would get a bare page. It is
		// fetched with the same host, because cookies and passkeys depend on it.
		const host = request.headers.get('host');
		const asked = { accept: 'text/html', ...(host === null ? {} : { host }) };
		const show = (more = ''): Promise<Response> =>
			withinRequest(contextOf(locals), () => event.fetch(`${place}${more}`, { headers: asked }));
		const form = keeps ? await postedForm(event, refusal.code, act) : null;
		const kept = form && problem !== undefined ? { ...form, problem } : form;
		const page = kept ? await withFormReplay(kept, (key) => show(`&kept=${key}`)) : await show();
		const headers = new Headers(page.headers);
		if (kept) headers.set('cache-control', 'private, no-store');
		if (allow['allow'] !== undefined) headers.set('allow', allow['allow']);
		return new Response(page.body, { status: refusal.status, headers });
	}
	const challenge: Record<string, string> =
		refusal.status === 401 ? { 'www-authenticate': 'Bearer realm="komodeck"' } : {};
	// The JSON API has one format for all errors.
	const body = event.url.pathname.startsWith('/api/v1/') ? { error } : error;
	return json(body, { status: refusal.status, headers: { ...challenge, ...allow } });
}
