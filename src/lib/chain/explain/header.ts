/** Block headers, and the proofs of gettxoutproof. */
import { blockHash, readHeader, type BlockHeader } from '../block.ts';
import { ByteReader, displayHash } from '../bytes.ts';
import { readTxOutProof, provenTxids } from '../txOutProof.ts';
import { number, type Annotator, type Note } from './node.ts';
import { countOf, hex, timeText } from './words.ts';

const take32 = (reader: ByteReader): Uint8Array => reader.take(32, 'hash');
const hash = (bytes: Uint8Array): Note => ({ value: displayHash(bytes) });

/** @throws {ChainError} `parse` */
export function annotateHeaderParts(into: Annotator): BlockHeader {
	const header = readHeader(new ByteReader(into.reader.bytes, into.reader.offset));
	into.field('version', (reader) => reader.i32('block version'), number);
	into.field('previous block', take32, hash);
	into.field('merkle root', take32, (bytes) => ({
		...hash(bytes),
		meaning: 'Root over the ids of the transactions of the block.'
	}));
	into.field('Sapling root', take32, hash);
	into.field(
		'time',
		(reader) => reader.u32(),
		(time) => ({
			value: String(time),
			meaning: timeText(time)
		})
	);
	into.field(
		'target',
		(reader) => reader.u32(),
		(bits) => ({
			value: bits.toString(16).padStart(8, '0'),
			meaning: 'How hard the block was to find, in compact form.'
		})
	);
	into.field('nonce', take32, hex);
	into.varSlice('solution', (bytes) => ({
		...hex(bytes),
		meaning: `The Equihash solution, ${countOf(bytes.length, 'byte')}.`
	}));
	return header;
}

/** A header alone. @throws {ChainError} `parse` */
export function annotateHeader(into: Annotator): Note {
	const header = annotateHeaderParts(into);
	return { value: blockHash(header), meaning: `A block header of ${timeText(header.time)}.` };
}

/** @throws {ChainError} `parse` */
export function annotateTxOutProof(into: Annotator): Note {
	const proof = readTxOutProof(new ByteReader(into.reader.bytes));
	const { root, matches } = provenTxids(proof);
	into.group(
		'header',
		() => annotateHeaderParts(into),
		(header) => ({ value: blockHash(header) })
	);
	into.field('transactions in the block', (reader) => reader.u32(), number);
	into.field('number of hashes', (reader) => reader.count(32), number);
	proof.hashes.forEach((_, i) => into.field(`hash ${i}`, take32, hash));
	into.varSlice('flag bits', hex);
	const sound = displayHash(root) === proof.header.merkleRoot;
	return {
		value: matches.join(', '),
		meaning: !sound
			? 'A proof whose hashes do not lead to the merkle root of its header: it proves nothing.'
			: matches.length === 0
				? 'A proof that names no transaction.'
				: `Proves that ${matches.length === 1 ? 'this transaction is' : 'these transactions are'} in block ${blockHash(proof.header)}.`
	};
}
