/** Block headers, and the proofs of gettxoutproof. */
import { blockHash, readHeader, type BlockHeader } from '../block.ts';
import { ByteReader, displayHash } from '../bytes.ts';
import { readTxOutProof, provenTxids } from '../txOutProof.ts';
import type { Annotator, Note } from './node.ts';
import { hash, hex, number } from './note.ts';

const take32 = (reader: ByteReader): Uint8Array => reader.take(32, 'hash');

/** @throws {ChainError} `parse` */
export function annotateHeaderParts(into: Annotator): BlockHeader {
	const header = readHeader(new ByteReader(into.reader.bytes, into.reader.offset));
	into.field('version', (reader) => reader.i32('block version'), number);
	into.field('previous-block', take32, hash);
	into.field('merkle-root', take32, (bytes) => ({
		...hash(bytes),
		meaning: { code: 'merkle-root' }
	}));
	into.field('sapling-root', take32, hash);
	into.field(
		'time',
		(reader) => reader.u32(),
		(time) => ({
			value: String(time),
			meaning: { code: 'moment', seconds: time }
		})
	);
	into.field(
		'target',
		(reader) => reader.u32(),
		(bits) => ({
			value: bits.toString(16).padStart(8, '0'),
			meaning: { code: 'target' }
		})
	);
	into.field('nonce', take32, hex);
	into.varSlice('solution', (bytes) => ({
		...hex(bytes),
		meaning: { code: 'solution', bytes: bytes.length }
	}));
	return header;
}

/** A block header on its own. @throws {ChainError} `parse` */
export function annotateHeader(into: Annotator): Note {
	const header = annotateHeaderParts(into);
	return { value: blockHash(header), meaning: { code: 'block-header', seconds: header.time } };
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
	into.field('block-transactions', (reader) => reader.u32(), number);
	into.field('hash-count', (reader) => reader.count(32), number);
	proof.hashes.forEach((_, i) => into.field({ code: 'hash', index: i }, take32, hash));
	into.varSlice('flag-bits', hex);
	const sound = displayHash(root) === proof.header.merkleRoot;
	return {
		value: matches.join(', '),
		meaning: !sound
			? { code: 'proof-unsound' }
			: matches.length === 0
				? { code: 'proof-empty' }
				: {
						code: 'proof-found',
						transactions: matches.length,
						block: blockHash(proof.header)
					}
	};
}
