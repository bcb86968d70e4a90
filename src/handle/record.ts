import type { RequestEvent } from '@sveltejs/kit';
import { usedElsewhere } from '#lib/server/access/audit/refusals.ts';
import { withinRequest } from '#lib/server/access/audit/context.ts';
import type { Refusal } from '#lib/server/access/requests/guard.ts';
import { contextOf } from './context.ts';

/** Records a refused request in the audit log; requests without an account are only counted. */
export async function record(
	event: RequestEvent,
	{ code, by: elsewhere }: Pick<Refusal, 'code' | 'by'>,
	by: 'guard' | 'page' = 'guard'
): Promise<void> {
	const { request, route, url, locals } = event;
	const { refusals } = locals.app;
	const { identity } = locals;
	if (code === 'foreign-origin') return refusals.anonymous('page', 'origin');
	if (code === 'token-invalid') return refusals.anonymous('page', 'credential');
	if (elsewhere !== undefined) {
		await withinRequest(contextOf(locals), () =>
			refusals.refused(elsewhere.account, usedElsewhere(elsewhere, 'page'))
		);
		return;
	}
	if (identity.via === 'public') {
		return code === 'sign-in-needed' ? refusals.anonymous('page', 'sign-in') : undefined;
	}
	if (!['forbidden', 'token-limited', 'session-only'].includes(code) || event.isSubRequest) return;
	await withinRequest(contextOf(locals), () =>
		refusals.refused(identity, {
			where: 'page',
			why: code === 'forbidden' ? 'role' : 'token',
			what: `${request.method === 'HEAD' ? 'GET' : request.method} ${route.id}`,
			place: null,
			reason: { code: 'address', why: by === 'page' ? by : code },
			path: url.pathname
		})
	);
}
