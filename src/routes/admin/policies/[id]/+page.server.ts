import { error, fail, redirect } from '@sveltejs/kit';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { policySentence } from '#lib/messages/policies/sentence.ts';
import { typedOf, type RuleFaults, type TypedRule } from '#lib/server/access/policy/rules/form.ts';
import type { Rule } from '#lib/server/access/policy/rules/rule.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { applied } from '../../../applied.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import { policyChoices, policyNames, readRuleForm } from '../choices.ts';
import type { Actions, PageServerLoad } from './$types';

async function existing(locals: App.Locals, id: string): Promise<Rule> {
	const rules = await locals.app.policies.list();
	return rules.find((rule) => rule.id === id) ?? error(404, { message: PLAIN_ANSWERS.notFound });
}

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { app } = locals;
	const rule = await existing(locals, params.id);
	const { asset } = rule;
	const decimals = asset.is === 'token' ? await app.sender.decimals(asset.chain, asset.tokenid) : 0;
	return {
		place: rule.place,
		revision: rule.revision,
		sentence: policySentence(rule, await policyNames(app, [rule])),
		typed: typedOf(rule, decimals),
		/** The token of the rule's amounts; null for another asset. */
		token: asset.is === 'token' ? { tokenid: asset.tokenid, decimals } : null,
		choices: await policyChoices(app)
	};
};

/** Result of the action. */
interface Outcome {
	typed: TypedRule;
	errors?: RuleFaults;
	problem?: string;
	/** The token of the amounts with its current decimals, when the form did not state them. */
	token?: { tokenid: string; decimals: number };
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	save: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const read = await readRuleForm(locals.app, form);
		if ('refused' in read) return fail(400, outcome(read.refused));
		const seen = form.get('revision');
		const revision = typeof seen === 'string' ? Number(seen) : 0;
		try {
			const change = { change: 'set', id: params.id, revision, body: read.rule } as const;
			applied(await locals.app.policies.change(account, change));
		} catch (cause) {
			if (!isAppError(cause, 'policy')) throw cause;
			return fail(cause.status, outcome({ typed: read.typed, problem: cause.message }));
		}
		redirect(303, '/admin/policies#rules');
	}
};
