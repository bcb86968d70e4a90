import { error, fail, redirect } from '@sveltejs/kit';
import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { FEE, MARKER } from '#lib/server/sending/compare.ts';
import { SendingError } from '#lib/server/sending/errors.ts';
import { formWallet } from '#lib/server/sending/formWallet.ts';
import { DEFAULT_RELAY_BYTES, migrationOutlook } from '#lib/server/sending/guards.ts';
import type { FieldErrors } from '#lib/server/sending/request.ts';
import {
	DATA_BYTES,
	DESCRIPTION_BYTES,
	NAME_BYTES,
	readCreate,
	USABLE_NFT_CODES
} from '#lib/server/sending/request.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import type { Actions, PageServerLoad } from './$types';

/** The form as text. */
interface Typed {
	kind: string;
	name: string;
	supply: string;
	description: string;
	data: string;
}

const EMPTY: Typed = { kind: 'fungible', name: '', supply: '', description: '', data: '' };

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { rights, sender } = locals.app;
	const person = locals.account?.name ?? '';
	const gateway = await rights.gatewayOf(person);
	const ask = new Ask(gateway, locals.requestId);
	const again = url.searchParams.get('again');
	const [wallet, earlier] = await Promise.all([
		formWallet(ask, chain, rights, person),
		again === null ? null : sender.get(again)
	]);
	let initial = EMPTY;
	if (earlier?.request.kind === 'token-create') {
		const { name, description, data, supply } = earlier.request;
		const fungible = data === '';
		initial = {
			kind: fungible ? 'fungible' : 'non-fungible',
			name,
			description,
			data,
			supply: fungible ? formatCoins(supply) : ''
		};
	}
	return labelled(locals, {
		wallet,
		initial,
		marker: MARKER,
		fee: FEE,
		limits: { name: NAME_BYTES, description: DESCRIPTION_BYTES, data: DATA_BYTES },
		relay: {
			configured: gateway.daemonFor(chain, 'wallet')?.dataCarrierSize ?? null,
			usual: chain === 'KMD' ? DEFAULT_RELAY_BYTES.main : DEFAULT_RELAY_BYTES.asset
		},
		codes: [...USABLE_NFT_CODES].map(([code, module]) => ({ code: code.toString(16), module })),
		outlook: {
			fungible: migrationOutlook(false, 0).sentence,
			nonFungible: migrationOutlook(true, 0).sentence
		}
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params: { chain } }) => {
		const account = locals.account ?? error(401, { message: 'Log in first.' });
		const form = await request.formData();
		// A browser ends the lines of a text area with CRLF; the token gets what was typed.
		const field = (name: keyof Typed): string =>
			String(form.get(name) ?? '').replaceAll('\r\n', '\n');
		const typed: Typed = {
			kind: field('kind'),
			name: field('name'),
			supply: field('supply'),
			description: field('description'),
			data: field('data')
		};
		const refused = (errors: FieldErrors, problem: string | null = null) =>
			fail(400, { typed, errors, problem });
		const read = readCreate(typed);
		if (!read.ok) return refused(read.errors);
		let id: string;
		try {
			id = await locals.app.sender.createToken(chain, read.request, account.name);
		} catch (cause) {
			if (!(cause instanceof SendingError)) throw cause;
			return cause.field === undefined
				? refused({}, cause.message)
				: refused({ [cause.field]: cause.message });
		}
		redirect(303, `/sends/${id}`);
	}
};
