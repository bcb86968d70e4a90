import { error, fail } from '@sveltejs/kit';
import { differenceSentence } from '#lib/messages/auditLog.ts';
import { MEMBER } from '#lib/messages/pages/members.ts';
import { ROLE_WORDS } from '#lib/messages/roles.ts';
import { shownToken } from '#lib/server/access/api-tokens/shownToken.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { withChanges } from '#lib/server/access/policy/wallets/choice.ts';
import { roleMatrix } from '#lib/server/access/policy/roleMatrix.ts';
import { isRole, ROLES } from '#lib/server/access/identity/roles.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readFields, text } from '#lib/server/platform/http/readForm.ts';
import { applied } from '../../../applied.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { auth, gateway, wallets } = locals.app;
	const { members, sessions, tokens } = auth;
	// Read before the displayed data: later changes were not seen by the admin.
	const state = await members.stateOf(params.id);
	const all = await members.list();
	const person = all.find(({ id }) => id === params.id);
	if (!person) error(404, { message: MEMBER.unknown });
	const known = gateway.daemons().map(({ id, chain }) => ({ id, chain }));
	const choice = await wallets.choiceOf(person.id);
	return {
		person,
		/** Granted daemons that are no longer configured stay in the list. */
		daemons: [
			...known,
			...choice.daemons
				.filter((id) => known.every((daemon) => daemon.id !== id))
				.map((id) => ({ id, chain: null }))
		],
		choice,
		work: await members.openWork(person.name),
		successors: all
			.filter(
				({ id, role, disabledAt }) =>
					id !== person.id && disabledAt === null && mayAccess(role, 'broadcast', false)
			)
			.map(({ id, name, role }) => ({ value: id, label: `${name}, ${ROLE_WORDS[role].name}` })),
		self: person.id === locals.account?.id,
		/** Single sign-on identities of the member, and the provider's display name. */
		identities: (await auth.signOn?.identitiesOf(person.id)) ?? [],
		provider: auth.signOn?.label ?? null,
		factors: await auth.factors.of(person),
		sessions: await sessions.list(person.id),
		tokens: (await tokens.list(person.id)).map(shownToken),
		/** Differences from the audit log, one sentence each. */
		changed: (await locals.app.audit.recorded.differences(locals.app.db, ['accounts']))
			.filter(({ account }) => account === person.id)
			.map(differenceSentence),
		/** State of the account as displayed. */
		state,
		roles: ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role].name })),
		rights: roleMatrix(),
		/** Numbers of rules that too few members could approve at present. */
		unreachable: (await locals.app.policies.unreachable()).map(({ place }) => place),
		now: Date.now()
	};
};

/** Result of an action: what was done, or why not. */
interface Outcome {
	notice?: string;
	problem?: string;
	/** Stable code of the problem, when it has one. */
	code?: string;
	/** Error of the choice of a successor. */
	successorError?: string;
	/** What was chosen in a refused form; empty for fields that it does not have. */
	typed?: { role: string; successor: string };
	/** Path of a new password reset, shown only once. */
	path?: string;
	/** Id of the proposed change, when the reset needs approval by other admins. */
	proposal?: string | null;
}

const outcome = outcomeOf<Outcome>();

type Act = (by: Account, id: string, form: FormData) => Promise<Outcome>;

/** Reports an unsuitable successor at its field; rethrows any other error. */
function unfit(cause: unknown): Outcome {
	if (isAppError(cause, 'assignment')) return { successorError: cause.message };
	throw cause;
}

/** Wraps an action of an admin on the account in the URL; a refusal is reported on the page. */
function acting(act: (locals: App.Locals) => Act): Actions[string] {
	return async ({ request, locals, params }) => {
		const { account: by } = requireMember(locals);
		const form = await request.formData();
		const typed = readFields(form, { role: text, successor: text });
		try {
			const told = await act(locals)(by, params.id ?? '', form);
			return told.successorError === undefined ? told : fail(400, outcome({ ...told, typed }));
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment', 'sign-on')) throw cause;
			return fail(400, outcome({ problem: cause.message, code: cause.code, typed }));
		}
	};
}

export const actions: Actions = {
	role: acting(({ app }) => async (by, id, form) => {
		const { role } = readFields(form, { role: text });
		if (!isRole(role)) return { problem: MEMBER.role.choose };
		applied(await app.auth.members.setRole(by, id, role));
		return { notice: MEMBER.role.done(ROLE_WORDS[role].name) };
	}),
	disable: acting(({ app }) => async (by, id, form) => {
		const { successor } = readFields(form, { successor: text });
		try {
			await app.auth.members.disable(by, id, successor === '' ? undefined : successor);
		} catch (cause) {
			return unfit(cause);
		}
		return { notice: MEMBER.work.disabled };
	}),
	handOver: acting(({ app }) => async (by, id, form) => {
		const { successor } = readFields(form, { successor: text });
		try {
			const count = await app.auth.members.handOver(by, id, successor);
			return { notice: MEMBER.work.reassigned(count) };
		} catch (cause) {
			return unfit(cause);
		}
	}),
	wallets: acting(({ app }) => async (by, id, form) => {
		const asked = form.getAll('daemon').map(String);
		const now = await app.wallets.choiceOf(id);
		const known = new Set([...app.gateway.daemons().map((daemon) => daemon.id), ...now.daemons]);
		const daemons = asked.filter((daemon) => known.has(daemon));
		const every = form.get('shown-every');
		// A form that does not state what it displayed, such as a script's, is applied as it is.
		const shown =
			every === null ? now : { every: every === 'yes', daemons: form.getAll('shown').map(String) };
		const choice = withChanges(now, shown, { every: form.get('every') !== null, daemons });
		applied(await app.wallets.set(by, id, choice));
		return { notice: MEMBER.wallets.done };
	}),
	enable: acting(({ app }) => async (by, id) => {
		applied(await app.auth.members.enable(by, id));
		return { notice: MEMBER.enabled };
	}),
	confirm: acting(({ app }) => async (by, id, form) => {
		applied(await app.auth.members.confirm(by, id, String(form.get('shown.state') ?? '')));
		await app.audit.checkRows();
		return { notice: MEMBER.confirmed };
	}),
	endSessions: acting(({ app }) => async (by, id) => {
		await app.auth.members.endSessions(by, id);
		return { notice: MEMBER.sessions.ended };
	}),
	unlink: acting(({ app }) => async (by, id, form) => {
		const identity = readFields(form, { issuer: text, subject: text });
		const account = (await app.auth.members.list()).find((one) => one.id === id);
		if (!account || app.auth.signOn === null) return { problem: MEMBER.access.unlinkGone };
		const unlinked = await app.auth.signOn.unlinkOf(by, account, identity);
		return unlinked ? { notice: MEMBER.access.unlinked } : { problem: MEMBER.access.unlinkGone };
	}),
	resetFactors: acting(({ app }) => async (by, id) => {
		applied(await app.auth.factors.reset(by, id));
		return { notice: MEMBER.factors.done };
	}),
	revokeToken: acting(({ app }) => async (by, id, form) => {
		const { token } = readFields(form, { token: text });
		const revoked = await app.auth.tokens.revoke(id, token, by);
		return { notice: revoked ? MEMBER.tokens.revoked : MEMBER.tokens.gone };
	}),
	reset: acting(({ app }) => async (by, id) => {
		const { token, proposal } = await app.auth.links.reset(by, id);
		return { path: `/join?token=${token}`, proposal };
	})
};
