import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq } from '../indexer/tables.ts';
import { chainIdOf } from '../lists/chains.ts';
import { holders } from '../lists/holders.ts';
import { supplyOverTime, tokenMoves } from '../lists/tokenMoves.ts';
import { readIndexedToken, readTwins } from '../lists/tokens.ts';
import { listPage } from './listPage.ts';

const HOLDERS = 20;
const MOVES = 20;
/** Points of the supply chart; more would exceed the resolution of a screen. */
const POINTS = 500;

/** Returns the history of a token from the index; null when the token is not indexed. */
export async function tokenHistory(
	index: Index,
	chain: string,
	tokenid: string,
	parameters: URLSearchParams
) {
	const number = await chainIdOf(index, chain);
	const token = number === null ? null : await readIndexedToken(index, number, tokenid);
	if (number === null || token === null) return null;
	const fixed = { tokenid };
	const circulating = token.supply - token.burned;
	const [held, moves, supply, twins] = await Promise.all([
		listPage(index, holders, parameters, { chain, fixed, limit: HOLDERS, prefix: 'h-' }),
		listPage(index, tokenMoves, parameters, { chain, fixed, limit: MOVES, prefix: 't-' }),
		supplyOverTime(index, number, { seq: token.seq, circulating }, POINTS),
		readTwins(index, chain, token)
	]);
	return {
		holders: held,
		moves: {
			...moves,
			rows: moves.rows.map(({ txid, seq, ...move }) => ({
				...move,
				seq,
				txid: bytesToHex(txid),
				height: heightOfSeq(seq)
			}))
		},
		supply,
		twins,
		circulating,
		burned: token.burned,
		holderCount: token.holders,
		transferCount: token.transfers
	};
}

export type TokenHistory = NonNullable<Awaited<ReturnType<typeof tokenHistory>>>;
