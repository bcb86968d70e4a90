/** What OP_RETURN outputs say: tokens, burns, imports, notarizations, self-imports, approvals. */
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
import { inner, number, type Annotator, type Note } from './node.ts';
import { coins, countOf, hex, moduleName, pubkeyNote } from './words.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const text = (bytes: Uint8Array): Note => ({ value: decoder.decode(bytes) });
const hash = (bytes: Uint8Array): Note => ({ value: displayHash(bytes) });
const txidBackwards = (bytes: Uint8Array): Note => ({
	value: displayHash(bytes),
	meaning: 'Stored backwards; shown as everywhere else.'
});
const take32 = (reader: ByteReader): Uint8Array => reader.take(32, 'hash');

function moduleField(into: Annotator): number {
	return into.field(
		'module',
		(reader) => reader.u8('eval code'),
		(code) => ({
			value: moduleName(code)
		})
	);
}

/** A transaction inside another one, opened unless it is nested too deeply. */
function nestedTransaction(into: Annotator, label: string, bytes: Uint8Array, start: number): Note {
	const deeper = into.effort.deeper();
	if (!deeper) return { meaning: `The ${label} is nested too deeply to be opened here.` };
	return inner(bytes, start, deeper, deeper.opensTransaction);
}

/** The rest of the bytes as a transaction. */
function restAsTransaction(into: Annotator, label: string): void {
	into.field(
		label,
		(reader) => reader.take(reader.remaining, label),
		(bytes, start) => nestedTransaction(into, label, bytes, start)
	);
}

/** `e2` CCid, chain, payouts hash, source. @throws {ChainError} `parse` */
function annotateBurn(into: Annotator): Note {
	const facts = readBurnPayload(into.reader.bytes);
	moduleField(into);
	into.field(
		'target CCid',
		(reader) => reader.varint('target CCid'),
		(ccid) => ({
			value: String(ccid),
			...(ccid === SELF_IMPORT_CCID ? { meaning: 'The mark of a self-import.' } : {})
		})
	);
	into.varSlice('target chain', text);
	into.field('hash of the payouts', take32, (bytes) => ({
		...hex(bytes),
		meaning: 'The import must create exactly the outputs that hash to this.'
	}));
	into.varSlice('source description', (bytes, start) =>
		bytes.length === 0
			? { meaning: 'Empty, as in a self-import.' }
			: inner(bytes, start, into.effort, (source) => {
					source.varSlice('source chain', text);
					if (source.reader.remaining > 0) {
						restAsTransaction(source, 'creation of the token');
					}
					return undefined;
				})
	);
	if (into.reader.remaining > 0) {
		into.field('other bytes', (reader) => reader.take(reader.remaining), hex);
	}
	if (facts.targetCcid === SELF_IMPORT_CCID) {
		return { meaning: 'Stands for the burn of a self-import.' };
	}
	const what = facts.tokenCreationTx ? 'tokens' : 'coins';
	return {
		meaning: `Destroys ${what} of ${facts.sourceSymbol || 'an unnamed chain'}, to be created again on ${facts.targetSymbol} (CCid ${facts.targetCcid}).`
	};
}

/** Hashes that lead from a transaction upwards. */
interface Branch {
	index: number;
	hashes: Uint8Array[];
}

/** Notarization, index, hashes. @throws {ChainError} `parse` */
function annotateBranch(into: Annotator): Branch {
	into.field('notarization on KMD', take32, (bytes) => ({
		value: displayHash(bytes),
		meaning: 'In a self-import, the source transaction stands here.'
	}));
	const index = into.field(
		'index of the branch',
		(reader) => reader.varint('branch index'),
		(n) => ({
			value: String(n),
			meaning: 'Bit k is the side at level k: 0 left, 1 right.'
		})
	);
	const count = into.field(
		'number of branch hashes',
		(reader) => reader.count(32, 'number of branch hashes'),
		number
	);
	const hashes = Array.from({ length: count }, (_, i) =>
		into.field(`branch hash ${i}`, take32, hash)
	);
	return { index, hashes };
}

/** Kind, then a branch, approvals or a merkle block. @throws {ChainError} `parse` */
export function annotateProof(into: Annotator): { branch?: Branch } {
	const kind = into.field(
		'kind of proof',
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
			meaning:
				code === 0x11
					? 'A branch that leads to a notarization.'
					: code === 0x12
						? 'Approvals by notaries on the destination chain.'
						: 'A merkle block. No chain accepts this kind.'
		})
	);
	if (kind === 0x13) {
		into.varSlice('merkle block', hex);
		return {};
	}
	if (kind === 0x12) {
		const count = into.field(
			'number of approvals',
			(reader) => reader.count(32, 'number of approvals'),
			(n) => ({ value: String(n), meaning: 'At least five different notaries are needed.' })
		);
		for (let i = 0; i < count; i++) into.field(`approval ${i}`, take32, txidBackwards);
		return {};
	}
	return { branch: annotateBranch(into) };
}

/** A branch alone, as `assetchainproof` answers it. @throws {ChainError} `parse` */
export function annotateBranchProof(into: Annotator): Note {
	const { index, hashes } = annotateBranch(into);
	if (hashes.length === 0 || index >= 2 ** hashes.length) {
		throw new ChainError('parse.branch-index', { what: 'index of the branch', offset: 32 });
	}
	return {
		meaning: `Leads from a transaction to a notarization in ${countOf(hashes.length, 'step')}. It does not say from which transaction.`
	};
}

/** `e2`, proof, burn transaction. @throws {ChainError} `parse` */
function annotateImport(into: Annotator): Note {
	readImportPayload(into.reader.bytes);
	moduleField(into);
	const { branch } = into.group('proof', () => annotateProof(into));
	let note: Note = { meaning: 'Says which burn is paid out here, and proves it.' };
	into.field(
		'burn transaction',
		(reader) => reader.take(reader.remaining, 'burn transaction'),
		(bytes, start) => {
			const burn = nestedTransaction(into, 'burn transaction', bytes, start);
			if (branch && branch.hashes.length > 0 && burn.value) {
				const root = execBranch(internalHash(burn.value), branch.index, branch.hashes);
				note = {
					meaning: `Says which burn is paid out here. The branch leads from it to the root ${displayHash(root)}, which a notarization must hold.`
				};
			}
			return burn;
		}
	);
	return note;
}

const BLOB_NAMES: ReadonlyMap<number, string> = new Map([
	[BLOB.nonFungible, 'non-fungible data'],
	[0x12, 'assets'],
	[0x13, 'gateways'],
	[0x14, 'channels'],
	[0x15, 'heir'],
	[0x16, 'rogue'],
	[BLOB.burn, 'burn'],
	[BLOB.import, 'import']
]);

function annotateBlobs(into: Annotator): void {
	while (into.reader.remaining > 0) {
		into.group('added data', () => {
			const id = into.field(
				'kind of data',
				(reader) => reader.u8('blob id'),
				(code) => ({ value: BLOB_NAMES.get(code) ?? `unknown (${code.toString(16)})` })
			);
			into.varSlice('data', (bytes, start) => {
				if (id === BLOB.burn) return inner(bytes, start, into.effort, annotateBurn);
				if (id === BLOB.import) return inner(bytes, start, into.effort, annotateImport);
				if (id === BLOB.nonFungible && bytes[0] !== undefined) {
					return { ...hex(bytes), meaning: `Its module is ${moduleName(bytes[0])}.` };
				}
				return hex(bytes);
			});
		});
	}
}

/** `f2 63` or `f2 74`. @throws {ChainError} `parse` */
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
		(code) => ({ value: code === 0x63 ? 'create' : 'transfer' })
	);
	if (action === 0x63) {
		into.varSlice('owner', pubkeyNote);
		const name = into.varSlice('name', text);
		into.varSlice('description', text);
		annotateBlobs(into);
		return { meaning: `Creates the token ${decoder.decode(name)}.` };
	}
	const tokenid = into.field('tokenid', take32, (bytes) => ({
		value: bytesToHex(bytes),
		meaning: 'The transaction that created the token. Stored forwards, unlike other txids.'
	}));
	const count = into.field(
		'number of keys',
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
	for (let i = 0; i < count; i++) into.varSlice(`key of recipient ${i}`, pubkeyNote);
	annotateBlobs(into);
	return { meaning: `Moves units of the token ${bytesToHex(tokenid)}.` };
}

/** `e2 41` and an amount. @throws {ChainError} `parse` */
function annotateSelfImportSource(into: Annotator): Note {
	moduleField(into);
	into.field(
		'function',
		(reader) => reader.u8('function'),
		() => ({ value: 'self-import' })
	);
	const amount = into.field(
		'amount',
		(reader) => reader.i64('amount'),
		(satoshi) => ({
			value: coins(satoshi)
		})
	);
	return { meaning: `Announces a self-import of ${coins(amount)}.` };
}

/** The record of a block of a chain. @throws {ChainError} `parse` */
function annotateNotarization(into: Annotator, form: NotarizationForm): Note {
	const nota = readNotarizationPayload(into.reader.bytes, form);
	into.field('notarized block', take32, hash);
	into.field('height', (reader) => reader.u32(), number);
	if (form === 'back') into.field('notarization on KMD', take32, hash);
	into.field(
		'chain',
		(reader) => reader.take(nota.symbol.length + 1),
		() => ({
			value: nota.symbol,
			meaning: 'Ends with a zero byte.'
		})
	);
	if (nota.mom) {
		into.field('MoM', take32, (bytes) => ({
			...hash(bytes),
			meaning: 'Merkle root over the merkle roots of the blocks below.'
		}));
		into.field(
			'MoM depth',
			(reader) => reader.u16(),
			(depth) => ({
				value: String(depth),
				meaning: `Covers ${countOf(depth, 'block')}.`
			})
		);
		into.field('CCid', (reader) => reader.u16(), number);
	}
	if (nota.momom) {
		into.field('MoMoM', take32, (bytes) => ({
			...hash(bytes),
			meaning: 'Merkle root over the MoMs of the chains with this CCid.'
		}));
		into.field('MoMoM depth', (reader) => reader.u32(), number);
	}
	return { meaning: notarizationSentence(nota, form) };
}

function notarizationSentence(nota: Notarization, form: NotarizationForm): string {
	return form === 'back'
		? `Back-notarization: block ${nota.height} of ${nota.symbol} is on record on KMD.`
		: `Notarization of block ${nota.height} of ${nota.symbol}.`;
}

/** A length and a proof of `gettxoutproof`: how notaries approve a burn. @throws {ChainError} `parse` */
function annotateApproval(into: Annotator): Note {
	into.varSlice('proof', (bytes, start) => {
		// Strict first: bytes that are no proof make this no approval.
		const { reader } = into;
		const proof = new ByteReader(reader.bytes, reader.offset - bytes.length);
		readTxOutProof(proof);
		proof.end('approval');
		return inner(bytes, start, into.effort, annotateTxOutProof);
	});
	return { meaning: 'A notary approves a burn: this proves that it was mined on its chain.' };
}

/** A way to read a payload. */
interface PayloadReading {
	label: string;
	annotate: (into: Annotator) => Note;
}

/** The ways in which a payload may be read, most likely first, to be tried in order. */
export function payloadReadings(payload: Uint8Array): PayloadReading[] {
	const [first, second] = payload;
	if (first === EVAL.tokens) return [{ label: 'token payload', annotate: annotateToken }];
	if (first === EVAL.importCoin) {
		const readings: PayloadReading[] = [
			{ label: 'burn', annotate: annotateBurn },
			{ label: 'import', annotate: annotateImport }
		];
		if (second === 0x11 || second === 0x12 || second === 0x13) readings.reverse();
		return second === 0x41 && payload.length === 10
			? [{ label: 'self-import source', annotate: annotateSelfImportSource }]
			: readings;
	}
	return [
		{ label: 'back-notarization', annotate: (into) => annotateNotarization(into, 'back') },
		{ label: 'notarization', annotate: (into) => annotateNotarization(into, 'kmd') },
		{ label: 'notary approval', annotate: annotateApproval }
	];
}
