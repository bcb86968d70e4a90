import { error, fail } from '@sveltejs/kit';
import { AuthError } from '#lib/server/auth/errors.ts';
import type { Account } from '#lib/server/auth/identity.ts';
import { isRole, ROLES } from '#lib/server/auth/roles.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { people, sessions, tokens } = locals.app.auth;
	const person = (await people.list()).find(({ id }) => id === params.id);
	if (!person) error(404, { message: 'There is no such account.' });
	return {
		person,
		self: person.id === locals.account?.id,
		sessions: await sessions.list(person.id),
		tokens: await tokens.list(person.id),
		roles: ROLES.map((role) => ({ value: role, label: role })),
		now: Date.now()
	};
};

/** What an action hands back: what was done, or why not. */
interface Outcome {
	notice?: string;
	problem?: string;
	/** Path of a reset that was just made: shown this once. */
	path?: string;
}

type Act = (by: Account, id: string, form: FormData) => Promise<Outcome>;

/** An action of an admin on the account of the address; a refusal is said on the page. */
function acting(act: (locals: App.Locals) => Act): Actions[string] {
	return async ({ request, locals, params }) => {
		const by = locals.account ?? error(401, { message: 'Log in first.' });
		try {
			return await act(locals)(by, params.id ?? '', await request.formData());
		} catch (cause) {
			if (!(cause instanceof AuthError)) throw cause;
			return fail(400, { problem: cause.message } satisfies Outcome as Outcome);
		}
	};
}

export const actions: Actions = {
	role: acting(({ app }) => async (by, id, form) => {
		const role = form.get('role');
		if (!isRole(role)) return { problem: 'Choose a role.' };
		await app.auth.people.setRole(by, id, role);
		return { notice: `The role is ${role} now. It counts in open sessions, too.` };
	}),
	disable: acting(({ app }) => async (by, id) => {
		await app.auth.people.disable(by, id);
		return { notice: 'The account is disabled: its sessions have ended, its tokens are refused.' };
	}),
	enable: acting(({ app }) => async (by, id) => {
		await app.auth.people.enable(by, id);
		return { notice: 'The account may log in again.' };
	}),
	endSessions: acting(({ app }) => async (by, id) => {
		await app.auth.people.endSessions(by, id);
		return { notice: 'All sessions of the account have ended.' };
	}),
	revokeToken: acting(({ app }) => async (by, id, form) => {
		const token = form.get('token');
		const revoked = await app.auth.people.revokeToken(
			by,
			id,
			typeof token === 'string' ? token : ''
		);
		return { notice: revoked ? 'The token is revoked.' : 'That token does not work any more.' };
	}),
	reset: acting(({ app }) => async (by, id) => {
		const { token } = await app.auth.links.reset(by, id);
		return { path: `/join?token=${token}` };
	})
};
