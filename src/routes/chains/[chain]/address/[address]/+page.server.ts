import { searchFaults } from '#lib/messages/pages/search.ts';
import { error, redirect } from '@sveltejs/kit';
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { kindName } from '#lib/messages/transactionKinds.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { readAddress as askAddress } from '#lib/server/chains/explorer/address.ts';
import { balanceOverTime } from '#lib/server/chains/explorer/addressHistory.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import { addressTransactions, readAddress } from '#lib/server/chains/lists/addresses.ts';
import { isIndexedBut } from '#lib/server/chains/lists/chains.ts';
import { holderOf, holdings } from '#lib/server/chains/lists/holdings.ts';
import { utxos as utxoList } from '#lib/server/chains/lists/utxos.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isFromStart } from '#lib/text/indexed.ts';
import type { PageServerLoad } from './$types';

const HISTORY = 25;
const TOKENS = 25;
const UTXOS = 25;
/** The index is used for an address when it is no further behind than this. Blocks. */
const BEHIND = 20;

const TABS = ['transactions', 'tokens', 'utxos'] as const;
type Tab = (typeof TABS)[number];

export const load: PageServerLoad = async ({ locals, params: { chain, address }, url }) => {
	// A public key is shown on the page of its address.
	if (isValidPubkey(address)) {
		const holder = address.toLowerCase();
		redirect(
			303,
			`/chains/${encodeURIComponent(chain)}/address/${addressOfPubkey(holder)}?key=${holder}&tab=tokens`
		);
	}
	if (!isValidAddress(address)) error(404, searchFaults.checksum);
	const { index, gateway, sender } = locals.app;
	const client = new PageClient(gateway, locals.requestId);
	const progress = await shownProgress(locals.app, chain);
	const id = progress?.id ?? -1n;
	const key = url.searchParams.get('key') ?? '';
	const named = isValidPubkey(key) && addressOfPubkey(key) === address ? key.toLowerCase() : null;
	const tab: Tab = TABS.find((name) => name === url.searchParams.get('tab')) ?? TABS[0];
	const isIndexed = isIndexedBut(progress, BEHIND) && isFromStart(progress);
	const [facts, knownHolder] = await Promise.all([
		readAddress(index, id, address),
		holderOf(index, id, address)
	]);
	const holder = named ?? knownHolder;
	const sums = facts ?? { balance: 0n, received: 0n, txs: 0n };
	/** The daemon is asked while the index has not all blocks, and when all UTXOs are requested. */
	const asksDaemon = !isIndexed || (tab === 'utxos' && url.searchParams.get('source') === 'daemon');
	const [view, balances, list, held, utxos, decimals] = await Promise.all([
		asksDaemon
			? client.piece(chain, `address ${address}`, () => askAddress(client, chain, address))
			: null,
		balanceOverTime(index, id, address, sums.balance),
		tab === 'transactions'
			? listPage(index, addressTransactions, url.searchParams, {
					chain,
					fixed: { address },
					limit: HISTORY
				})
			: null,
		tab === 'tokens' && holder !== null
			? listPage(index, holdings, url.searchParams, {
					chain,
					fixed: { holder },
					limit: TOKENS,
					prefix: 't-'
				})
			: null,
		tab === 'utxos'
			? listPage(index, utxoList, url.searchParams, { chain, fixed: { address }, limit: UTXOS })
			: null,
		tab === 'tokens' ? sender.allDecimals(chain) : new Map<string, number>()
	]);
	return withLabels(locals, {
		address,
		tab,
		progress,
		facts: isIndexed ? sums : null,
		view,
		holder,
		balances,
		decimals,
		utxos: utxos && {
			...utxos,
			rows: utxos.rows.map(({ seq, n, value, type, txid }) => ({
				txid: bytesToHex(txid),
				vout: Number(n),
				value,
				height: heightOfSeq(seq),
				condition: type === 'cryptocondition'
			}))
		},
		/** Why no tokens are listed, if none are. */
		noTokens: !isIndexed
			? ('unknown' as const)
			: knownHolder === null
				? ('unseen' as const)
				: ('gone' as const),
		held: held && {
			...held,
			rows: held.rows.map(({ tokenid, name, nft_code, units }) => ({
				tokenid: bytesToHex(tokenid),
				name,
				nft: nft_code !== null,
				units
			}))
		},
		history: list && {
			...list,
			rows: list.rows.map(({ txid, kind, time, ...row }) => ({
				...row,
				time: Number(time) * 1000,
				kind: kindName(kind),
				txid: bytesToHex(txid),
				height: heightOfSeq(row.seq)
			}))
		},
		/** Chains that can show the same address. */
		others: gateway.chains().filter((name) => name !== chain),
		now: client.now
	});
};
