import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import qrcode from 'qrcode-generator';
import { FACTORS } from '#lib/messages/pages/factors.ts';
import { fail } from '@sveltejs/kit';
import { hasPassword } from '#lib/server/access/accounts/accounts.ts';
import type { TotpSetUp } from '#lib/server/access/second-factors/appCodes.ts';
import { MOST_FACTOR_NAME } from '#lib/server/access/second-factors/factorChanges.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { qrPath } from '#lib/ui/values/qr.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireSession } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, request, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account, session } = requireSession(locals);
	return {
		...(await locals.app.auth.factors.of(account)),
		setUpOnly: session.setUpOnly,
		hasPassword: await hasPassword(locals.app.db, account.id),
		/** Why passkeys are unavailable; null when they are available. */
		passkeysOff: locals.app.auth.passkeyPlace(request.headers).off,
		mostName: MOST_FACTOR_NAME,
		/** Id of the factor to rename. */
		renaming: url.searchParams.get('rename'),
		now: Date.now()
	};
};

/** Returns a pending setup in the form for the page. */
const shown = ({ id, secret, address }: TotpSetUp) => ({
	id,
	secret: secret.replaceAll(/(.{4})(?=.)/g, '$1 '),
	qr: qrPath(qrcode, address)
});

/** Result of an action. */
interface Outcome {
	notice?: string;
	problem?: string;
	setUp?: ReturnType<typeof shown>;
	typed?: { name: string };
	errors?: { name?: string; code?: string };
	/** A passkey in creation: the browser's options, or the error of its name. */
	passkey?: { options?: PublicKeyCredentialCreationOptionsJSON; name: string; error?: string };
	/** A new name for a factor that was refused. */
	rename?: { factor: string; name: string; error: string };
	/** New recovery codes, shown only once. */
	codes?: string[] | null;
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	beginTotp: async ({ locals }) => {
		const { account, session } = requireSession(locals);
		const setUp = await locals.app.auth.factors.beginTotp(account, session.idHash);
		return outcome({ setUp: shown(setUp) });
	},

	addTotp: async ({ request, locals, getClientAddress, setHeaders }) => {
		const { account, session } = requireSession(locals);
		const { factors } = locals.app.auth;
		const { id, name, code } = await readForm(request, { id: text, name: text, code: text });
		const { idHash } = session;
		try {
			const { codes } = await factors.addTotp(account, {
				idHash,
				id,
				name,
				code,
				from: { address: getClientAddress(), device: `session ${idHash}` }
			});
			return outcome({ notice: FACTORS.list.added, codes });
		} catch (cause) {
			if (!isAppError(cause, 'factor', 'account')) throw cause;
			const setUp = await factors.totpSetUp(account, idHash, id);
			if (setUp === null) return fail(cause.status, outcome({ problem: cause.message }));
			if (cause.retryAfter !== null) setHeaders({ 'retry-after': String(cause.retryAfter) });
			return fail(cause.code === 'account.throttled' ? 429 : 400, {
				...outcome({
					setUp: shown(setUp),
					typed: { name },
					errors: { [cause.field === 'name' ? 'name' : 'code']: cause.message }
				})
			});
		}
	},

	beginPasskey: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { auth } = locals.app;
		const { site } = auth.passkeyPlace(request.headers);
		const { name } = await readForm(request, { name: text });
		try {
			const begun = { idHash: session.idHash, name, site };
			const options = await auth.factors.beginPasskey(account, begun);
			return outcome({ passkey: { options, name } });
		} catch (cause) {
			if (!isAppError(cause, 'factor')) throw cause;
			if (cause.field !== 'name') return fail(cause.status, outcome({ problem: cause.message }));
			return fail(cause.status, outcome({ passkey: { name, error: cause.message } }));
		}
	},

	addPasskey: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { auth } = locals.app;
		const { site } = auth.passkeyPlace(request.headers);
		const { answer } = await readForm(request, { answer: text });
		try {
			const given = { idHash: session.idHash, answer, site };
			const { codes } = await auth.factors.addPasskey(account, given);
			return outcome({ notice: FACTORS.list.added, codes });
		} catch (cause) {
			if (!isAppError(cause, 'factor')) throw cause;
			return fail(cause.status, outcome({ problem: cause.message }));
		}
	},

	rename: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { factor, name } = await readForm(request, { factor: text, name: text });
		try {
			await locals.app.auth.factors.rename(account, factor, name, session.idHash);
			return outcome({ notice: FACTORS.list.renamed });
		} catch (cause) {
			if (!isAppError(cause, 'factor', 'account.session-ended')) throw cause;
			if (cause.field !== 'name') return fail(cause.status, outcome({ problem: cause.message }));
			return fail(cause.status, outcome({ rename: { factor, name, error: cause.message } }));
		}
	},

	remove: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { factor } = await readForm(request, { factor: text });
		try {
			await locals.app.auth.factors.remove(account, factor, session.idHash);
			return outcome({ notice: FACTORS.list.removed });
		} catch (cause) {
			if (!isAppError(cause, 'factor', 'account.session-ended')) throw cause;
			return fail(cause.status, outcome({ problem: cause.message }));
		}
	},

	renewCodes: async ({ locals }) => {
		const { account, session } = requireSession(locals);
		try {
			const codes = await locals.app.auth.factors.renewCodes(account, session.idHash);
			return outcome({ codes });
		} catch (cause) {
			if (!isAppError(cause, 'factor', 'account')) throw cause;
			return fail(cause.status, outcome({ problem: cause.message }));
		}
	}
};
