/** Extracts texts from components and from modules of messages, through their syntax trees. */
import { parse } from 'svelte/compiler';
import ts from 'typescript';

export interface Text {
	text: string;
	line: number;
	/** Position of the text: between tags, in an attribute, or as a literal of a script or an expression. */
	place: 'markup' | 'attribute' | 'literal';
}

/** Members of the syntax tree that contain no text. */
const UNREAD = new Set(['css', 'metadata', 'parent']);
/** Attributes whose values are for programs, not for people. */
const FOR_PROGRAMS =
	/^(?:class|href|name|type|id|action|method|value|for|role|rel|kind|src|d|viewBox|points|transform|autocomplete|autocapitalize|inputmode|enctype|data-.+|style|fill|stroke.*|scope|variant|size|icon|pattern|http-equiv|lang|dir|target|media|accept|preserveAspectRatio|aria-(?:live|hidden|expanded|current|haspopup|controls|labelledby|describedby|autocomplete|pressed|orientation|atomic|invalid|sort))$/;
/** Elements whose text is not natural language. */
const NO_LANGUAGE = new Set(['code', 'kbd', 'style', 'script']);

type Node = Record<string, unknown>;

/** Texts of a component: of its markup, its attributes, and the literals of its script. */
export function textsOfComponent(source: string): Text[] {
	const found: Text[] = [];
	const add = (place: Text['place'], text: unknown, at: unknown): void => {
		const line = source.slice(0, typeof at === 'number' ? at : 0).split('\n').length;
		found.push({ place, line, text: String(text) });
	};
	const visit = (node: unknown, place: 'markup' | 'attribute'): void => {
		if (Array.isArray(node)) return node.forEach((one) => visit(one, place));
		if (typeof node !== 'object' || node === null) return;
		const { type, name, data, value, start, quasis } = node as Node;
		if (type === 'ImportDeclaration' || type === 'StyleDirective') return;
		if (type === 'RegularElement' && NO_LANGUAGE.has(String(name))) return;
		const isAttribute = type === 'Attribute';
		if (isAttribute && FOR_PROGRAMS.test(String(name))) return;
		if (type === 'Text') add(place, data, start);
		if (type === 'Literal' && typeof value === 'string') add('literal', value, start);
		if (type === 'TemplateLiteral' && Array.isArray(quasis)) {
			const parts = quasis.map((quasi) => ((quasi as Node)['value'] as Node)['raw']);
			add('literal', parts.join('…'), start);
		}
		for (const [member, inner] of Object.entries(node)) {
			if (!UNREAD.has(member)) visit(inner, isAttribute ? 'attribute' : place);
		}
	};
	const { fragment, instance, module } = parse(source, { modern: true });
	visit(fragment, 'markup');
	visit(instance?.content, 'markup');
	visit(module?.content, 'markup');
	return found;
}

/** The literals of a module of messages. A literal of a single word is a code and is left out. */
export function textsOfMessages(source: string): Text[] {
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
			found.push({ text: node.text, line: line + 1, place: 'literal' });
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

const isSentence = (text: string): boolean =>
	/[A-Za-z] /.test(text.trim()) && (/^[“"]?[A-Z][a-z]*[ ,’']/.test(text) || /[.?!]$/.test(text));

/** Whether a text of a component is for people: words in the markup, or a sentence elsewhere. */
export function isForPeople({ text, place }: Text): boolean {
	const plain = text.trim();
	if (place === 'markup') return /[A-Za-z]{2,}/.test(plain);
	if (place === 'attribute') return / /.test(plain) || /^[A-Z][a-z]/.test(plain);
	return isSentence(plain);
}

/** Calls whose texts are for operators and developers, not for users. */
const FOR_OPERATORS =
	/^(?:log|logger|console|process\.std(?:out|err))\b.*\.(?:trace|debug|info|warn|error|fatal|write)$/;

/** Whether a node is an argument of a log call, or of an error that only a programming mistake throws. */
function isForOperators(node: ts.Node): boolean {
	for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
		const { parent } = at;
		if (ts.isNewExpression(parent) && /^(?:\w*Error)$/.test(parent.expression.getText()))
			return true;
		if (ts.isCallExpression(parent) && parent.expression !== at) {
			if (FOR_OPERATORS.test(parent.expression.getText())) return true;
		}
		if (ts.isStatement(at)) return false;
	}
	return false;
}

/**
 * Literals that are sentences: at least three words, the first with a capital letter. Used for modules that
 * must not have any.
 */
export function sentencesOfModule(source: string): Text[] {
	const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest, true);
	const found: Text[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
		const text = ts.isStringLiteralLike(node)
			? node.text
			: ts.isTemplateExpression(node)
				? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
				: '';
		if (/^[A-Z](?:\S*\s+){2}\S/.test(text.trim()) && !isForOperators(node)) {
			const { line } = file.getLineAndCharacterOfPosition(node.getStart());
			found.push({ text, line: line + 1, place: 'literal' });
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}
