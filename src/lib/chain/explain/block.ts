/** Blocks. */
import { blockHash } from '../block.ts';
import { txidOf } from '../transaction.ts';
import { annotateHeaderParts } from './header.ts';
import { number, type Annotator, type Note } from './node.ts';
import { annotateTransaction, transactionNote } from './transaction.ts';
import { countOf, timeText } from './words.ts';

/** @throws {ChainError} `parse` */
export function annotateBlock(into: Annotator): Note {
	const header = into.group('header', () => annotateHeaderParts(into));
	const count = into.field(
		'number of transactions',
		(reader) => reader.count(10, 'number of transactions'),
		number
	);
	for (let i = 0; i < count; i++) {
		into.group(
			`transaction ${i}`,
			() => annotateTransaction(into),
			(tx) => ({ ...transactionNote(tx), value: txidOf(tx) })
		);
	}
	return {
		value: blockHash(header),
		meaning: `A block of ${timeText(header.time)} with ${countOf(count, 'transaction')}.`
	};
}
