import { fail } from '@sveltejs/kit';
import {
	NOTICE_CHANNELS,
	NOTICE_KIND_WORDS,
	type NoticeChannel,
	type NoticeKind
} from '#lib/messages/notices/kinds.ts';
import { NOTICE_SETTINGS } from '#lib/messages/pages/noticeSettings.ts';
import { kindsOf } from '#lib/server/access/notifications/kinds.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember, requireSession } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

/** Returns the name of a checkbox. */
const box = (kind: NoticeKind, channel: NoticeChannel): string => `${kind} ${channel}`;

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account, session } = requireSession(locals);
	const { preferences, addresses, browsers, pushKey } = locals.app.notifications;
	const [wants, pushDetails, address, browser] = await Promise.all([
		preferences.of(account.id),
		preferences.pushDetails(account.id),
		addresses.of(account.id),
		browsers.of(account.id, session.idHash)
	]);
	return {
		kinds: kindsOf(account.role).map((kind) => ({
			kind,
			...NOTICE_KIND_WORDS[kind],
			boxes: NOTICE_CHANNELS.map((channel) => ({
				name: box(kind, channel),
				channel,
				checked: wants(kind, channel)
			}))
		})),
		pushDetails,
		address,
		canMail: addresses.canMail,
		browser,
		pushKey,
		/** Token from the link of a verification mail. */
		verify: url.searchParams.get('verify')
	};
};

/** Result of an action. */
interface Outcome {
	done?: string;
	problem?: { message: string; code: string };
	errors?: { email: string };
	typed?: { email: string };
}

const outcome = outcomeOf<Outcome>();

/** Reports an error on the page. */
function failed(cause: unknown, typed?: { email: string }) {
	if (!isAppError(cause, 'notice', 'account.session-ended')) throw cause;
	const { message, code, status, field } = cause;
	return field === 'email' && typed !== undefined
		? fail(status, outcome({ errors: { email: message }, typed }))
		: fail(status, outcome({ problem: { message, code }, ...(typed ? { typed } : {}) }));
}

export const actions: Actions = {
	save: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const form = await request.formData();
		const asked = new Set(form.getAll('asked'));
		const chosen = {
			// A form that does not state what it displayed, such as a script's, counts as complete.
			isAsked: (kind: NoticeKind) => asked.size === 0 || asked.has(kind),
			has: (kind: NoticeKind, channel: NoticeChannel) => form.has(box(kind, channel)),
			pushDetails: form.has('push-details')
		};
		try {
			await locals.app.notifications.preferences.save(account, chosen, session.idHash);
			return outcome({ done: NOTICE_SETTINGS.saved });
		} catch (cause) {
			return failed(cause);
		}
	},

	email: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const typed = await readForm(request, { email: trimmed });
		try {
			await locals.app.notifications.addresses.ask(account, typed.email);
			return outcome({ done: NOTICE_SETTINGS.email.asked });
		} catch (cause) {
			return failed(cause, typed);
		}
	},

	verify: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { token } = await readForm(request, { token: text });
		try {
			await locals.app.notifications.addresses.verify(account, token, session.idHash);
			return outcome({ done: NOTICE_SETTINGS.email.confirmed });
		} catch (cause) {
			return failed(cause);
		}
	},

	removeEmail: async ({ locals }) => {
		const { account, session } = requireSession(locals);
		try {
			await locals.app.notifications.addresses.remove(account, session.idHash);
			return outcome({ done: NOTICE_SETTINGS.email.removed });
		} catch (cause) {
			return failed(cause);
		}
	},

	turnOn: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { subscription } = await readForm(request, { subscription: text });
		try {
			const { browsers } = locals.app.notifications;
			await browsers.add(account, session.idHash, subscription);
			return outcome({ done: NOTICE_SETTINGS.browser.turnedOn });
		} catch (cause) {
			return failed(cause);
		}
	},

	turnOff: async ({ request, locals }) => {
		const { account, session } = requireSession(locals);
		const { everywhere } = await readForm(request, { everywhere: text });
		try {
			const { browsers } = locals.app.notifications;
			await browsers.remove(account, session.idHash, everywhere !== '');
			return outcome({ done: NOTICE_SETTINGS.browser.turnedOff });
		} catch (cause) {
			return failed(cause);
		}
	}
};
