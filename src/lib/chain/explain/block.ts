/** Blocks. */
import { blockHash } from '../block.ts';
import { txidOf } from '../transaction.ts';
import { annotateHeaderParts } from './header.ts';
import type { Annotator, Note } from './node.ts';
import { number } from './note.ts';
import { annotateTransaction, transactionNote } from './transaction.ts';

/** @throws {ChainError} `parse` */
export function annotateBlock(into: Annotator): Note {
	const header = into.group('header', () => annotateHeaderParts(into));
	const count = into.field(
		'transaction-count',
		(reader) => reader.count(10, 'number of transactions'),
		number
	);
	for (let i = 0; i < count; i++) {
		into.group(
			{ code: 'transaction', index: i },
			() => annotateTransaction(into),
			(tx) => ({ ...transactionNote(tx), value: txidOf(tx) })
		);
	}
	return {
		value: blockHash(header),
		meaning: { code: 'block', seconds: header.time, transactions: count }
	};
}
