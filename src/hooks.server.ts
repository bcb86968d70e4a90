/** Handles requests: from authentication to the headers of the response. */
import { randomUUID } from 'node:crypto';
import { error as httpError, type Handle, type ServerInit } from '@sveltejs/kit';
import { callerIdOf, currentRequest, withinRequest } from '#lib/server/access/audit/context.ts';
import { VISITOR } from '#lib/server/access/identity/identity.ts';
import { routes, type RouteAccess } from '#lib/server/access/policy/routes.ts';
import { bodyLimitsOf } from '#lib/server/access/requests/bodyLimits.ts';
import { guard, refusalOf, type Refusal } from '#lib/server/access/requests/guard.ts';
import { getApp } from '#lib/server/app.ts';
import { isNoAction, namedActions } from '#lib/server/platform/http/formAction.ts';
import { isSecureHost } from '#lib/server/platform/http/secureHost.ts';
import { withReadableForm } from '#lib/server/platform/http/readable.ts';
import { takeBody } from '#lib/server/platform/http/takeBody.ts';
import { getRunning } from '#lib/server/platform/runningParts.ts';
import { themeOf } from '#lib/ui/frame/theme.ts';
import type { RouteId } from '$app/types';
import { secondsOverBudget } from './handle/budget.ts';
import { askAgain, confirmationProblem } from './handle/confirm.ts';
import { addressOf, contextOf } from './handle/context.ts';
import {
	afterDatabaseError,
	noteDatabaseError,
	databaseErrorResponse
} from './handle/databaseFaults.ts';
import { frameOf } from './handle/frame.ts';
import { finished } from './handle/finished.ts';
import { handleError } from './handle/handleError.ts';
import { actOf } from './handle/irreversible.ts';
import { movedAnswer, movedChainAnswer } from './handle/moved.ts';
import { onceFor } from './handle/once.ts';
import { inOpenFile } from './handle/openFile.ts';
import { preflightAnswer } from './handle/preflight.ts';
import { record } from './handle/record.ts';
import { refuse } from './handle/refuse.ts';
import { renewedCookie, withCookie } from './handle/renewed.ts';
import { sharedPage } from './handle/sharedPage.ts';
import { endOnRevocation } from './handle/endOnRevocation.ts';
import { bodyFaultAnswer, tooManyAnswer } from './handle/errorResponse.ts';

/** A route that is missing in the table is a compile error. */
const table = routes satisfies Record<RouteId, RouteAccess>;

export { handleError };

export const init: ServerInit = async () => {
	// Once devnet, if used, is up, its daemons are found.
	await getRunning('beforeApp');
	await getApp();
};

export const handle: Handle = async ({ event, resolve }) => {
	const { locals, request, cookies, url } = event;
	const app = await getApp();
	locals.app = app;
	const address = addressOf(event);
	event.getClientAddress = () => address;
	// The page of a refusal is a subrequest of the refused one and has the same id.
	locals.requestId = (event.isSubRequest ? currentRequest() : null) ?? randomUUID();
	locals.callerRequestId = callerIdOf(request.headers.get('x-request-id'));
	locals.theme = themeOf(cookies.get('theme'));
	locals.secure = isSecureHost(request.headers.get('host'), app.auth.origin);
	locals.identity = VISITOR;
	locals.account = null;
	locals.databaseError = null;
	locals.answerAs = null;
	locals.work = null;

	// There are no remote functions; their requests name the page in a header that proxies do not check.
	if (event.isRemoteRequest) {
		// Rendering the refusal costs as much as any page, so it counts against the budget.
		const over = event.isSubRequest ? null : await secondsOverBudget(event);
		if (over !== null) return finished(event, tooManyAnswer(event, over));
		return finished(event, await refuse(event, refusalOf('not-found')));
	}
	const moved = movedAnswer(event);
	if (moved !== null) return finished(event, moved);
	const preflight = preflightAnswer(event);
	if (preflight !== null) {
		const over = await secondsOverBudget(event);
		return finished(event, over === null ? preflight : tooManyAnswer(event, over));
	}

	/** Checks whether the request is allowed now, and for whom. */
	async function look(): Promise<Refusal | null> {
		const guarded = await guard(app.auth, table, {
			routeId: event.route.id,
			method: request.method,
			actions: namedActions(url),
			named: event.params.method,
			headers: request.headers,
			address
		});
		locals.identity = guarded.identity;
		locals.account = guarded.identity.account;
		if (guarded.refusal !== null) await record(event, guarded.refusal);
		return guarded.refusal;
	}

	let refusal: Refusal | null;
	try {
		refusal = await look();
	} catch (error) {
		// Without the database the caller cannot be identified, so access is denied.
		if (noteDatabaseError(event, error) === null) throw error;
		return finished(event, databaseErrorResponse(event));
	}
	const wait = event.isSubRequest ? null : await secondsOverBudget(event);
	if (wait !== null) return finished(event, tooManyAnswer(event, wait));
	if (event.route.id === null) {
		const page = await movedChainAnswer(event);
		if (page !== null) return finished(event, page);
	}

	if (refusal === null && request.method === 'POST' && isNoAction(url)) {
		refusal = refusalOf('not-found');
	}

	const { identity } = locals;
	const renewed = renewedCookie(event);

	let isTaken = false;
	const mayPost = refusal === null || refusal.code === 'confirmation-needed';
	if (mayPost && request.method === 'POST' && event.route.id !== null) {
		// Checked before parsing: a parser busy with a malicious body would block all other requests.
		const signedIn = identity.account !== null;
		const taken = await takeBody(request, bodyLimitsOf(event.route.id, signedIn));
		if (typeof taken === 'string') return finished(event, bodyFaultAnswer(event, taken));
		event.request = taken;
		isTaken = true;
		withReadableForm(taken, (status, message) =>
			httpError(status, { message, code: 'unreadable-form', requestId: locals.requestId })
		);
	}

	try {
		// While the body arrived, the session may have ended or the role may have changed.
		if (isTaken) refusal = await look();
	} catch (error) {
		if (noteDatabaseError(event, error) === null) throw error;
		return finished(event, databaseErrorResponse(event));
	}

	// Which permission is needed is settled: what cannot be undone is shown before it is done.
	const act = isTaken && locals.identity.via === 'session' ? await actOf(event) : null;
	const unsure = act === null || act.isSure ? null : refusalOf('sure-needed');
	refusal ??= unsure;

	// Without a route SvelteKit answers 404 with the usual page.
	const answer = async (): Promise<Response> => {
		const context = contextOf(locals);
		locals.work = context;
		return withinRequest(context, () =>
			inOpenFile(event, async () => resolve(event, frameOf(locals)))
		);
	};
	/** Whether the refusal of what was asked for is on record already. */
	const isRecorded = (): boolean => locals.work?.refused === true;
	/**
	 * Executes a form with its confirmation. A confirmation is used up with its form; a repeat of the form
	 * gets the stored response.
	 */
	async function confirmed(needed: Refusal): Promise<Response> {
		const problem = await confirmationProblem(event);
		if (problem === 'missing') return refuse(event, needed, { act });
		if (problem !== null) return askAgain(event, needed, problem, act);
		// The session is read again: what it may do depends on when it was confirmed.
		refusal = (await look()) ?? unsure;
		return refusal === null ? answer() : refuse(event, refusal, { act });
	}
	const needed = refusal?.code === 'confirmation-needed' && isTaken ? refusal : null;
	let response: Response;
	try {
		if (needed !== null) response = await onceFor(event, () => confirmed(needed));
		// Without a route nothing is executed, and the body was not taken: looking for a key would parse it unmeasured.
		else if (event.route.id === null) response = await answer();
		else if (refusal === null) response = await onceFor(event, () => sharedPage(event, answer));
		else response = await refuse(event, refusal, { act });
	} catch (error) {
		if (noteDatabaseError(event, error) === null) throw error;
		response = databaseErrorResponse(event);
	}
	// Calls of the console are recorded separately, and a refusal by safety controls is not a missing right.
	const isCall = event.route.id?.startsWith('/console') === true;
	if (refusal === null && response.status === 403 && !isRecorded() && !isCall) {
		await record(event, { code: 'forbidden' }, 'page');
	}
	const answered = withCookie(afterDatabaseError(event, response), renewed);
	return finished(event, endOnRevocation(event, answered));
};
