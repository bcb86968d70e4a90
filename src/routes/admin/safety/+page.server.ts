import { SAFETY } from '#lib/messages/pages/safety.ts';
import { fail } from '@sveltejs/kit';
import {
	SAFETY_CONTROLS,
	type SafetyControlName
} from '#lib/server/access/policy/safety-controls/names.ts';
import {
	MOST_REASON,
	activeControlText
} from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, shown, text } from '#lib/server/platform/http/readForm.ts';
import { applied } from '../../applied.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const status = await locals.app.safetyControls.status();
	const textOf = (name: SafetyControlName): string | null =>
		status[name] && activeControlText(status[name]);
	return {
		status,
		/** The controls as displayed. */
		shown: { freeze: textOf('freeze'), 'read-only': textOf('read-only') },
		mostReason: MOST_REASON,
		now: Date.now()
	};
};

const isSafetyControl = (name: unknown): name is SafetyControlName =>
	SAFETY_CONTROLS.some((known) => known === name);

export const actions: Actions = {
	turnOn: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { switch: name, reason } = await readForm(request, { switch: text, reason: text });
		if (!isSafetyControl(name))
			return fail(400, { name: null, reason, problem: SAFETY.faults.unknown });
		if (reason.trim() === '') {
			return fail(400, { name, reason, problem: SAFETY.faults.reason });
		}
		await locals.app.safetyControls.turnOn(name, reason, account);
		return { done: SAFETY.controls[name].turnedOn };
	},

	turnOff: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const fields = { switch: text, 'shown.switch': shown };
		const { switch: name, 'shown.switch': seen } = await readForm(request, fields);
		if (!isSafetyControl(name))
			return fail(400, { name: null, reason: '', problem: SAFETY.faults.unknown });
		try {
			const lifted = applied(await locals.app.safetyControls.turnOff(name, account, seen));
			return { done: lifted ? SAFETY.controls[name].turnedOff : SAFETY.wasOff };
		} catch (cause) {
			if (!isAppError(cause, 'change')) throw cause;
			return fail(cause.status, { name, reason: '', problem: cause.message });
		}
	}
};
