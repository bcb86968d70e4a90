/** The tree of an explanation, and the cursor that builds it while it parses. */
import { ByteReader } from '../bytes.ts';
import { isChainError } from '../chainError.ts';
import type { ExplainFault } from './fault.ts';
import type { LabelCode, PartLabel } from './label.ts';
import type { Meaning } from './meaning.ts';
import type { PartValue } from './value.ts';

/** One part of the explained bytes, with its own parts. */
export interface ExplainNode {
	label: PartLabel;
	value?: PartValue;
	/** Offset of the first byte in the whole input. */
	start: number;
	/** Offset after the last byte. */
	end: number;
	meaning?: Meaning;
	/** Why the bytes of this part cannot be parsed. */
	fault?: ExplainFault;
	children?: ExplainNode[];
}

/** The description of a part, made after it was parsed. */
export type Note = Pick<ExplainNode, 'value' | 'meaning' | 'fault' | 'children'>;

/** Nested transactions (an import contains its burn) are explained down to this depth. */
const MAX_DEPTH = 4;
/**
 * Budget of one explanation, in parts; slow steps cost several. Once it is used up, the remaining parts are
 * parsed and counted but not described.
 */
const MOST = 2_500;
/**
 * Extra cost of slow steps: validating a curve point, trying all readings of a payload, encoding an address, deriving
 * the scripts of a token transaction.
 */
export const COST = { key: 8, payload: 8, output: 8, tokenScripts: 32 } as const;

/** Explains a transaction nested in a payload of another transaction. @throws {ChainError} `parse` */
type OpensTransaction = (into: Annotator) => Note;

/** The budget that limits the work on hostile input, such as deep nesting or endless lists. */
export class Effort {
	/** Number of transactions around this one. */
	readonly depth: number;
	readonly opensTransaction: OpensTransaction;
	readonly #left: { parts: number };

	constructor(opensTransaction: OpensTransaction, depth = 0, left = { parts: MOST }) {
		this.opensTransaction = opensTransaction;
		this.depth = depth;
		this.#left = left;
	}

	/** Number of parts that may still be described. */
	get left(): number {
		return Math.max(0, this.#left.parts);
	}

	/** Charges the budget; false once it is used up. */
	spend(parts = 1): boolean {
		this.#left.parts -= parts;
		return this.#left.parts >= 0;
	}

	/** Returns the budget for a nested transaction, or null when it is nested too deeply. */
	deeper(): Effort | null {
		return this.depth < MAX_DEPTH
			? new Effort(this.opensTransaction, this.depth + 1, this.#left)
			: null;
	}
}

/** A label, or just its code when it needs no parameters. */
type Labeled = LabelCode | PartLabel;

const labelOf = (label: Labeled): PartLabel =>
	typeof label === 'string' ? { code: label } : label;

/** Parses bytes and records each part with its position. */
export class Annotator {
	readonly reader: ByteReader;
	readonly effort: Effort;
	readonly #base: number;
	#nodes: ExplainNode[] = [];

	/** @param base offset of these bytes in the whole input */
	constructor(bytes: Uint8Array, base: number, effort: Effort) {
		this.reader = new ByteReader(bytes);
		this.#base = base;
		this.effort = effort;
	}

	/** Current offset in the whole input. */
	get position(): number {
		return this.#base + this.reader.offset;
	}

	/** The parts recorded so far. */
	get nodes(): ExplainNode[] {
		return this.#nodes;
	}

	/** Parses and records one part without children. @throws {ChainError} `parse` */
	field<T>(
		label: Labeled,
		read: (reader: ByteReader) => T,
		note?: (value: T, start: number, end: number) => Note
	): T {
		const start = this.position;
		const value = read(this.reader);
		const end = this.position;
		if (this.effort.spend()) {
			this.#nodes.push({ label: labelOf(label), ...note?.(value, start, end), start, end });
		} else this.#leaveOut(start, end);
		return value;
	}

	/** Adds a part to the entry that counts the parts left out. */
	#leaveOut(start: number, end: number): void {
		const last = this.#nodes.at(-1);
		if (last?.label.code === 'more-parts') {
			this.#nodes[this.#nodes.length - 1] = {
				label: { code: 'more-parts', parts: last.label.parts + 1 },
				start: last.start,
				end
			};
		} else this.#nodes.push({ label: { code: 'more-parts', parts: 1 }, start, end });
	}

	/** Records a part whose children `body` records. @throws {ChainError} `parse` */
	group<T>(of: Labeled, body: () => T, note?: (value: T) => Note): T {
		const outer = this.#nodes;
		const start = this.position;
		const isNoted = this.effort.spend();
		this.#nodes = [];
		let value: T;
		let children: ExplainNode[];
		try {
			value = body();
		} finally {
			children = this.#nodes;
			this.#nodes = outer;
		}
		const end = this.position;
		if (isNoted) outer.push({ label: labelOf(of), ...note?.(value), start, end, children });
		else this.#leaveOut(start, end);
		return value;
	}

	/**
	 * Parses a CompactSize and the bytes after it, and records them as two parts. @throws {ChainError}
	 * `parse`
	 */
	varSlice(
		code: LabelCode,
		note?: (value: Uint8Array, start: number, end: number) => Note,
		index?: number
	): Uint8Array {
		const place = index === undefined ? {} : { index };
		const length = this.field(
			{ code: 'length', of: code, ...place },
			(reader) => reader.count(1, `length of the ${code}`),
			(value) => ({ value: String(value) })
		);
		return this.field({ code, ...place }, (reader) => reader.take(length, code), note);
	}
}

/**
 * Explains bytes nested in other bytes. A parse error does not fail the whole: the note says where it
 * occurred.
 */
export function inner(
	bytes: Uint8Array,
	base: number,
	effort: Effort,
	body: (annotator: Annotator) => Note | undefined
): Note {
	const annotator = new Annotator(bytes, base, effort);
	try {
		const note = body(annotator);
		annotator.reader.end('part');
		return { ...note, children: annotator.nodes };
	} catch (error) {
		if (!isChainError(error, 'parse')) throw error;
		return {
			fault: { code: 'part', params: { from: annotator.position, error: error.fault } },
			children: annotator.nodes
		};
	}
}
