import { parseBlock } from '#lib/chain/block.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import type { Ask } from './ask.ts';
import { readBlockFacts } from './blocks.ts';
import { unasked } from './problem.ts';
import type { TransactionKind } from './transactionView.ts';
import { transactionKind } from './transactionView.ts';

/** One line of a block's transactions. `paid` is the sum of the outputs in satoshi. */
export interface TransactionLine {
	txid: string;
	kind: TransactionKind;
	inputs: number;
	outputs: number;
	paid: bigint;
}

export interface BlockPage {
	height: number;
	hash: string;
	/** Unix milliseconds. */
	time: number;
	size: number;
	confirmations: number;
	rawConfirmations: number;
	/** Last notarized height of the chain when the block was read; 0 when there is none. */
	notarized: number;
	previous: string | null;
	next: string | null;
	merkleRoot: string;
	bits: string;
	difficulty: string;
	version: number;
	/** The block's transactions, one page of them. */
	transactions: TransactionLine[];
	total: number;
	page: number;
	pages: number;
}

/**
 * Reads a block by height or hash and says of each transaction what it is.
 *
 * @param wanted page of its transactions, the first is 1
 * @throws {UpstreamError}
 */
export async function readBlock(
	ask: Ask,
	chain: string,
	id: string,
	wanted: number,
	size: number
): Promise<BlockPage> {
	const [facts, hex] = await Promise.all([
		readBlockFacts(ask, chain, id),
		ask.call(chain, 'getblock', [id, 0])
	]);
	if (typeof hex !== 'string') throw unasked(chain, 'getblock');
	const { transactions } = parseBlock(hex);
	const pages = Math.max(1, Math.ceil(transactions.length / size));
	const page = Math.min(Math.max(1, wanted), pages);
	return {
		height: facts.height,
		hash: facts.hash,
		time: facts.time * 1000,
		size: facts.size,
		confirmations: facts.confirmations,
		rawConfirmations: facts.rawconfirmations,
		notarized: facts.last_notarized_height,
		previous: facts.previousblockhash ?? null,
		next: facts.nextblockhash ?? null,
		merkleRoot: facts.merkleroot,
		bits: facts.bits,
		difficulty: facts.difficulty.source,
		version: facts.version,
		transactions: transactions.slice((page - 1) * size, page * size).map((tx) => ({
			txid: txidOf(tx),
			kind: transactionKind(tx, chain),
			inputs: tx.vin.length,
			outputs: tx.vout.length,
			paid: tx.vout.reduce((sum, output) => sum + output.value, 0n)
		})),
		total: transactions.length,
		page,
		pages
	};
}
