import { fail } from '@sveltejs/kit';
import { formatCoins } from '#lib/chain/amount.ts';
import { isUtxoName, nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { USUAL_FEE_RATE } from '#lib/server/wallet/transactions/selectUtxos.ts';
import { suggestedAddresses } from '#lib/server/wallet/address-book/suggestions.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { lines, readFields, text } from '#lib/server/platform/http/readForm.ts';
import { balancesOf } from '#lib/server/wallet/overview/balances.ts';
import { utxosOf } from '#lib/server/wallet/overview/utxoList.ts';
import {
	readPayments,
	type PaymentErrors,
	type TypedPayments
} from '#lib/server/wallet/recipients/payments.ts';
import { lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { mayRead } from '../../../readers.ts';
import { requireMember } from '../../../requireMember.ts';
import { toReview } from '../../../toReview.ts';
import { openWallet } from '../../openWallet.ts';
import { shownWallet } from '../shownWallet.ts';
import type { Actions, PageServerLoad } from './$types';

/** Maximum number of outputs in the form; the largest are shown. */
const MOST_SHOWN = 200;
/** Maximum characters of a field that a link prefills. */
const MOST_ASKED = 100;

interface Typed extends TypedPayments {
	/** Names of the selected outputs. */
	utxos: string[];
}

/** Returns the fields of an earlier review of this wallet as text; null when it was for something else. */
async function previousRequest(
	locals: App.Locals,
	id: string | null,
	daemon: string
): Promise<Typed | null> {
	const may = id !== null && (await mayRead(locals, 'review', id));
	const send = may ? await locals.app.sender.get(id) : null;
	if (send?.request.kind !== 'coin-send' || send.daemon !== daemon) return null;
	const { payments, rate, isChosen } = send.request;
	const [first, ...more] = payments;
	return {
		recipient: first?.address ?? '',
		amount: first === undefined ? '' : formatCoins(first.amount),
		more: more.map(({ address, amount }) => `${address} ${formatCoins(amount)}`).join('\n'),
		rate: rate === undefined || rate === USUAL_FEE_RATE ? '' : formatCoins(rate),
		utxos: isChosen === true ? send.review.inputs.map(nameOfUtxo) : []
	};
}

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const daemon = await openWallet(locals, params.id);
	const { app } = locals;
	const [{ piece, rows }, suggestions, before] = await Promise.all([
		shownWallet(locals, daemon),
		suggestedAddresses(app.addressBook),
		previousRequest(locals, url.searchParams.get('again'), daemon.id)
	]);
	const asked = (name: string): string => (url.searchParams.get(name) ?? '').slice(0, MOST_ASKED);
	const free = utxosOf(rows, { state: 'free', sort: '-amount', offset: 0 });
	const { data: _, ...wallet } = piece;
	return withLabels(locals, {
		wallet: { ...wallet, known: piece.data !== null },
		pubkey: piece.data?.pubkey ?? null,
		available: balancesOf(rows).available,
		utxos: free.slice(0, MOST_SHOWN),
		count: free.length,
		suggestions,
		initial: before ?? {
			recipient: asked('recipient'),
			amount: asked('amount'),
			more: '',
			rate: '',
			utxos: url.searchParams.getAll('utxo').filter(isUtxoName).slice(0, MOST_SHOWN)
		}
	});
};

/** Result of an action: the typed values and their errors. */
interface Outcome {
	typed: Typed;
	errors: PaymentErrors;
	problem: string | null;
	at: string | null;
}

export const actions: Actions = {
	default: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const { id: daemon, chain } = await openWallet(locals, params.id);
		const form = await request.formData();
		const fields = readFields(form, { recipient: text, amount: text, more: lines, rate: text });
		const typed: Typed = { ...fields, utxos: form.getAll('utxos').map(String) };
		const refused = (told: Partial<Omit<Outcome, 'typed'>>) =>
			fail<Outcome>(400, { typed, errors: {}, problem: null, at: null, ...told });
		const read = await readPayments(locals.app.addressBook, typed);
		if (!read.ok) return refused({ errors: read.errors });
		const { payments, rate } = read;
		const wish = { payments, rate, utxos: typed.utxos };
		return toReview(locals.app.sender.sendCoins({ chain, daemon }, wish, account.name), (cause) =>
			cause.field === 'amount' || cause.field === 'utxos'
				? refused({ errors: { [cause.field]: cause.message } })
				: refused({ problem: cause.message, at: lockedBy(cause) })
		);
	}
};
