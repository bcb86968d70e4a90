import { fail, redirect } from '@sveltejs/kit';
import { NOTIFICATIONS } from '#lib/messages/pages/notifications.ts';
import { notices } from '#lib/messages/notices/catalogue.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const wanted = Number(url.searchParams.get('page') ?? '1');
	const { inbox } = locals.app.notifications;
	const { rows, ...list } = await inbox.list(account.id, Number.isSafeInteger(wanted) ? wanted : 1);
	return {
		...list,
		rows: rows.map(({ message, ...row }) => ({
			...row,
			text: message === null ? NOTIFICATIONS.unknown : notices.text(message)
		})),
		now: Date.now()
	};
};

export const actions: Actions = {
	/** Marks a notice as read and redirects to its page. */
	open: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { id } = await readForm(request, { id: text });
		const path = await locals.app.notifications.inbox.read(account.id, id);
		if (path === null) return fail(404, { problem: NOTIFICATIONS.gone });
		redirect(303, path);
	},

	read: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { id } = await readForm(request, { id: text });
		const path = await locals.app.notifications.inbox.read(account.id, id);
		return path === null ? fail(404, { problem: NOTIFICATIONS.gone }) : { problem: null };
	},

	readAll: async ({ locals }) => {
		const { account } = requireMember(locals);
		await locals.app.notifications.inbox.readAll(account.id);
		return { problem: null };
	}
};
