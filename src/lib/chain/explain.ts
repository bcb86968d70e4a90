/**
 * Explains hex of these chains part by part: a transaction, a block or its header, the payouts of a
 * migration, a proof of gettxoutproof, a notarization or another payload, an import proof, a script, a key.
 * When several interpretations fit, all are returned, the likeliest first.
 */
import { bytesEqual, bytesToHex, hexToBytes, type ByteReader } from './bytes.ts';
import { ChainError, isChainError } from './chainError.ts';
import { BURN_PUBKEY } from './cryptocondition.ts';
import { parseFulfillment } from './cryptocondition/fulfillment.ts';
import { annotateBlock } from './explain/block.ts';
import { derNodes } from './explain/condition.ts';
import { annotateHeader, annotateTxOutProof } from './explain/header.ts';
import type { ExplainFault, ExplainFaultParams } from './explain/fault.ts';
import type { LabelCode, StructureLabel } from './explain/label.ts';
import { Annotator, type ExplainNode, type Note } from './explain/node.ts';
import { number, pubkeyNote } from './explain/note.ts';
import { annotateBranchProof, annotateProof, payloadReadings } from './explain/payload.ts';
import { inputScriptNote, isPlausibleScript, outputScriptNote } from './explain/script.ts';
import { annotateTransaction, newEffort, transactionNote } from './explain/transaction.ts';
import { isValidPubkey } from './key.ts';
import { classify, parsePushes, pushData } from './script.ts';
import { txidOf } from './transaction.ts';

export type { ExplainNode } from './explain/node.ts';

/** The best interpretation of the bytes. */
export interface Explanation extends ExplainNode {
	/** Other interpretations of all of the bytes; absent when there are none. */
	alternatives?: ExplainNode[];
}

/** Why the text could not be explained. */
type ExplainFailure = ExplainFault & {
	/** Byte at which parsing failed. */
	offset: number;
};

/** One possible interpretation of the bytes. */
interface Reading {
	label: StructureLabel;
	/** True when the first bytes are typical of this structure: its parse error is then worth showing. */
	announced: boolean;
	/** True when unrelated bytes can match by chance: dropped when a stricter reading matches. */
	loose: boolean;
	/** Parses all of the bytes. @throws {ChainError} `parse` */
	annotate: (into: Annotator) => Note;
}

const startsWith = (bytes: Uint8Array, ...hexes: readonly string[]): boolean =>
	hexes.includes(bytesToHex(bytes.subarray(0, 4)));

/** First four bytes of transactions of version 1 and 2, Overwinter and Sapling. */
const TRANSACTION_STARTS = ['01000000', '02000000', '03000080', '04000080'] as const;

/** Readings of complete structures, which unrelated bytes hardly ever match by chance. */
function structures(bytes: Uint8Array): Reading[] {
	// Version 1 is that of transactions and of the genesis block, whose previous hash is zero.
	const first = startsWith(bytes, '01000000') && bytes.subarray(4, 36).every((byte) => byte === 0);
	const blockLike = startsWith(bytes, '04000000') || (first && bytes.length >= 140);
	return [
		{
			label: 'transaction',
			announced: startsWith(bytes, ...TRANSACTION_STARTS),
			loose: false,
			annotate: (into) => {
				const tx = annotateTransaction(into);
				return { ...transactionNote(tx), value: txidOf(tx) };
			}
		},
		{
			label: 'txout-proof',
			announced: false,
			loose: true,
			annotate: annotateTxOutProof
		},
		{ label: 'block', announced: blockLike, loose: false, annotate: annotateBlock },
		{ label: 'block-header', announced: blockLike, loose: true, annotate: annotateHeader },
		...payloadReadings(bytes).map(({ label, annotate }) => ({
			label,
			announced: bytes[0] === 0xe2 || bytes[0] === 0xf2,
			loose: false,
			annotate
		})),
		{
			label: 'import-proof',
			announced: false,
			loose: true,
			annotate: (into) => {
				annotateProof(into);
				return { meaning: { code: 'import-proof' } };
			}
		},
		{
			label: 'branch-proof',
			announced: false,
			loose: true,
			annotate: annotateBranchProof
		},
		{ label: 'payouts', announced: looksLikePayouts(bytes), loose: true, annotate: annotatePayouts }
	];
}

/** A small count, then an amount below three million coins and the first opcode of a common script. */
function looksLikePayouts(bytes: Uint8Array): boolean {
	const count = bytes[0] ?? 0;
	const opcode = bytes[10] ?? 0;
	return (
		count >= 1 &&
		count <= 16 &&
		bytes[7] === 0 &&
		bytes[8] === 0 &&
		[0x76, 0xa9, 0x21, 0x2e, 0x6a].includes(opcode)
	);
}

/** Outputs after their count, as serialized payouts. @throws {ChainError} `parse` */
function annotatePayouts(into: Annotator): Note {
	const count = into.field(
		'output-count',
		(reader) => {
			const outputs = reader.count(9, 'number of outputs');
			if (outputs === 0) {
				throw new ChainError('parse.no-payouts', { what: 'number of outputs', offset: 0 });
			}
			return outputs;
		},
		number
	);
	let sum = 0n;
	for (let i = 0; i < count; i++) {
		into.group({ code: 'output', index: i }, () => {
			sum += into.field('value', readPayout, (value) => ({
				value: { code: 'coins', coins: value }
			}));
			into.varSlice('script', (script, start) => outputScriptNote(script, start, into.effort));
		});
	}
	return {
		value: { code: 'coins', coins: sum },
		meaning: { code: 'payouts', amount: sum, outputs: count }
	};
}

function readPayout(reader: ByteReader): bigint {
	const at = reader.offset;
	const value = reader.i64('value');
	if (value < 0n) throw new ChainError('parse.negative-value', { what: 'value', offset: at });
	return value;
}

/** Larger scripts are invalid on every chain. */
const MAX_SCRIPT = 10_001;

/** Readings that many byte strings match by chance; tried only when no structure fits. */
function small(bytes: Uint8Array): ExplainNode[] {
	if (bytes.length > MAX_SCRIPT) return [];
	const found: ExplainNode[] = [];
	const add = (code: LabelCode, note: Note): void => {
		found.push({ label: { code }, ...note, start: 0, end: bytes.length });
	};
	const kind = classify(bytes);
	if (kind.type !== 'nonstandard') {
		add('output-script', outputScriptNote(bytes, 0, newEffort()));
	}
	if (parseFulfillment(bytes)) add('input-script', inputScriptNote(bytes, 0, newEffort()));
	if (bytes.length < 0xffff && parseFulfillment(pushData(bytes))) {
		const { meaning } = inputScriptNote(pushData(bytes), 0, newEffort());
		add('fulfillment', {
			...(meaning && { meaning }),
			children: [
				...derNodes(bytes.slice(0, -1), 0, newEffort()),
				{
					label: { code: 'hash-type' },
					value: String(bytes[bytes.length - 1]),
					start: bytes.length - 1,
					end: bytes.length
				}
			]
		});
	}
	if (isValidPubkey(bytes) || bytesEqual(bytes, BURN_PUBKEY)) {
		add('public-key', pubkeyNote(bytes));
	}
	if (found.length > 0) return found;
	const pushes = parsePushes(bytes);
	if (pushes && pushes.length > 0 && pushes.some((push) => push.length >= 33)) {
		add('input-script', {
			meaning: { code: 'pushes-data' },
			...inputScriptNote(bytes, 0, newEffort())
		});
	} else if (isPlausibleScript(bytes) && bytes.length !== 32) {
		add('script', outputScriptNote(bytes, 0, newEffort()));
	}
	return found;
}

/**
 * Explains hex. Surrounding white space and JSON quotes are ignored.
 * @returns a failure with the byte at which the likeliest reading ends; never throws for bad input
 */
export function explainHex(text: string): Explanation | ExplainFailure {
	const hex = text.trim().replace(/^"(.*)"$/s, '$1');
	if (hex === '') return { offset: 0, code: 'empty', params: {} };
	let bytes: Uint8Array;
	try {
		bytes = hexToBytes(hex);
	} catch (error) {
		if (!isChainError(error, 'parse')) throw error;
		return { offset: error.params.offset, code: 'not-hex', params: { error: error.fault } };
	}

	const found: (Reading & { node: ExplainNode })[] = [];
	let failure: ExplainFaultParams['stops'] | undefined;
	for (const reading of structures(bytes)) {
		const { label, announced, annotate } = reading;
		const annotator = new Annotator(bytes, 0, newEffort());
		try {
			const note = annotate(annotator);
			annotator.reader.end(label);
			const place = { start: 0, end: bytes.length };
			found.push({
				...reading,
				node: { label: { code: label }, ...note, ...place, children: annotator.nodes }
			});
		} catch (error) {
			if (!isChainError(error, 'parse')) throw error;
			const further =
				!failure ||
				(announced && !failure.announced) ||
				(announced === failure.announced && error.params.offset > failure.error.params.offset);
			if (further) failure = { label, announced, error: error.fault };
		}
	}
	const firm = found.filter(({ loose }) => !loose);
	const kept =
		firm.length > 0 ? firm : found.sort((a, b) => Number(b.announced) - Number(a.announced));
	const nodes = kept.length > 0 ? kept.map(({ node }) => node) : small(bytes);
	const [best, ...alternatives] = nodes;
	if (best) return alternatives.length > 0 ? { ...best, alternatives } : best;
	if (bytes.length === 32) return { offset: 0, code: 'hash', params: {} };
	// Without a typical beginning, only a reading that got past half of the bytes is worth showing.
	const offset = failure?.error.params.offset ?? 0;
	return failure && (failure.announced || offset * 2 > bytes.length)
		? { offset, code: 'stops', params: failure }
		: { offset: 0, code: 'unknown', params: { bytes: bytes.length } };
}
