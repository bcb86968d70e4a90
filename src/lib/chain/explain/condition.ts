/** Explains the DER of crypto-conditions and fulfillments part by part. */
import { bytesToHex } from '../bytes.ts';
import type { LabelCode } from './label.ts';
import type { Effort, ExplainNode } from './node.ts';

const NODE_LABELS: ReadonlyMap<number, LabelCode> = new Map<number, LabelCode>([
	[0xa0, 'preimage'],
	[0xa2, 'threshold'],
	[0xa4, 'ed25519'],
	[0xa5, 'secp256k1'],
	[0xaf, 'module']
]);

/** No condition of these chains is nested deeper. */
const MAX_NESTING = 12;

interface Element {
	tag: number;
	/** Offsets in the bytes. */
	start: number;
	body: number;
	end: number;
}

/** Returns the DER elements between two offsets; null when they do not fill the range exactly. */
function elements(bytes: Uint8Array, from: number, to: number): Element[] | null {
	const found: Element[] = [];
	let at = from;
	while (at < to) {
		const tag = bytes[at]!;
		let length = bytes[at + 1] ?? Infinity;
		let body = at + 2;
		if (length >= 0x80 && Number.isFinite(length)) {
			const width = length & 0x7f;
			if (width < 1 || width > 3) return null;
			length = 0;
			for (let i = 0; i < width; i++) length = length * 256 + (bytes[body + i] ?? 0);
			body += width;
		}
		if (body + length > to) return null;
		found.push({ tag, start: at, body, end: body + length });
		at = body + length;
	}
	return found;
}

/** Explains a condition (from an output script) or a fulfillment (from an input script). */
export function derNodes(bytes: Uint8Array, base: number, effort: Effort): ExplainNode[] {
	return listed(elements(bytes, 0, bytes.length) ?? [], base, effort, (element) =>
		node(bytes, base, element, effort, 0)
	);
}

/** Explains as many elements as the effort allows and adds one entry with the number of those left out. */
function listed(
	parts: readonly Element[],
	base: number,
	effort: Effort,
	note: (part: Element) => ExplainNode
): ExplainNode[] {
	const nodes: ExplainNode[] = [];
	for (const part of parts) {
		if (!effort.spend()) break;
		nodes.push(note(part));
	}
	const first = parts[nodes.length];
	const last = parts.at(-1);
	if (first && last) {
		nodes.push({
			label: { code: 'more-parts', parts: parts.length - nodes.length },
			start: base + first.start,
			end: base + last.end
		});
	}
	return nodes;
}

function node(
	bytes: Uint8Array,
	base: number,
	element: Element,
	effort: Effort,
	depth: number
): ExplainNode {
	const place = { start: base + element.start, end: base + element.end };
	const parts = depth < MAX_NESTING ? elements(bytes, element.body, element.end) : null;
	const label = { code: NODE_LABELS.get(element.tag) ?? 'condition-part' } as const;
	const body = (part: Element): Uint8Array => bytes.slice(part.body, part.end);
	if (!parts) return { label, ...place, value: bytesToHex(body(element)) };
	// A condition has a fingerprint of 32 bytes and a cost; a fulfillment has the data that fulfills it.
	const [first, second] = parts;
	const isCondition =
		first?.tag === 0x80 &&
		first.end - first.body === 32 &&
		second?.tag === 0x81 &&
		second.end - second.body < 8;
	const children = listed(parts, base, effort, (part) => {
		const where = { start: base + part.start, end: base + part.end };
		const value = bytesToHex(body(part));
		if (part.tag === 0xa0 || part.tag === 0xa1) {
			const inside = elements(bytes, part.body, part.end) ?? [];
			return {
				label: { code: part.tag === 0xa0 ? 'opened' : 'closed' },
				...where,
				children: listed(inside, base, effort, (child) =>
					node(bytes, base, child, effort, depth + 1)
				)
			};
		}
		return { label: { code: partLabel(element.tag, part.tag, isCondition) }, value, ...where };
	});
	const code = first && body(first)[0];
	const named = element.tag === 0xaf && !isCondition && code !== undefined;
	return {
		label,
		...(named ? { value: { code: 'module', eval: code } as const } : {}),
		...place,
		children
	};
}

function partLabel(tag: number, part: number, isCondition: boolean): LabelCode {
	if (isCondition) {
		return part === 0x80 ? 'fingerprint' : part === 0x81 ? 'cost' : 'subtypes';
	}
	if (tag === 0xaf) return 'module-code';
	if (tag === 0xa0) return 'preimage';
	return part === 0x80 ? 'public-key' : 'signature';
}
