/** The tree that an explanation is, and the cursor that builds it while it reads. */
import { ByteReader } from '../bytes.ts';
import { isChainError } from '../chainError.ts';
import type { ExplainFault } from './fault.ts';
import type { LabelCode, PartLabel } from './label.ts';
import type { Meaning } from './meaning.ts';
import type { PartValue } from './value.ts';

/** One part of some bytes and the parts that it is made of. */
export interface ExplainNode {
	label: PartLabel;
	value?: PartValue;
	/** First byte, counted from zero in the whole input. */
	start: number;
	/** The byte behind the last one. */
	end: number;
	meaning?: Meaning;
	/** Why the bytes of this part cannot be read. */
	fault?: ExplainFault;
	children?: ExplainNode[];
}

/** What is said about a part once it has been read. */
export type Note = Pick<ExplainNode, 'value' | 'meaning' | 'fault' | 'children'>;

/** Transactions inside transactions (an import holds its burn) are opened this deep. */
const MAX_DEPTH = 4;
/**
 * What one explanation may cost, in parts: what takes longer than to note a part costs more of them. Whatever is left
 * then is read and counted, and nothing is said about it.
 */
const MOST = 2_500;
/** Costs beyond that of their parts: a point of the curve, a payload that is tried as all that it may be, an address. */
export const COST = { key: 8, payload: 8, output: 8 } as const;

/** Reads a transaction that lies inside a payload, which lies inside a transaction. @throws {ChainError} `parse` */
type OpensTransaction = (into: Annotator) => Note;

/** Keeps hostile input, deeply nested or endless, from costing more than it should. */
export class Effort {
	/** How many transactions this one is inside of. */
	readonly depth: number;
	readonly opensTransaction: OpensTransaction;
	readonly #left: { parts: number };

	constructor(opensTransaction: OpensTransaction, depth = 0, left = { parts: MOST }) {
		this.opensTransaction = opensTransaction;
		this.depth = depth;
		this.#left = left;
	}

	/** How many parts there may be more. */
	get left(): number {
		return Math.max(0, this.#left.parts);
	}

	/** Counts parts. False when there is nothing to be said any more. */
	spend(parts = 1): boolean {
		this.#left.parts -= parts;
		return this.#left.parts >= 0;
	}

	/** For a transaction inside this one, or null when that is too deep. */
	deeper(): Effort | null {
		return this.depth < MAX_DEPTH
			? new Effort(this.opensTransaction, this.depth + 1, this.#left)
			: null;
	}
}

/** A label, or the code of one that needs nothing else. */
type Labeled = LabelCode | PartLabel;

const labelOf = (label: Labeled): PartLabel =>
	typeof label === 'string' ? { code: label } : label;

/** Reads bytes and notes every part with its place. */
export class Annotator {
	readonly reader: ByteReader;
	readonly effort: Effort;
	readonly #base: number;
	#nodes: ExplainNode[] = [];

	/** @param base where these bytes start in the whole input */
	constructor(bytes: Uint8Array, base: number, effort: Effort) {
		this.reader = new ByteReader(bytes);
		this.#base = base;
		this.effort = effort;
	}

	/** Place in the whole input. */
	get position(): number {
		return this.#base + this.reader.offset;
	}

	/** The parts noted so far. */
	get nodes(): ExplainNode[] {
		return this.#nodes;
	}

	/** One part that is read in one go. @throws {ChainError} `parse` */
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

	/** Counts a part of which nothing is said. */
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

	/** A part made of parts. @throws {ChainError} `parse` */
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

	/** A CompactSize and, as a part of its own, the bytes behind it. @throws {ChainError} `parse` */
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
 * Parts of bytes that lie inside others. Bytes that do not read as expected are no failure of the whole:
 * the note says where it stops.
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
