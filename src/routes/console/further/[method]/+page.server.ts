import { error, fail } from '@sveltejs/kit';
import { consoleFormMessages } from '#lib/messages/errors/console.ts';
import { consolePage } from '#lib/messages/pages/console.ts';
import { readFields, text } from '#lib/server/platform/http/readForm.ts';
import { readWritten } from '#lib/server/rpc-proxy/console/form.ts';
import { furtherFor } from '#lib/server/rpc-proxy/console/further.ts';
import type { CallOutcome } from '#lib/server/rpc-proxy/console/outcome.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { callerNow } from '../../callerNow.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const methodOf = ({ app, identity }: App.Locals, name: string) =>
	furtherFor(app.gateway, identity.role).find((one) => one.name === name) ??
	error(404, { message: consolePage.noMethod });

export const load: PageServerLoad = ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { name, daemons } = methodOf(locals, params.method);
	return { method: name, daemons };
};

interface Outcome {
	typed: { daemon: string; written: string };
	errors?: Record<string, string>;
	outcome?: CallOutcome;
}

const answer = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async (event) => {
		const { request, locals, params } = event;
		const identity = requireMember(locals);
		const { name, daemons } = methodOf(locals, params.method);
		const typed = readFields(await request.formData(), { daemon: text, written: text });
		const read = readWritten(typed.written);
		const errors = consoleFormMessages({
			...('errors' in read ? read.errors : {}),
			...(daemons.includes(typed.daemon)
				? {}
				: { daemon: { code: 'console.no-daemon', params: {} } as const })
		});
		if (!('params' in read) || Object.keys(errors).length > 0) {
			return fail(400, answer({ typed, errors }));
		}
		const outcome = await locals.app.console.callFurther(identity, {
			method: name,
			daemon: typed.daemon,
			params: read.params,
			requestId: locals.requestId,
			who: callerNow(event, identity)
		});
		const told = answer({ typed, outcome });
		if (outcome.kind === 'refused') return fail(403, told);
		return outcome.kind === 'limited' ? fail(429, told) : told;
	}
};
