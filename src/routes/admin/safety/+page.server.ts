import { SAFETY } from '#lib/messages/pages/safety.ts';
import { fail } from '@sveltejs/kit';
import {
	SWITCHES,
	type SafetyControlName
} from '#lib/server/access/policy/safety-controls/names.ts';
import { MOST_REASON } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { applied } from '../../applied.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	return {
		status: await locals.app.safetyControls.status(),
		mostReason: MOST_REASON,
		now: Date.now()
	};
};

const isSafetyControl = (name: unknown): name is SafetyControlName =>
	SWITCHES.some((known) => known === name);

export const actions: Actions = {
	turnOn: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { switch: name, reason } = await readForm(request, { switch: text, reason: text });
		if (!isSafetyControl(name))
			return fail(400, { name: null, reason, problem: SAFETY.faults.unknown });
		if (reason.trim() === '') {
			return fail(400, { name, reason, problem: SAFETY.faults.reason });
		}
		await locals.app.safetyControls.turnOn(name, reason, account.name);
		return { done: SAFETY.controls[name].turnedOn };
	},

	turnOff: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { switch: name } = await readForm(request, { switch: text });
		if (!isSafetyControl(name))
			return fail(400, { name: null, reason: '', problem: SAFETY.faults.unknown });
		const lifted = applied(await locals.app.safetyControls.turnOff(name, account));
		return { done: lifted ? SAFETY.controls[name].turnedOff : SAFETY.wasOff };
	}
};
