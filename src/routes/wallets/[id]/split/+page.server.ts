import { fail } from '@sveltejs/kit';
import { isUtxoName } from '#lib/chain/nameOfUtxo.ts';
import { splitPage as words } from '#lib/messages/pages/wallet.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { readForm, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import { balancesOf } from '#lib/server/wallet/overview/balances.ts';
import { utxosOf } from '#lib/server/wallet/overview/utxoList.ts';
import { lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { SPLIT_PARTS } from '#lib/server/wallet/transactions/use-cases/splitUtxos.ts';
import { requireMember } from '../../../requireMember.ts';
import { toReview } from '../../../toReview.ts';
import { openWallet } from '../../openWallet.ts';
import { shownWallet } from '../shownWallet.ts';
import type { Actions, PageServerLoad } from './$types';

/** Number of UTXOs in the form; smaller ones are not worth splitting. */
const MOST_SHOWN = 50;
const USUAL_PARTS = '5';

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const daemon = await openWallet(locals, params.id);
	const { piece, rows } = await shownWallet(locals, daemon);
	const asked = url.searchParams.get('utxo') ?? '';
	const { data: _, ...wallet } = piece;
	return withLabels(locals, {
		wallet,
		pubkey: piece.data?.pubkey ?? null,
		available: balancesOf(rows).available,
		utxos: utxosOf(rows, { state: 'free', sort: '-amount', offset: 0 }).slice(0, MOST_SHOWN),
		bounds: SPLIT_PARTS,
		initial: { parts: USUAL_PARTS, utxo: isUtxoName(asked) ? asked : '' }
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params }) => {
		const { account } = requireMember(locals);
		const { id: daemon, chain } = await openWallet(locals, params.id);
		const typed = await readForm(request, { parts: trimmed, utxo: text });
		const refused = (
			errors: { parts?: string; utxo?: string },
			problem: string | null = null,
			at: string | null = null
		) => fail(400, { typed, errors, problem, at });
		const parts = /^\d{1,3}$/.test(typed.parts) ? Number(typed.parts) : 0;
		const { least, most } = SPLIT_PARTS;
		if (parts < least || parts > most) return refused({ parts: words.partsFault(least, most) });
		const utxos = typed.utxo === '' ? [] : [typed.utxo];
		const { sender } = locals.app;
		const splitting = sender.splitUtxos({ chain, daemon }, { parts, utxos }, account.name);
		return toReview(splitting, (cause) => {
			if (cause.field === 'parts') return refused({ parts: cause.message });
			if (cause.field === 'utxos') return refused({ utxo: cause.message });
			return refused({}, cause.message, lockedBy(cause));
		});
	}
};
