/** The transactions of a list, as pages show them. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Headline } from '#lib/messages/headlines.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, placeOfSeq } from '../indexer/tables.ts';
import type { TransactionRow } from '../lists/transactions.ts';
import { readTransactionSubjects } from '../lists/transactionSubjects.ts';
import { headlineOf, kindOf, type TokenDecimals } from './headlines.ts';

interface TransactionLine {
	txid: string;
	kind: TransactionKind;
	/** Null for a payment and a block reward, which kind and amount describe completely. */
	headline: Headline | null;
	height: number;
	/** Index in its block. */
	place: number;
	/** Unix milliseconds, from its block. */
	time: number;
	/** Bytes. */
	size: number;
	inputs: number;
	outputs: number;
	/** Sum of its outputs, satoshi. */
	value: bigint;
	/** Satoshi; null when there is none or it is unknown. */
	fee: bigint | null;
}

/**
 * Converts rows of the index to lines of a list.
 * @param decimals decimals that the team has set for the chain's tokens
 */
export async function transactionLines(
	index: Index,
	chain: { id: bigint; name: string },
	rows: readonly TransactionRow[],
	decimals: TokenDecimals
): Promise<TransactionLine[]> {
	const subjects = await readTransactionSubjects(index, chain.id, rows);
	return rows.map((row) => {
		const subject = subjects.get(row.seq)!;
		return {
			txid: bytesToHex(row.txid),
			kind: kindOf(row.kind, subject.effects),
			headline:
				row.kind === 'coinbase' ? null : headlineOf(row, subject, { ticker: chain.name, decimals }),
			height: heightOfSeq(row.seq),
			place: placeOfSeq(row.seq),
			time: Number(row.time) * 1000,
			size: Number(row.size),
			inputs: Number(row.inputs),
			outputs: Number(row.outputs),
			value: row.value,
			fee: row.fee
		};
	});
}
