import { fail, redirect } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { batchForm as words } from '#lib/messages/pages/batchTransfer.ts';
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { findKey } from '#lib/server/wallet/address-book/findKey.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { suggestedKeys } from '#lib/server/wallet/address-book/suggestions.ts';
import {
	isEmpty,
	MOST_ROWS,
	type RowErrors,
	type TypedRow
} from '#lib/server/wallet/batch-transfers/read.ts';
import { recipientLines } from '#lib/server/wallet/recipients/lines.ts';
import { readFields, shown, text } from '#lib/server/platform/http/readForm.ts';
import { decimalsFault } from '../../../../../decimalsFault.ts';
import { outcomeOf } from '../../../../../outcomeOf.ts';
import { mayRead, onlyReadable } from '../../../../../readers.ts';
import { requireMember } from '../../../../../requireMember.ts';
import { movable, tokenidOf } from '../movable.ts';
import type { Actions, PageServerLoad } from './$types';

/** Number of empty rows in a new form, and number that "more rows" adds. */
const FRESH_ROWS = 4;
const MORE_ROWS = 10;
const MOST_PASTED = 200_000;

const EMPTY: TypedRow = { recipient: '', amount: '' };
const emptyRows = (n: number): TypedRow[] => Array.from({ length: n }, () => EMPTY);

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
			: emptyRows(FRESH_ROWS);
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

/** Limit of addresses whose public keys are looked up for one response. */
const MOST_LOOKED_UP = 5;

/** Adds the public key of an address to its error, when a chain has revealed it. */
async function withKeys(
	{ app, requestId }: App.Locals,
	rows: readonly TypedRow[],
	errors: Record<number, RowErrors>
): Promise<Record<number, RowErrors>> {
	const told = { ...errors };
	const addresses = Object.entries(errors)
		.map(([at, error]) => ({
			at: Number(at),
			error,
			text: rows[Number(at)]?.recipient.trim() ?? ''
		}))
		.filter(({ text }) => isValidAddress(text))
		.slice(0, MOST_LOOKED_UP);
	const client = new PageClient(app.gateway, requestId);
	for (const { at, error, text } of addresses) {
		const found = await findKey(app.index, client, text);
		if (found === null) continue;
		told[at] = {
			...error,
			recipient: `${error.recipient ?? ''} ${words.knownKey(found.chain, found.txid, found.pubkey)}`
		};
	}
	return told;
}

/** Splits a row when a whole line was pasted into its first field. */
function wholeLine(row: TypedRow): TypedRow {
	if (row.amount.trim() !== '') return row;
	const [line, ...more] = recipientLines(row.recipient);
	return line !== undefined && more.length === 0 && /^\d/.test(line.amount) ? line : row;
}

function typedRows(form: FormData): TypedRow[] {
	const recipients = form.getAll('recipient').map(String);
	const amounts = form.getAll('amount').map(String);
	return recipients.map((recipient, at) => wholeLine({ recipient, amount: amounts[at] ?? '' }));
}

const readShown = (form: FormData): { pasted: string; decimals: string | undefined } => {
	const { pasted, 'shown.decimals': decimals } = readFields(form, {
		pasted: text,
		'shown.decimals': shown
	});
	return { pasted, decimals };
};

type Joined = { ok: true; rows: TypedRow[] } | { ok: false; fault: string };

/** Combines the filled rows with the pasted lines, as long as they fit into one batch. */
function joined(filled: readonly TypedRow[], pasted: string): Joined {
	if (pasted.length > MOST_PASTED) return { ok: false, fault: words.tooMuch(MOST_PASTED) };
	const rows = [...filled, ...recipientLines(pasted)];
	return rows.length > MOST_ROWS
		? { ok: false, fault: words.tooMany(rows.length, MOST_ROWS) }
		: { ok: true, rows };
}

/** Leaves the pasted lines where they are, with their error. */
const notTaken = (
	filled: readonly TypedRow[],
	{ pasted, decimals }: ReturnType<typeof readShown>,
	pasteError: string
) =>
	fail(
		400,
		answer({
			rows: filled.length === 0 ? emptyRows(FRESH_ROWS) : [...filled],
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
		const typed = typedRows(form);
		const more = Math.max(0, Math.min(MORE_ROWS, MOST_ROWS - typed.length));
		const rows = [...typed, ...emptyRows(more)];
		return answer({
			rows,
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
		const typed = typedRows(form).filter((row) => !isEmpty(row));
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
		const filled = typed.filter((row) => !isEmpty(row));
		const all: Joined = pasted.trim() === '' ? { ok: true, rows: typed } : joined(filled, pasted);
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
			const errors = await withKeys(locals, rows, outcome.errors);
			return fail(
				400,
				answer({
					rows: rows.length === 0 ? emptyRows(FRESH_ROWS) : rows,
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
