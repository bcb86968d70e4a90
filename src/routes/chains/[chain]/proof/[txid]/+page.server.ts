import { error } from '@sveltejs/kit';
import { checkProof } from '#lib/chain/proofTree.ts';
import { readProof } from '#lib/server/chains/explorer/proof/read.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, txid } }) => {
	const id = txid.toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(id)) error(404, 'A transaction id has 64 hex digits.');
	const client = new ProofClient(locals.app.gateway, locals.requestId);
	const found = await readProof(client, chain, id);
	const page = found ?? {
		sentence: `What ${chain} has on this transaction cannot be shown now.`,
		chain,
		proof: null,
		facts: [],
		approvals: null,
		notes: client.notes
	};
	return { txid: id, page, checked: page.proof === null ? null : checkProof(page.proof) };
};
