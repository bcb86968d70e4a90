import { fail } from '@sveltejs/kit';
import { MEMBERS } from '#lib/messages/pages/members.ts';
import { walletChoiceWords } from '#lib/messages/walletChoice.ts';
import { roleMatrix, needsWallet } from '#lib/server/access/policy/roleMatrix.ts';
import { isRole, ROLES, type Role } from '#lib/server/access/identity/roles.ts';
import { readChoice } from '#lib/server/access/policy/wallets/choice.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readFields, readForm, text } from '#lib/server/platform/http/readForm.ts';
import { applied } from '../../applied.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { members, links, signOn } = locals.app.auth;
	const linked = await signOn?.linkedAccounts();
	const wallets = await locals.app.wallets.all();
	const walletsOf = ({ id, role }: { id: string; role: Role }): string => {
		const { every, daemons } = wallets.get(id) ?? { every: false, daemons: [] };
		if (role === 'admin' || every) return MEMBERS.wallets.every;
		return role === 'viewer' || daemons.length === 0 ? MEMBERS.wallets.none : daemons.join(', ');
	};
	return {
		members: (await members.list()).map((person) => ({
			...person,
			wallets: walletsOf(person),
			logsIn: MEMBERS.accounts.ways(
				person.hasPassword,
				signOn !== null && linked?.has(person.id) === true ? signOn.label : null
			)
		})),
		requests: await locals.app.accessRequests.open(),
		invitations: (await links.openInvitations()).map((invitation) => ({
			...invitation,
			wallets: walletChoiceWords(invitation.wallets)
		})),
		daemons: locals.app.gateway.daemons().map(({ id, chain }) => ({ id, chain })),
		rights: roleMatrix(),
		/** Roles that need a wallet before they can spend. */
		needWallet: ROLES.filter(needsWallet),
		/** Numbers of rules that too few members could approve at present. */
		unreachable: (await locals.app.policies.unreachable()).map(({ place }) => place),
		now: Date.now()
	};
};

/** Result of an action. */
interface Outcome {
	typed?: { name: string; role: string; every: boolean; daemons: readonly string[] };
	errors?: { name?: string; role?: string; wallets?: string };
	notice?: string;
	/** Why a request for access was not decided. */
	problem?: { message: string; code: string };
	/** Path of a new invitation, shown only once. */
	path?: string;
	/** Id of the proposed change, when the invitation needs approval by other admins. */
	proposal?: string | null;
	/** The role can spend, but the invitation grants no wallet. */
	lacksWallet?: boolean;
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	invite: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const fields = readFields(form, { name: text, role: text });
		const known = locals.app.gateway.daemons().map(({ id }) => id);
		const { choice: wallets, unknown } = readChoice(form, known);
		const typed = {
			name: fields.name,
			role: fields.role,
			...wallets
		};
		const refused = (errors: Outcome['errors']) => fail(400, outcome({ typed, errors }));
		const { role } = typed;
		const errors = {
			...(isRole(role) ? {} : { role: MEMBERS.invite.chooseRole }),
			...(unknown === undefined
				? {}
				: { wallets: MEMBERS.invite.unknownDaemon(unknown.slice(0, 60)) })
		};
		if (!isRole(role) || unknown !== undefined) return refused(errors);
		try {
			const { token, proposal } = await locals.app.auth.links.invite(account, {
				role,
				name: typed.name,
				wallets
			});
			const lacksWallet = needsWallet(role) && !wallets.every && wallets.daemons.length === 0;
			return outcome({ path: `/join?token=${token}`, lacksWallet, proposal });
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment')) throw cause;
			return refused({ [cause.field === 'role' ? 'role' : 'name']: cause.message });
		}
	},

	takeBack: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { invitation: id } = await readForm(request, { invitation: text });
		const gone = await locals.app.auth.links.revoke(account, id);
		return outcome({ notice: gone ? MEMBERS.invite.revoked : MEMBERS.invite.gone });
	},

	grant: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { id, role } = await readForm(request, { id: text, role: text });
		try {
			const granted = applied(await locals.app.accessRequests.grant(account, id, role));
			return outcome({ notice: granted ? MEMBERS.requests.granted : MEMBERS.requests.gone });
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment', 'change')) throw cause;
			return fail(400, outcome({ problem: { message: cause.message, code: cause.code } }));
		}
	},

	dismiss: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { id } = await readForm(request, { id: text });
		const dismissed = await locals.app.accessRequests.dismiss(account, id);
		return outcome({ notice: dismissed ? MEMBERS.requests.dismissed : MEMBERS.requests.gone });
	}
};
