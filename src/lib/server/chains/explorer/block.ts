import { valueOf } from '#lib/chain/amount.ts';
import { parseBlock } from '#lib/chain/block.ts';
import { classify } from '#lib/chain/script.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { rewardOf } from '../lists/blockReward.ts';
import type { PageClient } from './pageClient.ts';
import { isTakenBack, notarizedAt, readBlockFacts, type BlockFacts } from './blocks.ts';
import { daemonJson } from './daemonJson.ts';
import type { BlockInIndex } from './indexedBlock.ts';
import { unasked } from './problem.ts';
import { transactionKind } from './transactionView.ts';

/** A transaction of a block. `value` is the sum of its outputs in satoshi. */
interface BlockLine {
	txid: string;
	kind: TransactionKind;
	/** Null: the kind says all that is known without the index. */
	headline: null;
	inputs: number;
	outputs: number;
	value: bigint;
}

/** Facts that only the block's header contains; null when the daemon does not report them. */
interface BlockHeader {
	merkleRoot: string | null;
	bits: string | null;
	difficulty: string | null;
	version: number | null;
	/** The daemon's answer as formatted JSON. */
	json: string;
}

/** A block that the index does not hold, read from its daemon. */
interface BlockPage extends BlockInIndex {
	header: BlockHeader;
	/** The block was removed from the chain by a reorganization. */
	takenBack: boolean;
	/** One page of the block's transactions. */
	transactions: BlockLine[];
	page: number;
	pages: number;
}

const headerOf = (facts: BlockFacts): BlockHeader => ({
	merkleRoot: reported(facts, 'merkleroot'),
	bits: reported(facts, 'bits'),
	difficulty: reported(facts, 'difficulty')?.source ?? null,
	version: reported(facts, 'version'),
	json: daemonJson('getblock', facts)
});

/** Reads the header of a block. @throws {AppError} `daemon` */
export async function readHeader(
	client: PageClient,
	chain: string,
	hash: string
): Promise<BlockHeader> {
	return headerOf(await readBlockFacts(client, chain, hash));
}

/**
 * Reads a block by height or hash, with the kind of each transaction.
 *
 * @param wanted page of its transactions, starting with 1
 * @throws {AppError} `daemon`
 */
export async function readBlock(
	client: PageClient,
	chain: string,
	id: string,
	wanted: number,
	size: number
): Promise<BlockPage> {
	const [facts, hex] = await Promise.all([
		readBlockFacts(client, chain, id),
		client.call(chain, 'getblock', [id, 0])
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
		notarized: notarizedAt(facts),
		previous: reported(facts, 'previousblockhash') ?? null,
		next: reported(facts, 'nextblockhash') ?? null,
		interval: null,
		made: rewardOf(
			(transactions[0]?.vout ?? []).map(({ script, value }) => ({
				// The index, too, knows no address of the genesis block, whose coins cannot be spent.
				address: facts.height === 0 ? null : (classify(script).address ?? null),
				value
			})),
			null
		),
		header: headerOf(facts),
		takenBack: isTakenBack(facts),
		transactions: transactions.slice((page - 1) * size, page * size).map((tx) => ({
			txid: txidOf(tx),
			kind: transactionKind(tx, chain),
			headline: null,
			inputs: tx.vin.length,
			outputs: tx.vout.length,
			value: valueOf(tx.vout)
		})),
		total: transactions.length,
		page,
		pages
	};
}
