import { error, redirect } from '@sveltejs/kit';
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { kindName } from '#lib/messages/transactionKinds.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { readAddress as askAddress } from '#lib/server/chains/explorer/address.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import { addressTransactions, readAddress } from '#lib/server/chains/lists/addresses.ts';
import { holderOf, holdings } from '#lib/server/chains/lists/holdings.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const HISTORY = 25;
const TOKENS = 20;
/** The index answers for an address when it is no further behind than this. */
const BEHIND = 20;

export const load: PageServerLoad = async ({ locals, params: { chain, address }, url }) => {
	// A key is named by what it holds on the page of its address.
	if (isValidPubkey(address)) {
		const holder = address.toLowerCase();
		redirect(
			303,
			`/chains/${encodeURIComponent(chain)}/address/${addressOfPubkey(holder)}?key=${holder}`
		);
	}
	if (!isValidAddress(address))
		error(404, 'Invalid address: checksum mismatch. One character may be wrong.');
	const { index, gateway } = locals.app;
	const client = new PageClient(gateway, locals.requestId);
	const progress = await shownProgress(locals.app, chain);
	const id = progress?.id ?? -1n;
	const key = url.searchParams.get('key') ?? '';
	const named = isValidPubkey(key) && addressOfPubkey(key) === address ? key.toLowerCase() : null;
	const [facts, list, holder] = await Promise.all([
		readAddress(index, id, address),
		listPage(index, addressTransactions, url.searchParams, {
			chain,
			fixed: { address },
			limit: HISTORY
		}),
		named ?? holderOf(index, id, address)
	]);
	const indexed = progress !== null && progress.target - progress.height <= BEHIND;
	const [held, view] = await Promise.all([
		holder === null
			? null
			: listPage(index, holdings, url.searchParams, {
					chain,
					fixed: { holder },
					limit: TOKENS,
					prefix: 't-'
				}),
		!indexed || url.searchParams.has('unspent')
			? client.piece(chain, `address ${address}`, () => askAddress(client, chain, address))
			: null
	]);
	return withLabels(locals, {
		address,
		progress,
		facts: indexed ? (facts ?? { balance: 0n, received: 0n, txs: 0n }) : null,
		/** As the daemon tells it; null when the index answers and nobody asked for the outputs. */
		view,
		holder,
		held: held && {
			...held,
			rows: held.rows.map(({ tokenid, name, nft_code, units }) => ({
				tokenid: bytesToHex(tokenid),
				name,
				nft: nft_code !== null,
				units
			}))
		},
		decimals: await locals.app.sender.allDecimals(chain),
		history: {
			...list,
			rows: list.rows.map(({ txid, kind, ...row }) => ({
				...row,
				kind: kindName(kind),
				txid: bytesToHex(txid),
				height: heightOfSeq(row.seq)
			}))
		}
	});
};
