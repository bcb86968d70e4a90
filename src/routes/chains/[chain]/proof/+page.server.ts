import { fail } from '@sveltejs/kit';
import { checkProof } from '#lib/chain/proofTree.ts';
import { readPastedProof } from '#lib/server/chains/explorer/proof/read.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { Actions } from './$types';

/** Two digits a byte: proofs are some kilobytes at most. */
const DIGITS_LIMIT = 400_000;

export const actions: Actions = {
	default: async ({ locals, params: { chain }, request }) => {
		const typed = await readForm(request, { hex: text, txid: text });
		const refused = (field: 'hex' | 'txid', sentence: string) =>
			fail(400, { typed, errors: { [field]: sentence }, page: null, checked: null });
		const hex = typed.hex.replace(/\s+/g, '');
		const txid = typed.txid.trim().toLowerCase();
		if (hex.length > DIGITS_LIMIT) {
			return refused('hex', `This has ${hex.length} digits. Up to ${DIGITS_LIMIT} are taken here.`);
		}
		if (txid !== '' && !/^[0-9a-f]{64}$/.test(txid)) {
			return refused('txid', 'A transaction id has 64 hex digits.');
		}
		const client = new ProofClient(locals.app.gateway, locals.requestId);
		const found = await readPastedProof(client, chain, hex, txid === '' ? null : txid);
		if ('field' in found) return refused(found.field, found.sentence);
		const none: { hex?: string; txid?: string } = {};
		return {
			typed,
			errors: none,
			page: found,
			checked: found.proof === null ? null : checkProof(found.proof)
		};
	}
};
