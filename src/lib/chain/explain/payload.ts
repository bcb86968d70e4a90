/** Explains OP_RETURN payloads: tokens, burns, imports, notarizations, self-imports, notary approvals. */
import { readBurnPayload, SELF_IMPORT_CCID } from '../burn.ts';
import { displayHash, bytesToHex, internalHash, ByteReader } from '../bytes.ts';
import { ChainError } from '../chainError.ts';
import { EVAL } from '../cryptocondition.ts';
import { readImportPayload } from '../importProof.ts';
import { execBranch } from '../merkle.ts';
import {
	readNotarizationPayload,
	type Notarization,
	type NotarizationForm
} from '../notarization.ts';
import { BLOB } from '../token.ts';
import { readTxOutProof } from '../txOutProof.ts';
import { annotateTxOutProof } from './header.ts';
import type { LabelCode, PayloadLabel } from './label.ts';
import type { Meaning } from './meaning.ts';
import { inner, type Annotator, type Note } from './node.ts';
import { hash, hex, number, pubkeyNote } from './note.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const text = (bytes: Uint8Array): Note => ({ value: decoder.decode(bytes) });
const txidBackwards = (bytes: Uint8Array): Note => ({
	value: displayHash(bytes),
	meaning: { code: 'stored-backwards' }
});
const take32 = (reader: ByteReader): Uint8Array => reader.take(32, 'hash');

function moduleField(into: Annotator): number {
	return into.field(
		'module',
		(reader) => reader.u8('eval code'),
		(code) => ({
			value: { code: 'module', eval: code }
		})
	);
}

/** Explains a transaction inside another one, unless it is nested too deeply. */
function nestedTransaction(into: Annotator, bytes: Uint8Array, start: number): Note {
	const deeper = into.effort.deeper();
	if (!deeper) return { meaning: { code: 'nested-too-deep' } };
	return inner(bytes, start, deeper, deeper.opensTransaction);
}

/** Explains the remaining bytes as a transaction. */
function restAsTransaction(into: Annotator, label: LabelCode): void {
	into.field(
		label,
		(reader) => reader.take(reader.remaining, label),
		(bytes, start) => nestedTransaction(into, bytes, start)
	);
}

/** `e2`, CCid, chain, payouts hash, source. @throws {ChainError} `parse` */
function annotateBurn(into: Annotator): Note {
	const facts = readBurnPayload(into.reader.bytes);
	moduleField(into);
	into.field(
		'target-ccid',
		(reader) => reader.varint('target CCid'),
		(ccid) => ({
			value: String(ccid),
			...(ccid === SELF_IMPORT_CCID ? { meaning: { code: 'self-import-mark' } as const } : {})
		})
	);
	into.varSlice('target-chain', text);
	into.field('payouts-hash', take32, (bytes) => ({
		...hex(bytes),
		meaning: { code: 'payouts-hash' }
	}));
	into.varSlice('source-description', (bytes, start) =>
		bytes.length === 0
			? { meaning: { code: 'empty-source' } }
			: inner(bytes, start, into.effort, (source) => {
					source.varSlice('source-chain', text);
					if (source.reader.remaining > 0) {
						restAsTransaction(source, 'token-creation');
					}
					return undefined;
				})
	);
	if (into.reader.remaining > 0) {
		into.field('other-bytes', (reader) => reader.take(reader.remaining), hex);
	}
	if (facts.targetCcid === SELF_IMPORT_CCID) {
		return { meaning: { code: 'self-import-burn' } };
	}
	return {
		meaning: {
			code: 'burn-payload',
			of: facts.tokenCreationTx ? 'tokens' : 'coins',
			source: facts.sourceSymbol,
			target: facts.targetSymbol,
			ccid: facts.targetCcid
		}
	};
}

/** Hashes that lead from a transaction up to a merkle root. */
interface Branch {
	index: number;
	hashes: Uint8Array[];
}

/** Notarization txid, index, hashes. @throws {ChainError} `parse` */
function annotateBranch(into: Annotator): Branch {
	into.field('kmd-notarization', take32, (bytes) => ({
		...hash(bytes),
		meaning: { code: 'kmd-notarization' }
	}));
	const index = into.field(
		'branch-index',
		(reader) => reader.varint('branch index'),
		(n) => ({
			value: String(n),
			meaning: { code: 'branch-index' }
		})
	);
	const count = into.field(
		'branch-hash-count',
		(reader) => reader.count(32, 'number of branch hashes'),
		number
	);
	const hashes = Array.from({ length: count }, (_, i) =>
		into.field({ code: 'branch-hash', index: i }, take32, hash)
	);
	return { index, hashes };
}

/** Kind of proof, then a branch, notary approvals or a merkle block. @throws {ChainError} `parse` */
export function annotateProof(into: Annotator): { branch?: Branch } {
	const kind = into.field(
		'proof-kind',
		(reader) => {
			const at = reader.offset;
			const code = reader.u8('kind of proof');
			if (code < 0x11 || code > 0x13) {
				throw new ChainError('parse.proof-kind', { what: 'kind of proof', offset: at, kind: code });
			}
			return code;
		},
		(code) => ({
			value: code.toString(16),
			meaning: {
				code:
					code === 0x11 ? 'proof-branch' : code === 0x12 ? 'proof-approvals' : 'proof-merkle-block'
			}
		})
	);
	if (kind === 0x13) {
		into.varSlice('merkle-block', hex);
		return {};
	}
	if (kind === 0x12) {
		const count = into.field(
			'approval-count',
			(reader) => reader.count(32, 'number of approvals'),
			(n) => ({ value: String(n), meaning: { code: 'approvals-needed' } })
		);
		for (let i = 0; i < count; i++) {
			into.field({ code: 'approval', index: i }, take32, txidBackwards);
		}
		return {};
	}
	return { branch: annotateBranch(into) };
}

/** A branch on its own, as `assetchainproof` returns it. @throws {ChainError} `parse` */
export function annotateBranchProof(into: Annotator): Note {
	const { index, hashes } = annotateBranch(into);
	if (hashes.length === 0 || index >= 2 ** hashes.length) {
		throw new ChainError('parse.branch-index', { what: 'index of the branch', offset: 32 });
	}
	return { meaning: { code: 'branch-proof', steps: hashes.length } };
}

/** `e2`, proof, burn transaction. @throws {ChainError} `parse` */
function annotateImport(into: Annotator): Note {
	readImportPayload(into.reader.bytes);
	moduleField(into);
	const { branch } = into.group('proof', () => annotateProof(into));
	let root: string | null = null;
	into.field(
		'burn-transaction',
		(reader) => reader.take(reader.remaining, 'burn transaction'),
		(bytes, start) => {
			const burn = nestedTransaction(into, bytes, start);
			if (branch && branch.hashes.length > 0 && typeof burn.value === 'string') {
				root = displayHash(execBranch(internalHash(burn.value), branch.index, branch.hashes));
			}
			return burn;
		}
	);
	return { meaning: { code: 'import-payload', root } };
}

function annotateBlobs(into: Annotator): void {
	while (into.reader.remaining > 0) {
		if (into.effort.left === 0) {
			into.field('added-data', (reader) => {
				while (reader.remaining > 0) {
					reader.u8('blob id');
					reader.take(reader.count(1, 'length of the data'), 'data');
				}
			});
			return;
		}
		into.group('added-data', () => {
			const id = into.field(
				'data-kind',
				(reader) => reader.u8('blob id'),
				(kind) => ({ value: { code: 'blob', id: kind } })
			);
			into.varSlice('data', (bytes, start) => {
				if (id === BLOB.burn) return inner(bytes, start, into.effort, annotateBurn);
				if (id === BLOB.import) return inner(bytes, start, into.effort, annotateImport);
				if (id === BLOB.nonFungible && bytes[0] !== undefined) {
					return { ...hex(bytes), meaning: { code: 'data-module', eval: bytes[0] } };
				}
				return hex(bytes);
			});
		});
	}
}

/** `f2 63` (create) or `f2 74` (transfer). @throws {ChainError} `parse` */
function annotateToken(into: Annotator): Note {
	moduleField(into);
	const action = into.field(
		'function',
		(reader) => {
			const code = reader.u8('token function');
			if (code !== 0x63 && code !== 0x74) {
				throw new ChainError('parse.token-function', { what: 'token function', offset: 1 });
			}
			return code;
		},
		(code) => ({ value: { code: code === 0x63 ? 'create' : 'transfer' } })
	);
	if (action === 0x63) {
		into.varSlice('creator', pubkeyNote);
		const name = into.varSlice('name', text);
		into.varSlice('description', text);
		annotateBlobs(into);
		return { meaning: { code: 'creates-token', name: decoder.decode(name) } };
	}
	const tokenid = into.field('tokenid', take32, (bytes) => ({
		value: bytesToHex(bytes),
		meaning: { code: 'tokenid-forwards' }
	}));
	const count = into.field(
		'key-count',
		(reader) => {
			const at = reader.offset;
			const keys = reader.u8('number of keys');
			if (keys > 2) {
				throw new ChainError('parse.too-many-keys', { what: 'number of keys', offset: at });
			}
			return keys;
		},
		number
	);
	for (let i = 0; i < count; i++) into.varSlice('recipient-key', pubkeyNote, i);
	annotateBlobs(into);
	return { meaning: { code: 'moves-token', tokenid: bytesToHex(tokenid) } };
}

/** `e2 41` and an amount. @throws {ChainError} `parse` */
function annotateSelfImportSource(into: Annotator): Note {
	moduleField(into);
	into.field(
		'function',
		(reader) => reader.u8('function'),
		() => ({ value: { code: 'self-import' } })
	);
	const amount = into.field(
		'amount',
		(reader) => reader.i64('amount'),
		(satoshi) => ({
			value: { code: 'coins', coins: satoshi }
		})
	);
	return { meaning: { code: 'announces-self-import', amount } };
}

/** Notarization of a chain's block. @throws {ChainError} `parse` */
function annotateNotarization(into: Annotator, form: NotarizationForm): Note {
	const nota = readNotarizationPayload(into.reader.bytes, form);
	into.field('notarized-block', take32, hash);
	into.field('height', (reader) => reader.u32(), number);
	if (form === 'back') into.field('kmd-notarization', take32, hash);
	into.field(
		'chain',
		(reader) => reader.take(nota.symbol.length + 1),
		() => ({
			value: nota.symbol,
			meaning: { code: 'chain-name' }
		})
	);
	if (nota.mom) {
		into.field('mom', take32, (bytes) => ({
			...hash(bytes),
			meaning: { code: 'mom' }
		}));
		into.field(
			'mom-depth',
			(reader) => reader.u16(),
			(depth) => ({
				value: String(depth),
				meaning: { code: 'mom-depth', blocks: depth }
			})
		);
		into.field('ccid', (reader) => reader.u16(), number);
	}
	if (nota.momom) {
		into.field('momom', take32, (bytes) => ({
			...hash(bytes),
			meaning: { code: 'momom' }
		}));
		into.field('momom-depth', (reader) => reader.u32(), number);
	}
	return { meaning: notarizationMeaning(nota, form) };
}

/** Returns what a notarization says: on KMD about a chain, or on the chain itself. */
export const notarizationMeaning = (
	{ height, symbol }: Pick<Notarization, 'height' | 'symbol'>,
	form: NotarizationForm
): Meaning => ({
	code: form === 'back' ? 'back-notarization' : 'notarization',
	height,
	chain: symbol
});

/** Notary approval: a length and a proof of `gettxoutproof`. @throws {ChainError} `parse` */
function annotateApproval(into: Annotator): Note {
	into.varSlice('proof', (bytes, start) => {
		// Parsed strictly first, so that this reading fails when the bytes are not a proof.
		const { reader } = into;
		const proof = new ByteReader(reader.bytes, reader.offset - bytes.length);
		readTxOutProof(proof);
		proof.end('approval');
		return inner(bytes, start, into.effort, annotateTxOutProof);
	});
	return { meaning: { code: 'notary-approval' } };
}

/** One possible reading of a payload. */
interface PayloadReading {
	label: PayloadLabel;
	annotate: (into: Annotator) => Note;
}

/** Returns the possible readings of a payload, to be tried in order, most likely first. */
export function payloadReadings(payload: Uint8Array): PayloadReading[] {
	const [first, second] = payload;
	if (first === EVAL.tokens) return [{ label: 'token-payload', annotate: annotateToken }];
	if (first === EVAL.importCoin) {
		const readings: PayloadReading[] = [
			{ label: 'burn', annotate: annotateBurn },
			{ label: 'import', annotate: annotateImport }
		];
		if (second === 0x11 || second === 0x12 || second === 0x13) readings.reverse();
		return second === 0x41 && payload.length === 10
			? [{ label: 'self-import-source', annotate: annotateSelfImportSource }]
			: readings;
	}
	return [
		{ label: 'back-notarization', annotate: (into) => annotateNotarization(into, 'back') },
		{ label: 'notarization', annotate: (into) => annotateNotarization(into, 'kmd') },
		{ label: 'notary-approval', annotate: annotateApproval }
	];
}
