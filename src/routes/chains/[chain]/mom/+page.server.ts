import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { proofNoteMessage } from '#lib/messages/proofNotes.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { MOST_BLOCKS, readMom } from '#lib/server/chains/explorer/proof/mom.ts';
import {
	optional,
	readFields,
	transactionId,
	typedFields,
	wholeNumber
} from '#lib/server/chains/explorer/proof/rootForm.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import type { PageServerLoad } from './$types';

const COMPUTE = { height: wholeNumber(1), depth: wholeNumber(1, MOST_BLOCKS) };
const ASK = { at: optional(wholeNumber(1)), txid: optional(transactionId) };

/** Queries the daemon for one height, or for one transaction. */
async function askDaemon(client: ProofClient, chain: string, url: URL) {
	const typed = typedFields(url, ASK);
	const { values, errors } = readFields(typed, ASK);
	const { at = null, txid = null } = values ?? {};
	const covering =
		at === null
			? null
			: await client.orNote({ code: 'method', method: 'height_MoM' }, () =>
					client.call(chain, 'height_MoM', [String(at)])
				);
	const confirmed =
		txid === null
			? null
			: await client.orNote({ code: 'method', method: 'txnotarizedconfirmed' }, () =>
					client.call(chain, 'txnotarizedconfirmed', [txid])
				);
	return { typed, errors, covering, txid, confirmed: confirmed?.result ?? null };
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const client = new ProofClient(locals.app.gateway, locals.requestId);
	const typed = typedFields(url, COMPUTE);
	const isSent = url.searchParams.has('height') || url.searchParams.has('depth');
	const { values, errors } = isSent
		? readFields(typed, COMPUTE)
		: { values: null, errors: {} as { height?: string; depth?: string } };
	const asker = locals.account === null ? 'visitor' : 'member';
	const mom = values === null ? null : await readMom(client, chain, values, asker);
	// The daemon's raw records are for roles that work with notarizations.
	const ask = mayAccess(locals.identity.role, 'notary-query', false)
		? await askDaemon(client, chain, url)
		: null;
	return {
		typed,
		errors,
		mom,
		ask,
		hasMain: locals.app.gateway.chains().includes(MAIN_CHAIN),
		notes: client.notes.map(proofNoteMessage)
	};
};
