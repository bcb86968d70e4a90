import { transactionPage } from '#lib/messages/pages/transactionPage.ts';
import { proofNoteMessage } from '#lib/messages/proofNotes.ts';
import { checkProof } from '#lib/chain/proofTree.ts';
import { readProof, type ProofPage } from '#lib/server/chains/explorer/proof/read.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import { hashOr404 } from '../../../../hashOr404.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, txid } }) => {
	const id = hashOr404(txid, transactionPage.notAnId);
	const client = new ProofClient(locals.app.gateway, locals.requestId);
	const found = await readProof(client, locals.app.index, chain, id);
	const { notes, ...page }: ProofPage = found ?? {
		kind: { code: 'unknown', chain },
		chain,
		proof: null,
		facts: [],
		approvals: null,
		notes: client.notes
	};
	return {
		txid: id,
		page: { ...page, notes: notes.map(proofNoteMessage) },
		checked: page.proof === null ? null : checkProof(page.proof)
	};
};
