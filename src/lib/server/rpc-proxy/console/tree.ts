/** An answer as a tree of lines, every number in the digits it came with. */
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { visibleText } from '#lib/text/visibleText.ts';

export interface TreeNode {
	/** Name of the member or number of the element; empty for the whole. */
	name: string;
	kind: 'object' | 'list' | 'text' | 'number' | 'bool' | 'nothing';
	/** What a leaf holds; of an object or list how many members it has. */
	text: string;
	children?: TreeNode[];
	/** Members that are not shown. */
	more?: number;
}

/** Members of one object or list, and lines of the whole tree, that a page shows. */
const MOST_CHILDREN = 200;
const MOST_NODES = 3_000;
/** Characters of one text. */
const MOST_TEXT = 10_000;

/** Builds the tree; what is too much is counted and left to the raw text. */
export function treeOf(value: JsonValue): TreeNode {
	let left = MOST_NODES;
	function node(name: string, inner: JsonValue): TreeNode {
		left -= 1;
		if (inner === null) return { name, kind: 'nothing', text: 'null' };
		if (inner instanceof JsonNumber) return { name, kind: 'number', text: inner.source };
		if (typeof inner === 'boolean') return { name, kind: 'bool', text: String(inner) };
		if (typeof inner === 'string') {
			const cut = inner.length > MOST_TEXT ? `${inner.slice(0, MOST_TEXT)}…` : inner;
			return { name, kind: 'text', text: visibleText(cut, { lines: true }) };
		}
		const isObject = isJsonObject(inner);
		const members: [string, JsonValue][] = isObject
			? Object.entries(inner)
			: (inner as readonly JsonValue[]).map((each, index) => [String(index), each]);
		const children: TreeNode[] = [];
		for (const [key, each] of members.slice(0, MOST_CHILDREN)) {
			if (left <= 0) break;
			children.push(node(visibleText(key), each));
		}
		const more = members.length - children.length;
		return {
			name,
			kind: isObject ? 'object' : 'list',
			text: String(members.length),
			children,
			...(more > 0 ? { more } : {})
		};
	}
	return node('', value);
}
