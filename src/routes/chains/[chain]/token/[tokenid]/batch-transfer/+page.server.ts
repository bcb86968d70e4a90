import { fail, redirect } from '@sveltejs/kit';
import { batchForm as words } from '#lib/messages/pages/batchTransfer.ts';
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { suggestedKeys } from '#lib/server/wallet/address-book/suggestions.ts';
import {
	MOST_ROWS,
	type RowErrors,
	type TypedRow
} from '#lib/server/wallet/batch-transfers/read.ts';
import {
	filledOf,
	joined,
	orFresh,
	rowsOf,
	withMore
} from '#lib/server/wallet/batch-transfers/typedRows.ts';
import { withKeys } from '#lib/server/wallet/batch-transfers/withKeys.ts';
import { readFields, shown, text } from '#lib/server/platform/http/readForm.ts';
import { decimalsFault } from '../../../../../decimalsFault.ts';
import { outcomeOf } from '../../../../../outcomeOf.ts';
import { mayRead, onlyReadable } from '../../../../../readers.ts';
import { requireMember } from '../../../../../requireMember.ts';
import { movable, tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const tokenid = tokenidOf(params.tokenid);
	const { batchTransfers, addressBook } = locals.app;
	const again = url.searchParams.get('again');
	const [known, suggestions, earlier, past] = await Promise.all([
		movable(locals, params.chain, tokenid),
		suggestedKeys(addressBook),
		again !== null && (await mayRead(locals, 'series', again)) ? batchTransfers.get(again) : null,
		batchTransfers.ofToken(params.chain, tokenid)
	]);
	// A non-fungible token has a single recipient.
	if (known.facts.data?.kind === 'non-fungible') {
		redirect(303, `/chains/${encodeURIComponent(params.chain)}/token/${tokenid}/transfer`);
	}
	const rows: TypedRow[] =
		earlier?.batchTransfer.tokenid === tokenid
			? earlier.lines.map(({ recipient, units }) => ({
					recipient,
					amount: formatUnits(units, known.decimals)
				}))
			: orFresh([]);
	return withLabels(locals, {
		...known,
		initial: rows,
		suggestions,
		past: await onlyReadable(locals, 'series', past),
		mostRows: MOST_ROWS,
		now: Date.now()
	});
};

/** Result of an action: the rows as typed, each with its errors. */
interface Outcome {
	rows: TypedRow[];
	errors: Record<number, RowErrors>;
	problem: string | null;
	pasted: string;
	pasteError: string | null;
	/** Decimals that the page of the form displayed; undefined when the form does not state them. */
	decimals: string | undefined;
}

const answer = outcomeOf<Outcome>();

const typedRows = (form: FormData): TypedRow[] =>
	rowsOf(form.getAll('recipient').map(String), form.getAll('amount').map(String));

const readShown = (form: FormData): { pasted: string; decimals: string | undefined } => {
	const { pasted, 'shown.decimals': decimals } = readFields(form, {
		pasted: text,
		'shown.decimals': shown
	});
	return { pasted, decimals };
};

/** Leaves the pasted lines where they are, with their error. */
const notTaken = (
	filled: readonly TypedRow[],
	{ pasted, decimals }: ReturnType<typeof readShown>,
	pasteError: string
) =>
	fail(
		400,
		answer({
			rows: orFresh(filled),
			errors: {},
			problem: null,
			pasted,
			pasteError,
			decimals
		})
	);

export const actions: Actions = {
	rows: async ({ request }) => {
		const form = await request.formData();
		const { pasted, decimals } = readShown(form);
		return answer({
			rows: withMore(typedRows(form)),
			errors: {},
			problem: null,
			pasted,
			pasteError: null,
			decimals
		});
	},

	paste: async ({ request }) => {
		const form = await request.formData();
		const { pasted, decimals } = readShown(form);
		const typed = filledOf(typedRows(form));
		if (pasted.trim() === '') return notTaken(typed, { pasted, decimals }, words.nothingPasted);
		const all = joined(typed, pasted);
		if (!all.ok) return notTaken(typed, { pasted, decimals }, all.fault);
		return answer({
			rows: all.rows,
			errors: {},
			problem: null,
			pasted: '',
			pasteError: null,
			decimals
		});
	},

	review: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const tokenid = tokenidOf(params.tokenid);
		const form = await request.formData();
		const { pasted, decimals } = readShown(form);
		const typed = typedRows(form);
		// Pasted lines that were not turned into rows yet are included.
		const filled = filledOf(typed);
		const all =
			pasted.trim() === '' ? ({ ok: true, rows: typed } as const) : joined(filled, pasted);
		if (!all.ok) return notTaken(filled, { pasted, decimals }, all.fault);
		const { rows } = all;
		const now = await locals.app.sender.decimals(params.chain, tokenid);
		const changed = decimalsFault(decimals, now);
		const outcome =
			changed === null
				? await locals.app.batchTransfers.review(params.chain, tokenid, rows, account.name)
				: { ok: false as const, errors: {}, problem: changed };
		if (!outcome.ok) {
			const { problem } = outcome;
			const client = new PageClient(locals.app.gateway, locals.requestId);
			const errors = await withKeys(locals.app.index, client, rows, outcome.errors);
			return fail(
				400,
				answer({
					rows: orFresh(rows),
					errors,
					problem,
					pasted: '',
					pasteError: null,
					decimals: String(now)
				})
			);
		}
		redirect(
			303,
			`/chains/${encodeURIComponent(params.chain)}/token/${tokenid}/batch-transfer/${outcome.id}`
		);
	}
};
