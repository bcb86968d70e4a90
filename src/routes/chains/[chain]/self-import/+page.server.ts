import { requestFaultMessages } from '#lib/messages/migration/requestFaults.ts';
import { fail, redirect } from '@sveltejs/kit';
import { formatCoins } from '#lib/chain/amount.ts';
import { noteMessage, obstacleMessage } from '#lib/messages/selfImport.ts';
import { selfImportForm as words } from '#lib/messages/pages/selfImport.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { waitFor } from '#lib/server/chains/upstream/wait.ts';
import { SELF_IMPORT_COST } from '#lib/server/cross-chain/self-import/outlook.ts';
import { readSelfImport, type Typed } from '#lib/server/cross-chain/self-import/request.ts';
import type { Pair } from '#lib/server/cross-chain/self-import/selfImports.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { suggestedAddresses } from '#lib/server/wallet/address-book/suggestions.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { mayRead, onlyReadable } from '../../../readers.ts';
import { requireMember } from '../../../requireMember.ts';
import { statusOf } from '#lib/server/wallet/transactions/status.ts';
import type { Actions, PageServerLoad } from './$types';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';

/** How long the page waits for the daemon. Milliseconds. */
const TIMEOUT_MS = 700;
const SHOWN = 20;

/** Whether a self-import is possible here, in the form for the page. */
type ShownOutlook =
	{ available: true; notes: string[] } | { available: false; reason: string; mend: string | null };

/** Determines whether a self-import is possible here; an unreachable daemon is a reason against it. */
async function outlookOf(
	{ rights, selfImports }: Komodeck,
	chain: string,
	person: string
): Promise<ShownOutlook> {
	const no = (reason: string, mend: string | null) => ({
		available: false as const,
		reason,
		mend
	});
	try {
		const outlook = await waitFor(selfImports.outlook(chain, person), TIMEOUT_MS);
		if (!outlook.available) {
			const { reason, mend } = obstacleMessage(outlook.obstacle);
			return no(reason, mend);
		}
		const foreign = await rights.walletRefusal(person, outlook.wallet.daemon);
		return foreign === null
			? { available: true, notes: outlook.notes.map(noteMessage) }
			: no(foreign.message, null);
	} catch (cause) {
		if (isAppError(cause, 'answer.pending')) {
			return no(words.silent(chain), words.tryAgain);
		}
		if (isTransactionError(cause)) return no(cause.message, null);
		if (!isAppError(cause, 'daemon')) throw cause;
		const { what, next } = explainDaemon(cause.coded);
		return no(what, next);
	}
}

const lineOf = ({ source, import: second }: Pair, now: number) => ({
	id: source.id,
	asked: 'address' in source.request ? source.request : null,
	source: statusOf(source, now),
	import: statusOf(second, now, source),
	createdBy: source.createdBy,
	createdAt: source.createdAt
});

/** Returns the fields of an earlier self-import; empty when this member cannot read one by that ID. */
async function previousRequest(
	locals: App.Locals,
	chain: string,
	id: string | null
): Promise<Typed> {
	const may = id !== null && (await mayRead(locals, 'review', id));
	const pair = may ? await locals.app.selfImports.get(chain, id) : null;
	if (!pair || !('address' in pair.source.request)) return { address: '', amount: '' };
	const { address, amount } = pair.source.request;
	return { address, amount: formatCoins(amount) };
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { app } = locals;
	const now = Date.now();
	const person = locals.account?.name ?? '';
	const { rights, sender } = app;
	const client = new PageClient(await app.selfImports.gatewayOf(chain, person), locals.requestId);
	const [outlook, wallet, pairs, initial] = await Promise.all([
		outlookOf(app, chain, person),
		formWallet(client, chain, { rights, sender }, person),
		app.selfImports.list(chain, SHOWN),
		previousRequest(locals, chain, url.searchParams.get('again'))
	]);
	return withLabels(locals, {
		outlook,
		wallet: wallet.usable ? wallet : null,
		suggestions: await suggestedAddresses(app.addressBook),
		cost: SELF_IMPORT_COST,
		lines: await onlyReadable(
			locals,
			'review',
			pairs.map((pair) => lineOf(pair, now))
		),
		initial,
		now
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		const typed: Typed = await readForm(request, { address: text, amount: text });
		const refused = (errors: Partial<Record<keyof Typed, string>>, problem: string | null = null) =>
			fail(400, { typed, errors, problem });
		const read = readSelfImport(typed);
		if (!read.ok) return refused(requestFaultMessages(read.errors));
		let id: string;
		try {
			id = await locals.app.selfImports.build(chain, read.asked, account.name);
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			return cause.field === 'address'
				? refused({ address: cause.message })
				: refused({}, cause.message);
		}
		redirect(303, `/chains/${encodeURIComponent(chain)}/self-import/${id}`);
	}
};
