import { error, fail, redirect } from '@sveltejs/kit';
import type { Check } from '#lib/server/migration/preflight.ts';
import type { FieldErrors } from '#lib/server/migration/request.ts';
import { POLICIES } from '#lib/server/migration/states.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals, url }) => {
	const chains = locals.app.gateway.chains();
	const asked = (name: string): string => {
		const chain = url.searchParams.get(name) ?? '';
		return chains.includes(chain) ? chain : '';
	};
	return {
		chains,
		typed: {
			source: asked('source'),
			destination: asked('destination'),
			address: '',
			amount: '',
			policy: 'automatic'
		}
	};
};

/** What the form hands back: what was typed, what is wrong where, and every check that was made. */
interface Outcome {
	typed: { source: string; destination: string; address: string; amount: string; policy: string };
	errors: FieldErrors;
	checks: Check[];
}

/** The failed checks that belong to a field stand at the field. */
function errorsOf(checks: readonly Check[]): FieldErrors {
	const errors: FieldErrors = {};
	for (const { result, field, sentence } of checks) {
		if (result === 'fail' && field !== undefined) errors[field] ??= sentence;
	}
	return errors;
}

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = locals.account?.name ?? error(401, { message: 'Log in first.' });
		const form = await request.formData();
		const field = (name: string): string => String(form.get(name) ?? '');
		const policy = POLICIES.find((one) => one === field('policy')) ?? 'automatic';
		const typed = {
			source: field('source'),
			destination: field('destination'),
			address: field('address'),
			amount: field('amount'),
			policy
		};
		const drafted = await locals.app.migrations.draft(typed, actor);
		if (drafted.kind === 'drafted') redirect(303, `/migrations/${drafted.id}`);
		const checks = drafted.kind === 'refused' ? drafted.checks : [];
		const errors = drafted.kind === 'refused' ? errorsOf(checks) : drafted.errors;
		return fail(400, { typed, errors, checks } satisfies Outcome as Outcome);
	}
};
