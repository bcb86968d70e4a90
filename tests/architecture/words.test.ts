/** What people read is written in the words of the glossary: those that it replaced are on no page and in no message. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'svelte/compiler';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Words that a text must not have, with those that stand for them now. */
const REPLACED: readonly (readonly [word: RegExp, now: string])[] = [
	[/\b(?:carry|carries|carried|carrying)\b/i, 'migrate'],
	[/\bbackup (?:room|route)\b/i, 'notary approvals'],
	[/\bburns and imports\b/i, 'transfers'],
	[/\bledger\b/i, 'reconciliation'],
	[/\bcapsule\b/i, 'recovery file'],
	[/\b(?:take|takes|taken|took) up\b/i, 'recover'],
	[/\b(?:give|gives|given|gave) up\b/i, 'discard'],
	[/\bin a block\b/i, 'confirmed'],
	[/\bchosen outputs\b/i, 'selected UTXOs'],
	[/\bseries\b/i, 'batch'],
	[/\bwholes\b/i, 'base units'],
	[/\b(?:threw|lifted|lift it)\b/i, 'turn on, turn off'],
	[/\b(?:somebody|nobody|everybody)\b/i, 'the role, someone, no one, everyone'],
	[/\bfor ever\b/i, 'permanently'],
	[/\bcheck sum\b/i, 'checksum'],
	[/\bburnt\b/i, 'burned'],
	[/\bspelt\b/i, 'spelled'],
	[/\b(?:colours?|recognise|reorganis\w+|cancelled)\b/i, 'the American spelling']
];

interface Text {
	text: string;
	line: number;
}

/** Members of a tree that a text is never in. */
const UNREAD = new Set(['css', 'metadata', 'parent']);
/** Attributes that programs read, not people. */
const FOR_PROGRAMS = /^(?:class|href|name|type|id|action|method|value|for|role|rel|kind|src)$/;

/** Texts of a component: of its markup, its attributes, and the literals of its script. */
function textsOfComponent(source: string): Text[] {
	const found: Text[] = [];
	const lineOf = (at: number): number => source.slice(0, at).split('\n').length;
	const visit = (node: unknown): void => {
		if (Array.isArray(node)) return node.forEach(visit);
		if (typeof node !== 'object' || node === null) return;
		const { type, name, data, value, start } = node as Record<string, unknown>;
		if (type === 'ImportDeclaration') return;
		if (type === 'Attribute' && typeof name === 'string' && FOR_PROGRAMS.test(name)) return;
		const at = typeof start === 'number' ? start : 0;
		if (type === 'Text' && typeof data === 'string') found.push({ text: data, line: lineOf(at) });
		if (type === 'Literal' && typeof value === 'string' && value.includes(' ')) {
			found.push({ text: value, line: lineOf(at) });
		}
		if (type === 'TemplateElement') {
			found.push({ text: String((value as { raw?: unknown }).raw), line: lineOf(at) });
		}
		for (const [member, inner] of Object.entries(node)) if (!UNREAD.has(member)) visit(inner);
	};
	const { fragment, instance, module } = parse(source, { modern: true });
	visit(fragment);
	visit(instance?.content);
	visit(module?.content);
	return found;
}

/** The literals of a module of messages; a single word is a code. */
function textsOfMessages(source: string): Text[] {
	const file = ts.createSourceFile('messages.ts', source, ts.ScriptTarget.Latest, true);
	const found: Text[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		const isText =
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddle(node) ||
			ts.isTemplateTail(node);
		if (isText && node.text.trim().includes(' ')) {
			const { line } = file.getLineAndCharacterOfPosition(node.getStart());
			found.push({ text: node.text, line: line + 1 });
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

const sources = (...patterns: string[]): string[] =>
	execFileSync('git', ['ls-files', '--', ...patterns], { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((file) => file !== '' && !file.endsWith('.test.ts'));

function replacedWords(file: string, texts: readonly Text[]): string[] {
	return texts.flatMap(({ text, line }) =>
		REPLACED.filter(([word]) => word.test(text)).map(
			([word, now]) => `${file}:${line} says “${word.exec(text)?.[0]}”, not “${now}”`
		)
	);
}

test('no page has a word that the glossary replaced', () => {
	const files = sources('src/routes/**/*.svelte', 'src/routes/*.svelte', 'src/lib/ui/*.svelte');
	expect(files.length).toBeGreaterThan(100);
	const found = files.flatMap((file) =>
		replacedWords(file, textsOfComponent(readFileSync(resolve(ROOT, file), 'utf8')))
	);
	expect(found).toEqual([]);
});

test('no message has a word that the glossary replaced', () => {
	// What people type into the palette may be any word.
	const files = sources(
		'src/lib/messages/*.ts',
		'src/lib/messages/**/*.ts',
		'src/lib/ui/*Words.ts'
	).filter((file) => !file.endsWith('/commands.ts'));
	expect(files.length).toBeGreaterThan(30);
	const found = files.flatMap((file) =>
		replacedWords(file, textsOfMessages(readFileSync(resolve(ROOT, file), 'utf8')))
	);
	expect(found).toEqual([]);
});

test('a replaced word is found in markup, attribute, script and message', () => {
	const component = `<script>const one = 'It was carried over.';</script>
<p>Somebody else</p><Card title="The ledger of it" note={\`given up \${one}\`} />`;
	expect(replacedWords('one.svelte', textsOfComponent(component))).toEqual([
		'one.svelte:2 says “Somebody”, not “the role, someone, no one, everyone”',
		'one.svelte:2 says “ledger”, not “reconciliation”',
		'one.svelte:2 says “given up”, not “discard”',
		'one.svelte:1 says “carried”, not “migrate”'
	]);
	const messages = "export const words = { one: 'nobody is here', code: 'carry' };";
	expect(replacedWords('two.ts', textsOfMessages(messages))).toHaveLength(1);
});
