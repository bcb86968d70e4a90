import { fail } from '@sveltejs/kit';
import { isNoticeKind, NOTICE_KIND_WORDS, NOTICE_KINDS } from '#lib/messages/notices/kinds.ts';
import { NOTICE_ADMIN } from '#lib/messages/pages/noticeAdmin.ts';
import { serverOf, type WebhookChoice } from '#lib/server/access/notifications/webhooks.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readFields, readForm, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const DELIVERIES = 50;

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { notifications, config } = locals.app;
	const [webhooks, deliveries, exported] = await Promise.all([
		notifications.webhooks.list(),
		notifications.webhooks.deliveries(DELIVERIES),
		notifications.exported()
	]);
	const servers = new Map(webhooks.map(({ id, url }) => [id, serverOf(url)]));
	return {
		webhooks,
		deliveries: deliveries.map((one) => ({ ...one, server: servers.get(one.webhook) ?? null })),
		kinds: NOTICE_KINDS.map((kind) => ({ kind, name: NOTICE_KIND_WORDS[kind].name })),
		smtp: config.smtp === null ? null : { from: config.smtp.from, host: config.smtp.host },
		exported,
		now: Date.now()
	};
};

/** Result of an action. `form`: id of the webhook, or `new`. */
interface Outcome {
	form: string;
	done?: string;
	/** Shown only once. */
	secret?: string;
	problem?: { message: string; code: string };
	errors?: Record<string, string>;
	typed?: WebhookChoice & { shown?: WebhookChoice };
}

const outcome = outcomeOf<Outcome>();

function failed(cause: unknown, told: Outcome) {
	if (!isAppError(cause, 'notice')) throw cause;
	const { message, code, status, field } = cause;
	return fail(
		status,
		outcome(
			field === null || told.typed === undefined
				? { ...told, problem: { message, code } }
				: { ...told, errors: { [field]: message } }
		)
	);
}

/** Wraps an action on the webhook whose id the form contains. */
const withId =
	(act: (app: App.Locals['app'], by: Account, id: string) => Promise<Partial<Outcome>>) =>
	async ({ request, locals }: { request: Request; locals: App.Locals }) => {
		const { account } = requireMember(locals);
		const { id } = await readForm(request, { id: text });
		try {
			return outcome({ form: id, ...(await act(locals.app, account, id)) });
		} catch (cause) {
			return failed(cause, { form: id });
		}
	};

const words = NOTICE_ADMIN.webhooks;

const kindsOf = (form: FormData, name: string) =>
	form.getAll(name).map(String).filter(isNoticeKind);

const typedOf = (form: FormData): WebhookChoice => ({
	...readFields(form, { url: trimmed }),
	kinds: kindsOf(form, 'kinds')
});

/**
 * Returns the values that the form displayed; a form that does not state them, such as a script's, is
 * applied as it is.
 */
function shownOf(form: FormData): WebhookChoice {
	const url = form.get('shown.url');
	if (typeof url !== 'string') return { url: '', kinds: NOTICE_KINDS };
	return { url, kinds: kindsOf(form, 'shown.kinds') };
}

export const actions: Actions = {
	add: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const typed = typedOf(await request.formData());
		try {
			const { webhooks } = locals.app.notifications;
			const { id, secret } = await webhooks.add(account, typed.url, typed.kinds);
			return outcome({ form: id, secret, done: words.added });
		} catch (cause) {
			return failed(cause, { form: 'new', typed });
		}
	},

	change: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const { id } = readFields(form, { id: text });
		const typed = typedOf(form);
		const shown = shownOf(form);
		try {
			await locals.app.notifications.webhooks.change(account, id, typed, shown);
			return outcome({ form: id, done: words.changed });
		} catch (cause) {
			return failed(cause, { form: id, typed: { ...typed, shown } });
		}
	},

	rotate: withId(async (app, by, id) => ({
		secret: await app.notifications.webhooks.rotate(by, id),
		done: words.rotated
	})),

	test: withId(async (app, by, id) => {
		await app.notifications.webhooks.test(by, id);
		return { done: words.tested };
	}),

	enable: withId(async (app, by, id) => {
		await app.notifications.webhooks.setEnabled(by, id, true);
		return { done: words.enabled };
	}),

	disable: withId(async (app, by, id) => {
		await app.notifications.webhooks.setEnabled(by, id, false);
		return { done: words.disabled };
	}),

	remove: withId(async (app, by, id) => {
		await app.notifications.webhooks.remove(by, id);
		return { done: words.removed };
	})
};
