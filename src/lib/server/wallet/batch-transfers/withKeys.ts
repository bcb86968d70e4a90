import { isValidAddress } from '#lib/chain/address.ts';
import { batchForm as words } from '#lib/messages/pages/batchTransfer.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { findKey } from '../address-book/findKey.ts';
import type { RowErrors, TypedRow } from './read.ts';

/** Limit of addresses whose public keys are looked up for one response. */
const MOST_LOOKED_UP = 5;

/** Adds the public key of an address to its error, when a chain has revealed it. */
export async function withKeys(
	index: Index,
	client: PageClient,
	rows: readonly TypedRow[],
	errors: Record<number, RowErrors>
): Promise<Record<number, RowErrors>> {
	const told = { ...errors };
	const addresses = Object.entries(errors)
		.map(([at, error]) => ({
			at: Number(at),
			error,
			text: rows[Number(at)]?.recipient.trim() ?? ''
		}))
		.filter(({ text }) => isValidAddress(text))
		.slice(0, MOST_LOOKED_UP);
	for (const { at, error, text } of addresses) {
		const found = await findKey(index, client, text);
		if (found === null) continue;
		told[at] = {
			...error,
			recipient: `${error.recipient ?? ''} ${words.knownKey(found.chain, found.txid, found.pubkey)}`
		};
	}
	return told;
}
