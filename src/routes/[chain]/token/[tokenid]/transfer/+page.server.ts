import { error, fail, redirect } from '@sveltejs/kit';
import { labelled } from '#lib/server/book/labelled.ts';
import { SendingError } from '#lib/server/sending/errors.ts';
import { readTransfer, type FieldErrors } from '#lib/server/sending/request.ts';
import { askedBefore, movable, tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const tokenid = tokenidOf(params.tokenid);
	const [shown, before] = await Promise.all([
		movable(locals, params.chain, tokenid),
		askedBefore(locals.app, url.searchParams.get('again'), 'token-transfer', tokenid)
	]);
	return labelled(locals, { ...shown, initial: before ?? { recipient: '', amount: '' } });
};

export const actions: Actions = {
	default: async ({ request, locals, params }) => {
		const account = locals.account ?? error(401, { message: 'Log in first.' });
		const tokenid = tokenidOf(params.tokenid);
		const form = await request.formData();
		const typed = {
			recipient: String(form.get('recipient') ?? ''),
			amount: String(form.get('amount') ?? '')
		};
		const refused = (errors: FieldErrors, problem: string | null = null) =>
			fail(400, { typed, errors, problem });
		const { sender } = locals.app;
		const read = readTransfer(typed, tokenid, await sender.decimals(params.chain, tokenid));
		if (!read.ok) return refused(read.errors);
		let id: string;
		try {
			id = await sender.moveToken(params.chain, read.request, account.name);
		} catch (cause) {
			if (!(cause instanceof SendingError)) throw cause;
			// A payload that is too large has no field of its own here.
			return cause.field === 'amount'
				? refused({ amount: cause.message })
				: refused({}, cause.message);
		}
		redirect(303, `/sends/${id}`);
	}
};
