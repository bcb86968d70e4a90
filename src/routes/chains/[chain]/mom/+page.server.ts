import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import {
	MOST_BLOCKS,
	readMom,
	wholeNumber,
	type FieldFaults
} from '#lib/server/chains/explorer/proof/mom.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import type { PageServerLoad } from './$types';

const HIGHEST = 2_147_483_647;

/** What the daemon itself says of one height, or of one transaction. */
async function lookUp(client: ProofClient, chain: string, at: string, txid: string) {
	const errors: FieldFaults<'at' | 'txid'> = {};
	const height = at === '' ? null : wholeNumber(at, 1, HIGHEST);
	if (typeof height === 'string') errors.at = height;
	if (txid !== '' && !/^[0-9a-f]{64}$/.test(txid)) {
		errors.txid = 'A transaction id has 64 hex digits.';
	}
	const covering =
		typeof height === 'number'
			? await client.orNote('height_MoM', () => client.call(chain, 'height_MoM', [String(height)]))
			: null;
	const confirmed =
		txid !== '' && errors.txid === undefined
			? await client.orNote('txnotarizedconfirmed', () =>
					client.call(chain, 'txnotarizedconfirmed', [txid])
				)
			: null;
	return { errors, covering, confirmed: confirmed?.result ?? null };
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const textOf = (name: string): string => url.searchParams.get(name)?.trim() ?? '';
	const typed = {
		height: textOf('height'),
		depth: textOf('depth'),
		at: textOf('at'),
		txid: textOf('txid').toLowerCase()
	};
	const client = new ProofClient(locals.app.gateway, locals.requestId);
	const errors: FieldFaults<'height' | 'depth'> = {};
	let mom = null;
	if (url.searchParams.has('height') || url.searchParams.has('depth')) {
		const height = wholeNumber(typed.height, 1, HIGHEST);
		const depth = wholeNumber(typed.depth, 1, MOST_BLOCKS);
		if (typeof height === 'string') errors.height = height;
		if (typeof depth === 'string') errors.depth = depth;
		if (typeof height === 'number' && typeof depth === 'number') {
			mom = await readMom(client, chain, height, depth);
		}
	}
	// The daemon's raw records are for those who work with notarizations.
	const raw = mayAccess(locals.identity.role, 'notary-query', false)
		? await lookUp(client, chain, typed.at, typed.txid)
		: null;
	return { typed, errors, mom, raw, notes: client.notes };
};
