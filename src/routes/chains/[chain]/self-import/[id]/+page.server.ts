import { error, redirect } from '@sveltejs/kit';
import { selfImportPage as words } from '#lib/messages/pages/selfImport.ts';
import type { Pair } from '#lib/server/cross-chain/self-import/selfImports.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import {
	mayReadBytes,
	statusOfBytes,
	type BytesStatus
} from '#lib/server/wallet/transactions/bytes.ts';
import { hindranceInTime, lookUp } from '#lib/server/wallet/transactions/lookUp.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import { refuseUnreadable } from '../../../../readers.ts';
import { refuseRuledToken } from '../../../../refuseRuledToken.ts';
import { sendRejectionOf } from '../../../../rejectionOf.ts';
import { requireMember } from '../../../../requireMember.ts';
import { foreseenSend, heldResend } from '../../../../transactions/foreseenSend.ts';
import { rightsOverSend } from '../../../../transactions/rightsOverSend.ts';
import { discardReviewed, sendReviewed } from '../../../../transactions/sendReviewed.ts';
import { shownApproval } from '../../../../transactions/shownApproval.ts';
import { shownReview } from '../../../../transactions/shownReview.ts';
import { statusOf } from '#lib/server/wallet/transactions/status.ts';
import type { Actions, PageServerLoad } from './$types';

/** Returns a self-import that this member may read, or responds 404. */
async function existing(locals: App.Locals, chain: string, id: string): Promise<Pair> {
	const pair = (await locals.app.selfImports.get(chain, id)) ?? error(404, words.noSuch);
	await refuseUnreadable(locals, 'review', id, words.noSuch);
	return pair;
}

export const load: PageServerLoad = async ({ locals, params: { chain, id } }) => {
	const { app } = locals;
	const before = await existing(locals, chain, id);
	const unread = await lookUp(app.sender, [before.source, before.import]);
	const { source, import: second } = (await app.selfImports.get(chain, id)) ?? before;
	const now = Date.now();
	const isDue = source.state === 'confirmed' && second.state === 'reviewed';
	const kept = isDue ? await hindranceInTime(app.sender, second.id) : null;
	const { request } = source;
	if (!('address' in request)) error(404, words.noSuch);
	const { foreign, mayEnd } = await rightsOverSend(locals, source);
	/** Returns a transaction for the page, without its bytes when the reader may not see them. */
	const shown = async (part: Send, status: BytesStatus) => {
		const bytes = { status, chain, daemon: part.daemon, access: 'broadcast' } as const;
		const mayRead = await mayReadBytes(app.rights, locals, bytes);
		return { ...part, ...shownReview(part), hex: mayRead ? part.hex : null };
	};
	return withLabels(locals, {
		id,
		asked: { address: request.address, amount: request.amount },
		warnings: shownReview(source).warnings,
		daemon: source.daemon,
		expiresAt: source.expiresAt,
		/** The review expired without being sent or discarded. */
		tooOld: source.state === 'reviewed' && source.expiresAt <= now,
		parts: [
			{
				...(await shown(source, statusOfBytes(source))),
				step: 'source' as const,
				state: statusOf(source, now)
			},
			{
				...(await shown(second, statusOfBytes(second, source))),
				step: 'import' as const,
				state: statusOf(second, now, source)
			}
		],
		/** The approval request that it waits for. */
		approval: await shownApproval(locals, source),
		/** What the policies would decide if this member sent it now. */
		foreseen: foreign === null ? await foreseenSend(locals, source, now) : null,
		/** The rule that keeps this member from sending the source again. */
		held: await heldResend(locals, source),
		/** Why this member cannot send the source; null when they can. Any member may send the import after it. */
		foreign,
		mayEnd,
		rejection: await sendRejectionOf(locals, source),
		unread,
		/** Why the import cannot be sent now; null when nothing prevents it. */
		kept,
		now
	});
};

/** Sends one of the two transactions; one that was already sent is only looked up. */
async function send(locals: App.Locals, chain: string, id: string, which: keyof Pair) {
	const { account } = requireMember(locals);
	await refuseRuledToken(locals);
	const pair = await existing(locals, chain, id);
	const refused = await sendReviewed(locals.app.sender.send(pair[which].id, account.name));
	if (refused) return refused;
	redirect(303, `/chains/${encodeURIComponent(chain)}/self-import/${id}`);
}

export const actions: Actions = {
	send: ({ locals, params: { chain, id } }) => send(locals, chain, id, 'source'),

	import: ({ locals, params: { chain, id } }) => send(locals, chain, id, 'import'),

	discard: async ({ locals, params: { chain, id } }) => {
		const { account } = requireMember(locals);
		await existing(locals, chain, id);
		const done = await discardReviewed(locals.app.sender.discard(id, account.name));
		if (done.refused) return done.refused;
		const page = `/chains/${encodeURIComponent(chain)}/self-import`;
		// The page of the self-import explains the result.
		redirect(303, done.isDiscarded ? page : `${page}/${id}`);
	},

	// The page looks up both transactions when it is loaded.
	look: ({ params: { chain, id } }) =>
		redirect(303, `/chains/${encodeURIComponent(chain)}/self-import/${encodeURIComponent(id)}`)
};
