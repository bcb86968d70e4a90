import { errorMessage } from '#lib/messages/errors/index.ts';
import { error, fail, redirect } from '@sveltejs/kit';
import { formWords } from '#lib/server/wallet/address-book/keys.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { MOST_LABEL } from '#lib/server/wallet/address-book/read.ts';
import { requireMember } from '../../requireMember.ts';
import { entryFaults, shownEntry, typedEntry } from '../typed.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { id }, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const entry =
		(await locals.app.addressBook.get(id)) ??
		error(404, errorMessage('address-book.entry-unknown', {}));
	return withLabels(locals, {
		entry: {
			...entry,
			keys: entry.keys.map(({ key, form }) => ({ key, words: formWords(form) }))
		},
		chains: locals.app.gateway.chains(),
		mostLabel: MOST_LABEL,
		now: Date.now()
	});
};

export const actions: Actions = {
	change: async ({ request, locals, params: { id } }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const [typed, shown] = [typedEntry(form), shownEntry(form)];
		const { addressBook, gateway } = locals.app;
		const written = await addressBook.change(id, typed, gateway.chains(), account.name, shown);
		if (!written.ok) return fail(400, { typed, shown, errors: entryFaults(written.errors) });
		redirect(303, `/address-book/${id}`);
	},

	remove: async ({ locals, params: { id } }) => {
		const { account } = requireMember(locals);
		await locals.app.addressBook.remove(id, account.name);
		redirect(303, '/address-book');
	}
};
