import { errorMessage } from '#lib/messages/errors/index.ts';
import { fail, redirect } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import type { Imported } from '#lib/server/wallet/address-book/importEntries.ts';
import { readEntries } from '#lib/server/wallet/address-book/csv.ts';
import { findKey, type FoundKey } from '#lib/server/wallet/address-book/findKey.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isEntryKind, kindOf, MOST_LABEL } from '#lib/server/wallet/address-book/read.ts';
import { readFields, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../outcomeOf.ts';
import { requireMember } from '../requireMember.ts';
import type { TypedEntry } from '#lib/server/wallet/address-book/read.ts';
import type { Actions, PageServerLoad } from './$types';
import { entryFaults, typedEntry, type EntryFaults } from './typed.ts';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { addressBook, gateway } = locals.app;
	const q = (url.searchParams.get('q') ?? '').slice(0, 200);
	const kind = url.searchParams.get('kind') ?? '';
	const page = Number(url.searchParams.get('page') ?? '1');
	const value = url.searchParams.get('value') ?? '';
	const list = await addressBook.list({
		q,
		kind: isEntryKind(kind) ? kind : null,
		page: Number.isSafeInteger(page) ? page : 1
	});
	return withLabels(locals, {
		list,
		q,
		kind: isEntryKind(kind) ? kind : '',
		/** Values for a new entry, from a link on another page. */
		initial: {
			kind: kindOf(value) ?? 'pubkey',
			value,
			chain: url.searchParams.get('chain') ?? '',
			label: (url.searchParams.get('label') ?? '').slice(0, 200),
			note: ''
		},
		chains: gateway.chains(),
		mostLabel: MOST_LABEL,
		now: Date.now()
	});
};

/** Result of an action. */
interface Outcome {
	typed?: TypedEntry;
	errors?: EntryFaults;
	/** Public key of an address that was typed where a public key is required. */
	found?: FoundKey | null;
	csv?: string;
	csvError?: string;
	imported?: Omit<Imported, 'faults'> & { faults: { line: number; messages: string[] }[] };
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	add: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const typed = typedEntry(await request.formData());
		const { addressBook, gateway } = locals.app;
		const written = await addressBook.add(typed, gateway.chains(), account.name);
		if (!written.ok) {
			const value = typed.value.trim();
			const found =
				typed.kind === 'pubkey' && isValidAddress(value)
					? await findKey(locals.app.index, new PageClient(gateway, locals.requestId), value)
					: null;
			return fail(400, outcome({ typed, errors: entryFaults(written.errors), found }));
		}
		redirect(303, `/address-book/${written.id}`);
	},

	/** Fills in the form of a new entry. */
	fill: async ({ request }) => outcome({ typed: typedEntry(await request.formData()) }),

	import: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const form = await request.formData();
		const fields = readFields(form, { csv: text });
		const file = form.get('file');
		const pasted = fields.csv;
		const csv = file instanceof File && file.size > 0 ? await file.text() : pasted;
		const refused = (csvError: string) => fail(400, outcome({ csv: pasted, csvError }));
		if (csv.trim() === '') return refused(errorMessage('address-book.import-missing', {}));
		const read = readEntries(csv);
		if (!read.ok) return refused(errorMessage(read.fault.code, read.fault.params));
		const { addressBook, gateway } = locals.app;
		const { faults, ...imported } = await addressBook.importAll(
			read.lines,
			gateway.chains(),
			account.name
		);
		return outcome({
			...(faults.length > 0 && { csv: pasted }),
			imported: {
				...imported,
				faults: faults.map(({ line, problems }) => ({
					line,
					messages: problems.map(({ code, params }) => errorMessage(code, params))
				}))
			}
		});
	}
};
