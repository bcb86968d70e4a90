import { error, fail } from '@sveltejs/kit';
import { AuthError } from '#lib/server/auth/errors.ts';
import { rolesUpTo } from '#lib/server/auth/permissions.ts';
import { isRole } from '#lib/server/auth/roles.ts';
import type { Account } from '#lib/server/auth/identity.ts';
import type { Actions, PageServerLoad } from './$types';

const DAY = 24 * 60 * 60 * 1000;
/** How long a token may live; the empty one lives until it is revoked. */
const LIFETIMES = [
	{ value: '30', label: '30 days' },
	{ value: '90', label: '90 days' },
	{ value: '365', label: 'One year' },
	{ value: '', label: 'Until revoked' }
] as const;

interface FieldErrors {
	current?: string;
	password?: string;
	repeat?: string;
	name?: string;
	role?: string;
	expires?: string;
	methods?: string;
	daemons?: string;
}

/** What an action hands back: which form it was, what was typed, what is wrong, what was done. */
interface Outcome {
	form: 'password' | 'token' | 'sessions';
	typed?: Record<string, string>;
	errors?: FieldErrors;
	notice?: string;
	/** A token that was just made: shown this once. */
	token?: string;
}

/** The table of routes lets only people in; this is for the compiler. */
function personOf(locals: App.Locals): Account {
	return locals.account ?? error(401, { message: 'Log in first.' });
}

function idHashOf(locals: App.Locals): string | null {
	return locals.identity.via === 'session' ? locals.identity.session.idHash : null;
}

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const account = personOf(locals);
	const { sessions, tokens } = locals.app.auth;
	const current = idHashOf(locals);
	return {
		person: { name: account.name, role: account.role },
		sessions: (await sessions.list(account.id)).map((session) => ({
			...session,
			current: session.idHash === current
		})),
		tokens: await tokens.list(account.id),
		roles: rolesUpTo(account.role),
		lifetimes: LIFETIMES.map((lifetime) => ({ ...lifetime })),
		theme: locals.theme,
		now: Date.now()
	};
};

/** Words between commas, spaces or line ends; null when there is none. */
function listOf(text: string): string[] | null {
	const words = text.split(/[\s,]+/).filter((word) => word !== '');
	return words.length === 0 ? null : words;
}

export const actions: Actions = {
	password: async ({ request, locals, getClientAddress }) => {
		const account = personOf(locals);
		const form = await request.formData();
		const next = String(form.get('password') ?? '');
		const refused = (status: number, errors: FieldErrors) =>
			fail(status, { form: 'password', errors } satisfies Outcome as Outcome);
		if (next !== String(form.get('repeat') ?? '')) {
			return refused(400, { repeat: 'The two passwords differ.' });
		}
		try {
			await locals.app.auth.changePassword({
				account,
				current: String(form.get('current') ?? ''),
				next,
				address: getClientAddress(),
				keepIdHash: idHashOf(locals)
			});
		} catch (cause) {
			if (!(cause instanceof AuthError)) throw cause;
			if (cause.code === 'throttled') return refused(429, { current: cause.message });
			return refused(400, { [cause.field ?? 'password']: cause.message });
		}
		return {
			form: 'password',
			notice: 'The password is changed. All your other sessions have ended.'
		} satisfies Outcome as Outcome;
	},

	revokeSession: async ({ request, locals }) => {
		const account = personOf(locals);
		const { sessions, audit } = locals.app.auth;
		const idHash = String((await request.formData()).get('session') ?? '');
		if (await sessions.endByHash(account.id, idHash)) {
			await audit.append({ actor: account.name, action: 'session.ended' });
		}
		return { form: 'sessions', notice: 'That session has ended.' } satisfies Outcome as Outcome;
	},

	revokeOthers: async ({ locals }) => {
		const account = personOf(locals);
		await locals.app.auth.sessions.endOthers(account.id, idHashOf(locals));
		await locals.app.auth.audit.append({ actor: account.name, action: 'session.others-ended' });
		return {
			form: 'sessions',
			notice: 'All your other sessions have ended.'
		} satisfies Outcome as Outcome;
	},

	createToken: async ({ request, locals }) => {
		const account = personOf(locals);
		const form = await request.formData();
		const field = (name: string): string => String(form.get(name) ?? '');
		const typed = {
			name: field('name'),
			role: field('role'),
			expires: field('expires'),
			methods: field('methods'),
			daemons: field('daemons')
		};
		const refused = (errors: FieldErrors) =>
			fail(400, { form: 'token', typed, errors } satisfies Outcome as Outcome);
		if (!isRole(typed.role)) return refused({ role: 'Choose a role.' });
		const lifetime = LIFETIMES.find(({ value }) => value === typed.expires);
		if (!lifetime) return refused({ expires: 'Choose how long it lives.' });
		const methods = listOf(typed.methods);
		const strange = methods?.find((word) => !/^[a-z0-9_]{1,60}$/i.test(word));
		if (strange !== undefined) {
			return refused({ methods: `"${strange}" is not the name of a method.` });
		}
		const daemons = listOf(typed.daemons);
		const known = locals.app.gateway.daemons().map(({ id }) => id);
		const unknown = daemons?.find((id) => !known.includes(id));
		if (unknown !== undefined) {
			return refused({
				daemons: `There is no daemon "${unknown}". There are: ${known.join(', ')}.`
			});
		}
		try {
			const { token } = await locals.app.auth.tokens.create({
				account,
				name: typed.name,
				role: typed.role,
				methods,
				daemons,
				expiresAt: lifetime.value === '' ? null : Date.now() + Number(lifetime.value) * DAY
			});
			await locals.app.auth.audit.append({
				actor: account.name,
				action: 'token.created',
				target: typed.name.trim(),
				detail: { role: typed.role, methods, daemons }
			});
			return { form: 'token', token } satisfies Outcome as Outcome;
		} catch (cause) {
			if (!(cause instanceof AuthError)) throw cause;
			return refused({ [cause.field ?? 'name']: cause.message });
		}
	},

	revokeToken: async ({ request, locals }) => {
		const account = personOf(locals);
		const { tokens, audit } = locals.app.auth;
		const id = String((await request.formData()).get('token') ?? '');
		if (await tokens.revoke(account.id, id)) {
			await audit.append({ actor: account.name, action: 'token.revoked', target: id });
		}
		return { form: 'token', notice: 'The token is revoked.' } satisfies Outcome as Outcome;
	}
};
