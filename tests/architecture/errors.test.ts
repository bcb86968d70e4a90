/**
 * Errors have codes: each layer has one error class for the codes of its catalogue, and their texts are in
 * `lib/messages`. These tests find errors of other classes, and sentences that are thrown or stored.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Files with a class of errors, and why each has its own. */
const CLASSES: Readonly<Record<string, string>> = {
	'src/lib/server/platform/errors/appError.ts': 'the class of the server',
	'src/lib/chain/chainError.ts': 'the class of bytes, which know no server',
	'src/lib/rpc/rpcError.ts': 'the class of the method registry, which knows no server',
	'src/lib/rpc/tolerant.ts': 'leaves a parser and is caught in the same function'
};

/** Files that may throw a sentence, because it is never shown: a bug in the code, or the reason of an abort. */
const FAULTS: Readonly<Record<string, string>> = {
	'src/lib/server/api/live/stream.ts': 'ends a stream whose reader is gone',
	'src/lib/server/chains/upstream/requestHandler.ts': 'the reason of an abort',
	'src/lib/server/kdf/client/kdfEvents.ts': 'the reason of an abort',
	'src/lib/server/devnetControl.ts': 'devnet is a part of this program',
	'src/lib/server/platform/database/standby.ts': 'a fault of the code',
	'src/lib/server/platform/jobs/life.ts': 'collects what failed when the server ends',
	'src/lib/server/platform/secrets/encrypt.ts': 'the cause of a code',
	'src/lib/server/rpc-proxy/http/reply.ts': 'a fault of the code'
};

/** Names of functions that store their arguments: in tables, the audit log or message columns. */
const STORING = new Set(['values', 'set', 'append', 'storedMessage']);

/** Functions of `lib/messages` whose result is codes and facts, not words. */
const DATA = new Set(['storedMessage', 'recordedError', 'recordedRow', 'totalsOf']);

const SENTENCE = /^[A-Z“][^\n]* [^\n]*[.!?]$/s;

const filesOf = (...folders: string[]): string[] =>
	execFileSync('git', ['ls-files', ...folders], { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

const parse = (name: string, text: string): ts.SourceFile =>
	ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** Source files by name, each parsed once. */
const parsed = new Map<string, ts.SourceFile>();
function fileOf(name: string): ts.SourceFile {
	const file = parsed.get(name) ?? parse(name, readFileSync(resolve(ROOT, name), 'utf8'));
	parsed.set(name, file);
	return file;
}

function nodesOf(root: ts.Node): ts.Node[] {
	const found: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		found.push(node);
		ts.forEachChild(node, visit);
	};
	visit(root);
	return found;
}

/** Names of the classes that extend an error class. */
const errorClasses = (file: ts.SourceFile): string[] =>
	nodesOf(file).flatMap((node) => {
		if (!ts.isClassLike(node)) return [];
		const isError = node.heritageClauses?.some(
			({ token, types }) =>
				token === ts.SyntaxKind.ExtendsKeyword &&
				types.some(({ expression }) => expression.getText(file).endsWith('Error'))
		);
		return isError ? [node.name?.text ?? 'a class without a name'] : [];
	});

/** The text of a literal; each placeholder of a template is replaced by one letter. Null for other nodes. */
function textOf(node: ts.Node): string | null {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return null;
	return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

const sentencesIn = (nodes: readonly ts.Node[]): string[] =>
	nodes.flatMap(nodesOf).flatMap((node) => {
		const text = textOf(node);
		return text !== null && SENTENCE.test(text) ? [text] : [];
	});

/** Sentences in the arguments of `new …Error(…)`. */
const thrownSentences = (file: ts.SourceFile): string[] =>
	nodesOf(file).flatMap((node) =>
		ts.isNewExpression(node) && node.expression.getText(file).endsWith('Error')
			? sentencesIn(node.arguments ?? [])
			: []
	);

/** Arguments of functions that store them. */
const storedIn = (file: ts.SourceFile): ts.Node[] =>
	nodesOf(file).flatMap((node) => {
		if (!ts.isCallExpression(node)) return [];
		const { expression } = node;
		const name = ts.isPropertyAccessExpression(expression)
			? expression.name.text
			: expression.getText(file);
		// A `set` of two arguments is that of a map.
		const stores = STORING.has(name) && (name !== 'set' || node.arguments.length === 1);
		return stores ? [...node.arguments] : [];
	});

/** Sentences in the arguments of functions that store them. */
const storedSentences = (file: ts.SourceFile): string[] => sentencesIn(storedIn(file));

/**
 * Calls of functions of `lib/messages`, which make words, in what is stored and in the constants of the file
 * that it names.
 */
function storedWords(file: ts.SourceFile): string[] {
	const all = nodesOf(file);
	const words = new Set(
		all.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) =>
			moduleSpecifier.getText(file).includes('#lib/messages/')
				? nodesOf(importClause ?? moduleSpecifier)
						.filter(ts.isImportSpecifier)
						.map(({ name }) => name.text)
				: []
		)
	);
	const stored = storedIn(file).flatMap(nodesOf);
	const named = new Set(stored.filter(ts.isIdentifier).map(({ text }) => text));
	const constants = all
		.filter(ts.isVariableDeclaration)
		.filter(({ name, initializer }) => {
			const isFunction = initializer !== undefined && ts.isArrowFunction(initializer);
			return ts.isIdentifier(name) && named.has(name.text) && !isFunction;
		})
		.flatMap(({ initializer }) => (initializer === undefined ? [] : nodesOf(initializer)));
	return [...new Set([...stored, ...constants])]
		.filter(ts.isCallExpression)
		.map(({ expression }) => expression.getText(file))
		.filter((name) => {
			// Constants of `lib/messages` that are lists of codes have names in capitals.
			const [, imported = ''] = /^([a-z]\w*)(\.\w+)?$/.exec(name) ?? [];
			return words.has(imported) && !DATA.has(imported);
		});
}

/** Lines for what `look` finds in files without an exception, and the exceptions that no file needs. */
function found(
	names: readonly string[],
	look: (file: ts.SourceFile) => string[],
	excused: Readonly<Record<string, string>>
): { found: string[]; unneeded: string[] } {
	const needed = new Set<string>();
	const lines = names.flatMap((name) => {
		const texts = look(fileOf(name));
		if (texts.length > 0 && Object.hasOwn(excused, name)) {
			needed.add(name);
			return [];
		}
		return texts.map((text) => `${name}: ${text}`);
	});
	return { found: lines, unneeded: Object.keys(excused).filter((name) => !needed.has(name)) };
}

const CLEAN = { found: [], unneeded: [] };

test('an error is of one of the three classes that carry codes', () => {
	// Devnet and its peers are separate programs, whose errors are bytes of a protocol.
	const names = filesOf('src').filter((name) => !name.startsWith('src/devnet/'));
	expect(found(names, errorClasses, CLASSES)).toEqual(CLEAN);
});

test('the server throws codes, not sentences', () => {
	expect(found(filesOf('src/lib/server'), thrownSentences, FAULTS)).toEqual(CLEAN);
});

test('the server stores codes, not sentences', () => {
	expect(found(filesOf('src/lib/server'), storedSentences, {})).toEqual(CLEAN);
	expect(found(filesOf('src/lib/server'), storedWords, {})).toEqual(CLEAN);
});

test('what these rules forbid is found in every form', () => {
	const file = parse(
		'forbidden.ts',
		[
			'class Gone extends Error {}',
			'const Lost = class extends TypeError {};',
			"throw new Error('It is gone.');",
			'throw new RangeError(`The row ${id} is gone.`);',
			"db.insertInto('t').values({ reason: 'It is gone.' });",
			'audit.append({ detail: { reason: `The row ${id} is gone.` } });',
			"throw new AppError('row.gone', { id });",
			"import { goneWords, storedMessage } from '#lib/messages/gone.ts';",
			'audit.append({ detail: { reason: goneWords(id), of: storedMessage(gone) } });',
			'const detail = { reason: goneWords.text(id) };',
			"audit.append({ action: 'row.gone', detail });",
			'const shown = goneWords(id);'
		].join('\n')
	);
	expect(errorClasses(file)).toEqual(['Gone', 'a class without a name']);
	expect(thrownSentences(file)).toEqual(['It is gone.', 'The row X is gone.']);
	expect(storedSentences(file)).toEqual(['It is gone.', 'The row X is gone.']);
	expect(storedWords(file)).toEqual(['goneWords', 'goneWords.text']);
});
