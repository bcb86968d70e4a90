import { bareText } from '#lib/chain/bareText.ts';
import { fail } from '@sveltejs/kit';
import {
	pasteFaultMessage,
	proofNoteMessage,
	type PasteFaultCode
} from '#lib/messages/proofNotes.ts';
import { isHash } from '#lib/chain/idText.ts';
import { checkProof } from '#lib/chain/proofTree.ts';
import { readPastedProof } from '#lib/server/chains/explorer/proof/read.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { Actions } from './$types';

/** Limit of hex digits, two per byte: proofs have a few kilobytes at most. */
const DIGITS_LIMIT = 400_000;

export const actions: Actions = {
	default: async ({ locals, params: { chain }, request }) => {
		const typed = await readForm(request, { hex: text, txid: text });
		const refused = (field: 'hex' | 'txid', fault: PasteFaultCode) =>
			fail(400, {
				typed,
				errors: { [field]: pasteFaultMessage(fault) },
				page: null,
				checked: null
			});
		const hex = typed.hex.replace(/\s+/g, '');
		const txid = bareText(typed.txid).toLowerCase();
		if (hex.length > DIGITS_LIMIT) {
			return refused('hex', { code: 'too-long', digits: hex.length, most: DIGITS_LIMIT });
		}
		if (txid !== '' && !isHash(txid)) {
			return refused('txid', { code: 'not-a-txid' });
		}
		const client = new ProofClient(locals.app.gateway, locals.requestId);
		const found = await readPastedProof(
			client,
			locals.app.index,
			chain,
			hex,
			txid === '' ? null : txid
		);
		if ('field' in found) return refused(found.field, found.fault);
		const none: { hex?: string; txid?: string } = {};
		return {
			typed,
			errors: none,
			page: { ...found, notes: found.notes.map(proofNoteMessage) },
			checked: found.proof === null ? null : checkProof(found.proof)
		};
	}
};
