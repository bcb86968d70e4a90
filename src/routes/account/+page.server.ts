import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { fail, redirect } from '@sveltejs/kit';
import { usualDays } from '#lib/server/access/api-tokens/lifetime.ts';
import { shownToken } from '#lib/server/access/api-tokens/shownToken.ts';
import {
	lifetimesOf,
	readTokenRequest,
	type TokenFieldErrors,
	type TypedToken
} from '#lib/server/access/api-tokens/tokenRequest.ts';
import { shownLimit, shownUse } from '#lib/server/access/policy/limits/shown.ts';
import { mayAccess, rolesUpTo } from '#lib/server/access/policy/permissions.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { mayUseWallet } from '#lib/server/access/policy/wallets/wallets.ts';
import { hasPassword } from '#lib/server/access/accounts/accounts.ts';
import { MOST_SESSIONS } from '#lib/server/access/accounts/sessions/begin.ts';
import { repeatErrors } from '#lib/server/access/accounts/newPassword.ts';
import { problemOf } from '#lib/server/access/single-sign-on/problem.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { readFields, readForm, text } from '#lib/server/platform/http/readForm.ts';
import { pickedMethods } from '#lib/server/rpc-proxy/console/pickedMethods.ts';
import { beginFlow, CONTINUE_PATH, signOnOf } from '../login/provider/sendToProvider.ts';
import { outcomeOf } from '../outcomeOf.ts';
import { ownWork } from '../readers.ts';
import { requireMember, requireSession } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

type FieldErrors = {
	[Field in keyof TokenFieldErrors | 'current' | 'password' | 'repeat']?: string;
};

/** Result of an action: the form, typed values, errors, and what was done. */
interface Outcome {
	form: 'password' | 'token' | 'sessions' | 'sign-on';
	typed?: TypedToken;
	/** Sessions and tokens to keep after a password change. */
	kept?: { sessions: string[]; tokens: string[] };
	errors?: FieldErrors;
	notice?: string;
	/** Why an identity was not linked or unlinked. */
	problem?: { message: string; code: string };
	/** A newly created token, shown only once. */
	token?: string;
	/** Why a token was not replaced, with its id and when it was to be revoked. */
	unreplaced?: { id: string; when: string; problem: string };
}

const outcome = outcomeOf<Outcome>();

/** Returns the ids of the daemons whose wallets a member may use, on pages or with the RPC API. */
async function walletsOf({ app }: App.Locals, account: Account): Promise<string[]> {
	const choice = await app.wallets.choiceOf(account.id);
	return app.gateway
		.daemons()
		.map(({ id }) => id)
		.filter((id) => mayUseWallet(account.role, choice, id));
}

const placesOf = ({ gateway, config }: App.Locals['app']): string[] =>
	[...gateway.daemons(), ...config.nodes].map(({ id }) => id);

/**
 * Returns the listed items of the password form that are not checked. Items that are not listed, such as
 * sessions started while the form was open, are not kept either.
 */
function unchecked(form: FormData, what: 'session' | 'token'): string[] {
	const checked = new Set(form.getAll(`end-${what}`).map(String));
	return form
		.getAll(`listed-${what}`)
		.map(String)
		.filter((id) => !checked.has(id));
}

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account, session: current } = requireSession(locals);
	const { auth, config, limits } = locals.app;
	const { sessions, tokens } = auth;
	const { signOn } = auth;
	const rule = await tokens.lifetimeRule();
	const own = await limits.of(account.id);
	return {
		person: { name: account.name, role: account.role },
		/** Whether the role uses wallets at all. */
		usesWallets: mayAccess(account.role, 'build', false),
		wallets: await walletsOf(locals, account),
		signOn:
			signOn === null
				? null
				: {
						label: signOn.label,
						identities: await signOn.identitiesHere(account.id),
						linked: url.searchParams.has('linked'),
						problem: problemOf(url)
					},
		hasPassword: await hasPassword(locals.app.db, account.id),
		work: await ownWork(locals),
		limits: own.map((limit) => shownLimit(limit, own)),
		used: (await limits.used(account.id)).map((used) => shownUse(used, own)),
		factors: await auth.factors.of(account),
		sessions: (await sessions.list(account.id)).map((session) => ({
			...session,
			current: session.idHash === current.idHash
		})),
		mostSessions: MOST_SESSIONS,
		tokens: (await tokens.list(account.id)).map(shownToken),
		roles: rolesUpTo(account.role),
		lifetimes: lifetimesOf(rule).map((value) => ({
			value,
			label: ACCOUNT.tokens.lifetime(value)
		})),
		usualLifetime: String(usualDays(rule)),
		methods: pickedMethods(account.role, config.nodes.length > 0),
		places: placesOf(locals.app),
		/** The login found that the password would not be accepted as a new one today. */
		outdatedPassword: url.searchParams.get('password') === 'outdated',
		now: Date.now()
	};
};

/** Reports why nothing was linked or unlinked; single sign-on may have been turned off in the meantime. */
function signOnFailed(cause: unknown) {
	if (!isAppError(cause, 'sign-on')) throw cause;
	const problem = { message: cause.message, code: cause.code };
	return fail(cause.status, outcome({ form: 'sign-on', problem }));
}

export const actions: Actions = {
	password: async ({ request, locals, getClientAddress, setHeaders }) => {
		const { account, session } = requireSession(locals);
		const form = await request.formData();
		const fields = readFields(form, { password: text, repeat: text, current: text });
		const { password: next } = fields;
		const kept = {
			sessions: unchecked(form, 'session'),
			tokens: unchecked(form, 'token')
		};
		const refused = (status: number, errors: FieldErrors) =>
			fail(status, outcome({ form: 'password', kept, errors }));
		const differing = repeatErrors(fields, account.name);
		if (differing !== null) return refused(400, differing);
		let revoked: { sessions: number; tokens: number };
		try {
			revoked = await locals.app.auth.changePassword({
				account,
				current: fields.current,
				next,
				address: getClientAddress(),
				idHash: session.idHash,
				kept
			});
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment')) throw cause;
			if (cause.code === 'account.throttled') {
				setHeaders({ 'retry-after': String(cause.retryAfter ?? 1) });
				return refused(429, { current: cause.message });
			}
			return refused(400, { [cause.field ?? 'password']: cause.message });
		}
		return outcome({
			form: 'password',
			notice: ACCOUNT.password.changed(revoked)
		});
	},

	link: async (event) => {
		const { account, session } = requireSession(event.locals);
		try {
			await beginFlow(event, {
				purpose: 'link',
				accountId: account.id,
				sessionHash: session.idHash,
				next: '/account?linked=1#sign-on'
			});
		} catch (cause) {
			return signOnFailed(cause);
		}
		redirect(303, CONTINUE_PATH);
	},

	unlink: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const identity = await readForm(request, { issuer: text, subject: text });
		try {
			const unlinked = await signOnOf(locals).unlink(account, identity);
			if (!unlinked) throw new AppError('sign-on.not-linked');
		} catch (cause) {
			return signOnFailed(cause);
		}
		return outcome({ form: 'sign-on', notice: ACCOUNT.signOn.unlinked });
	},

	revokeSession: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { session: idHash } = await readForm(request, { session: text });
		await locals.app.auth.sessions.endOne(account, idHash);
		return outcome({ form: 'sessions', notice: ACCOUNT.sessions.ended });
	},

	revokeOthers: async ({ locals }) => {
		const { account, session } = requireSession(locals);
		await locals.app.auth.sessions.endOthers(account, session.idHash);
		return outcome({
			form: 'sessions',
			notice: ACCOUNT.sessions.othersEnded
		});
	},

	createToken: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const form = await request.formData();
		const picked = (name: string): string[] => form.getAll(name).map(String);
		const typed: TypedToken = {
			...readFields(form, {
				name: text,
				role: text,
				expires: text,
				addresses: text,
				each: text,
				day: text,
				recipients: text
			}),
			methods: picked('methods'),
			daemons: picked('daemons'),
			wallets: picked('wallets')
		};
		const refused = (errors: FieldErrors) => fail(400, outcome({ form: 'token', typed, errors }));
		const { app } = locals;
		const choices = {
			places: placesOf(app),
			wallets: await walletsOf(locals, account),
			chains: app.gateway.chains(),
			rule: await app.auth.tokens.lifetimeRule()
		};
		const read = readTokenRequest(typed, account.role, choices, Date.now());
		if ('errors' in read) return refused(read.errors);
		try {
			const wanted = { account, session: session.idHash, ...read.request };
			const { token } = await app.auth.tokens.create(wanted, account);
			return outcome({ form: 'token', token });
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment')) throw cause;
			return refused({ [cause.field ?? 'name']: cause.message });
		}
	},

	replaceToken: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { token: id, when } = await readForm(request, { token: text, when: text });
		const refused = (status: number, problem: string) =>
			fail(status, outcome({ form: 'token', unreplaced: { id, when, problem } }));
		if (when !== 'now' && when !== 'in-an-hour') {
			return refused(400, ACCOUNT.tokens.faults.replaceWhen);
		}
		let made: { token: string } | null;
		try {
			made = await locals.app.auth.tokens.replace(account, id, when, session.idHash);
		} catch (cause) {
			if (!isAppError(cause, 'account.too-many-tokens', 'account.session-ended')) throw cause;
			return refused(cause.status, cause.message);
		}
		if (made === null) return refused(400, ACCOUNT.tokens.replaceGone);
		return outcome({ form: 'token', token: made.token });
	},

	revokeToken: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { token: id } = await readForm(request, { token: text });
		await locals.app.auth.tokens.revoke(account.id, id, account);
		return outcome({ form: 'token', notice: ACCOUNT.tokens.revoked });
	}
};
