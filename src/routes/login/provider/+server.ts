import { redirect } from '@sveltejs/kit';
import type { NewFlow } from '#lib/server/access/single-sign-on/flows.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { beginFlow, CONTINUE_PATH, signOnOf } from './sendToProvider.ts';
import { refusalPath } from './refusalPath.ts';
import type { RequestHandler } from './$types';

/** Redirects to the provider, from a link on the login page: a form may not end on a page of another site. */
export const GET: RequestHandler = async (event) => {
	const { locals, url, request } = event;
	const next = safeNext(url.searchParams.get('next'));
	try {
		const signOn = signOnOf(locals);
		// The cookie must belong to the host to which the provider sends the browser back. Only once: a proxy that
		// does not forward the Host header would otherwise be redirected for ever.
		const isElsewhere = request.headers.get('host')?.toLowerCase() !== new URL(signOn.origin).host;
		if (isElsewhere && !url.searchParams.has('moved')) {
			redirect(303, `${signOn.origin}/login/provider?moved&next=${encodeURIComponent(next)}`);
		}
		const flow = await beginFlow(event, { purpose: 'sign-in', next });
		const to = await signOn.urlFor(flow);
		redirect(303, to ?? '/login');
	} catch (error) {
		if (!isAppError(error, 'sign-on')) throw error;
		redirect(303, refusalPath('sign-in', error.code, next));
	}
};

/** Starts single sign-on from the forms that accept an invitation or confirm an identity. */
export const POST: RequestHandler = async (event) => {
	const { locals, request } = event;
	const fields = await readForm(request, { purpose: text, token: text, next: text });
	const next = safeNext(fields.next);
	const { identity, app } = locals;
	/** Starts a flow and redirects the browser, or back if single sign-on was turned off in the meantime. */
	async function goOn(flow: NewFlow): Promise<never> {
		try {
			await beginFlow(event, flow);
		} catch (error) {
			if (!isAppError(error, 'sign-on')) throw error;
			redirect(303, refusalPath(flow.purpose, error.code, next));
		}
		redirect(303, CONTINUE_PATH);
	}
	if (fields.purpose === 'confirm' && identity.via === 'session') {
		const { account, session } = identity;
		const flow = {
			purpose: 'confirm',
			accountId: account.id,
			sessionHash: session.idHash
		} as const;
		return goOn({ ...flow, next });
	}
	const linkId = await app.auth.links.invitationId(fields.token);
	if (fields.purpose !== 'join' || linkId === null) redirect(303, '/login');
	return goOn({ purpose: 'join', linkId, next: '/' });
};
