/**
 * Svelte drops white space at both ends of a block: a space or line break there does not separate the block
 * from the words around it, and neither does `&#32;`. White space outside of the block does.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

type Node = AST.Fragment['nodes'][number];

const INLINE =
	/^(?:a|bdi|code|span|strong|time|Amount|ChainMark|HexId|LabelTag|Term|Time|TokenAmount)$/;
/** Classes that set an element apart without white space. */
const APART = /\b(?:block|grid|sr-only|m[lrx]?-)/;

const starts = (node: Node | undefined, white: RegExp): boolean =>
	node?.type === 'Text' && white.test(node.data);

/** The fragments of a block, of which one is shown. */
function branchesOf(node: Node | undefined): AST.Fragment[] {
	if (node?.type === 'EachBlock') return [node.body];
	if (node?.type !== 'IfBlock') return [];
	const [first] = node.alternate?.nodes ?? [];
	const isElseIf = first?.type === 'IfBlock' && first.elseif;
	return [
		node.consequent,
		...(isElseIf ? branchesOf(first) : node.alternate ? [node.alternate] : [])
	];
}

/** The positions in a component where a block joins words that its source separates. */
function joinsOf(source: string): number[] {
	const found: number[] = [];
	const isWord = (node: Node | undefined): boolean => {
		if (node?.type === 'ExpressionTag') return true;
		if (node?.type !== 'RegularElement' && node?.type !== 'Component') return false;
		const attributes = node.attributes.map(({ start, end }) => source.slice(start, end));
		return INLINE.test(node.name) && !APART.test(attributes.join(' '));
	};
	const isBeside = (node: Node | undefined, text: RegExp): boolean =>
		isWord(node) || starts(node, text) || branchesOf(node).length > 0;
	function visit({ nodes }: AST.Fragment): void {
		for (const [at, node] of nodes.entries()) {
			for (const branch of branchesOf(node)) {
				const shown = branch.nodes.filter((one) => !starts(one, /^[ \t\r\n]*$/));
				const opens = starts(branch.nodes[0], /^[ \t\r\n]/) && isBeside(shown[0], /\S/);
				const ends = starts(branch.nodes.at(-1), /[ \t\r\n]$/) && isBeside(shown.at(-1), /\S/);
				if (opens && isBeside(nodes[at - 1], /\S$/)) found.push(node.start);
				if (ends && isBeside(nodes[at + 1], /^\S/)) found.push(node.end);
				visit(branch);
			}
			if ('fragment' in node) visit(node.fragment);
			if (node.type === 'SnippetBlock') visit(node.body);
		}
	}
	visit(parse(source, { modern: true }).fragment);
	return found;
}

test('a block that begins or ends with white space beside words is found', () => {
	expect(joinsOf('<p>{#if a}{b},\n{/if}{#if c}{d}{/if}</p>')).toEqual([20]);
	expect(joinsOf('<p><b /><Time />{#if a}\n<span>{b}</span>{/if}</p>')).toEqual([16]);
	expect(joinsOf('<p><Time />{#if a}&#32;<span>{b}</span>{/if}</p>')).toEqual([11]);
	expect(joinsOf('<p>{a}{#if b},&nbsp;{/if}{c}</p>')).toEqual([]);
	expect(joinsOf('<p><Time /> {#if a}\n<span>{b}</span>{/if}</p>')).toEqual([]);
	expect(joinsOf('<p><Time />{#if a}\n<span class="block">{b}</span>{/if}</p>')).toEqual([]);
});

test('no page joins words that its source separates', () => {
	for (const file of globSync('src/**/*.svelte', { cwd: ROOT })) {
		const source = readFileSync(resolve(ROOT, file), 'utf8');
		const places = joinsOf(source).map((at) => `${file}:${source.slice(0, at).split('\n').length}`);
		expect(places).toEqual([]);
	}
});
