import { fail, redirect } from '@sveltejs/kit';
import { POLICIES } from '#lib/messages/pages/policies.ts';
import { SPENDING_LIMITS } from '#lib/messages/pages/spendingLimits.ts';
import { SECURITY } from '#lib/messages/pages/security.ts';
import { policySentence } from '#lib/messages/policies/sentence.ts';
import {
	EMPTY_RULE,
	type RuleFaults,
	type TypedRule
} from '#lib/server/access/policy/rules/form.ts';
import { limitSentences } from '#lib/server/access/policy/limits/shown.ts';
import type { RuleChange } from '#lib/server/access/policy/rules/changes.ts';
import { simulate, typedTrial } from '#lib/server/access/policy/simulate.ts';
import { readSection, shownSection } from '#lib/server/access/security-settings/form.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, shown, text } from '#lib/server/platform/http/readForm.ts';
import { shownChange } from '../../approvals/changes/shown.ts';
import { applied } from '../../applied.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import { knownChoices, policyChoices, policyNames, readRuleForm } from './choices.ts';
import type { Actions, PageServerLoad } from './$types';

/** Limit of proposed changes on this page. */
const SHOWN_CHANGES = 10;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { app } = locals;
	const rules = await app.policies.list();
	const names = await policyNames(app, rules);
	const lacking = new Map((await app.policies.unreachable()).map((rule) => [rule.id, rule]));
	const trial = typedTrial(url.searchParams);
	const changes = await app.audit.list({ action: 'policy.changed', limit: SHOWN_CHANGES });
	const quorum = await app.proposals.quorum();
	return {
		settings: shownSection('changes', await app.auth.settings.values()),
		/** Set when there are too few admins to approve changes; null otherwise. */
		stuck: quorum.needed > 0 && quorum.admins < quorum.needed + 1 ? quorum : null,
		proposals: (await app.proposals.list('open')).map(shownChange),
		rules: rules.map((rule) => ({
			id: rule.id,
			revision: rule.revision,
			place: rule.place,
			sentence: policySentence(rule, names),
			/** What is missing for its approvals; null when enough members can approve. */
			lacks: lacking.get(rule.id) ?? null
		})),
		limits: limitSentences(
			await app.limits.list(),
			(account) => names.members.get(account) ?? SPENDING_LIMITS.goneAccount
		),
		choices: await policyChoices(app),
		empty: EMPTY_RULE,
		trial:
			trial === null
				? null
				: await simulate(
						{
							...app,
							members: app.auth.members.list,
							ownerOf: app.auth.tokens.ownerOf,
							limitRefusal: app.rights.limitRefusal,
							namesIn: (asked) => policyNames(app, asked)
						},
						trial,
						await knownChoices(app)
					),
		changes: changes.map(({ seq, time, actor, detail }) => ({
			seq,
			time,
			actor,
			rule: typeof detail['rule'] === 'string' ? detail['rule'] : '',
			change: typeof detail['change'] === 'string' ? detail['change'] : ''
		})),
		now: Date.now()
	};
};

/** Result of an action. */
interface Outcome {
	typed?: TypedRule;
	errors?: RuleFaults;
	problem?: string;
	notice?: string;
	/** When a rule was added. Unix milliseconds. */
	added?: number;
	/** The token of the amounts with its decimals, when the form did not state them. */
	token?: { tokenid: string; decimals: number };
	/** Result of the settings form. */
	settings?: { notice?: string; typed?: Record<string, string>; errors?: Record<string, string> };
}

const outcome = outcomeOf<Outcome>();

/** Applies a change; errors are reported at the form. */
async function changed(locals: App.Locals, change: RuleChange, notice: string, typed?: TypedRule) {
	const { account } = requireMember(locals);
	try {
		applied(await locals.app.policies.change(account, change));
	} catch (error) {
		if (!isAppError(error, 'policy')) throw error;
		return fail(
			error.status,
			outcome({ problem: error.message, ...(typed === undefined ? {} : { typed }) })
		);
	}
	return outcome({ notice });
}

export const actions: Actions = {
	add: async ({ request, locals }) => {
		const read = await readRuleForm(locals.app, await request.formData());
		if ('refused' in read) return fail(400, outcome(read.refused));
		const change = { change: 'add', body: read.rule } as const;
		const made = await changed(locals, change, POLICIES.add.saved, read.typed);
		return 'notice' in made ? outcome({ ...made, added: Date.now() }) : made;
	},

	remove: async ({ request, locals }) => {
		const { id, revision } = await readForm(request, { id: text, revision: text });
		const change = { change: 'remove', id, revision: Number(revision) } as const;
		return changed(locals, change, POLICIES.removed);
	},

	settings: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { typed, wanted, errors } = readSection('changes', await request.formData());
		const refused = (faults: Record<string, string>) =>
			fail(400, outcome({ settings: { typed, errors: faults } }));
		if (Object.keys(errors).length > 0) return refused(errors);
		try {
			applied(await locals.app.auth.settings.change(account, wanted));
		} catch (cause) {
			if (!isAppError(cause, 'change') || cause.field === null) throw cause;
			return refused({ [cause.field]: cause.message });
		}
		return outcome({ settings: { notice: SECURITY.saved } });
	},

	move: async ({ request, locals }) => {
		const { id, up, past } = await readForm(request, { id: text, up: text, past: shown });
		const change = {
			change: 'move' as const,
			id,
			up: up === 'yes',
			...(past === undefined ? {} : { past })
		};
		const moved = await changed(locals, change, POLICIES.moved);
		return 'notice' in moved ? redirect(303, '/admin/policies#rules') : moved;
	}
};
