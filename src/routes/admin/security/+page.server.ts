import { SECURITY } from '#lib/messages/pages/security.ts';
import { fail } from '@sveltejs/kit';
import { readSection, shownSection } from '#lib/server/access/security-settings/form.ts';
import {
	isSection,
	SECURITY_SECTIONS,
	type SectionName
} from '#lib/server/access/security-settings/settings.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { applied } from '../../applied.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const values = await locals.app.auth.settings.values();
	return {
		// How changes are approved is set on the policies page.
		sections: SECURITY_SECTIONS.map((name) => ({
			name,
			settings: shownSection(name, values)
		}))
	};
};

/** Result of an action. */
interface Outcome {
	section: SectionName | null;
	notice?: string;
	typed?: Record<string, string>;
	errors?: Record<string, string>;
}

export const actions: Actions = {
	save: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const named = form.get('section');
		const section = typeof named === 'string' && isSection(named) ? named : null;
		if (section === null) {
			const outcome: Outcome = { section, notice: SECURITY.faults.unknown };
			return fail(400, outcome);
		}
		const { typed, wanted, errors } = readSection(section, form);
		if (Object.keys(errors).length > 0) {
			const outcome: Outcome = { section, typed, errors };
			return fail(400, outcome);
		}
		try {
			applied(await locals.app.auth.settings.change(account, wanted));
		} catch (cause) {
			if (!isAppError(cause, 'sign-on', 'change') || cause.field === null) throw cause;
			const outcome: Outcome = { section, typed, errors: { [cause.field]: cause.message } };
			return fail(cause.status, outcome);
		}
		const outcome: Outcome = { section, notice: SECURITY.saved };
		return outcome;
	}
};
