/** A JSON response as a tree of lines, with the original digits of every number. */
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { visibleText } from '#lib/text/visibleText.ts';

export interface TreeNode {
	/** Name of the member or index of the element; empty for the root. */
	name: string;
	kind: 'object' | 'list' | 'text' | 'number' | 'bool' | 'nothing';
	/** Value of a leaf; for an object or list its number of members. */
	text: string;
	children?: TreeNode[];
	/** Number of members that are not shown. */
	more?: number;
}

/** Limits for the members of one object or list, and for the lines of the whole tree. */
const MOST_CHILDREN = 200;
const MOST_NODES = 3_000;
/** Limit of characters of one text. */
const MOST_TEXT = 10_000;

/** Builds the tree; members beyond the limits are counted and only appear in the raw text. */
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
