/** Finds unused texts: follows each member of the message objects by name through every source file. */
import ts from 'typescript';

/** Source texts by path from the root of the project. */
type Sources = ReadonlyMap<string, string>;

const MESSAGES = /^src\/lib\/messages\/.*\.ts$/;

/** The members of an object, as paths from its name: `members.invite.title`. */
function membersOf(node: ts.Expression, path: string): string[] {
	let object = node;
	while (ts.isAsExpression(object) || ts.isSatisfiesExpression(object)) object = object.expression;
	if (!ts.isObjectLiteralExpression(object)) return [path];
	return object.properties.flatMap((member) => {
		// Spread members and computed names are not read by a fixed name.
		if (!member.name || ts.isComputedPropertyName(member.name)) return [];
		const inner = `${path}.${member.name.text}`;
		return ts.isPropertyAssignment(member) ? membersOf(member.initializer, inner) : [inner];
	});
}

/**
 * Exported objects of texts, with the paths of all their members. Typed tables are left out: they are read by
 * code.
 */
function declared(sources: Sources): Map<string, { file: string; members: string[] }> {
	const found = new Map<string, { file: string; members: string[] }>();
	for (const [file, text] of sources) {
		if (!MESSAGES.test(file)) continue;
		const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		for (const statement of tree.statements) {
			if (!ts.isVariableStatement(statement) || !statement.modifiers) continue;
			for (const { name, initializer, type } of statement.declarationList.declarations) {
				if (!ts.isIdentifier(name) || !initializer || type) continue;
				const members = membersOf(initializer, name.text);
				if (members.length > 1) found.set(name.text, { file, members });
			}
		}
	}
	return found;
}

const IMPORTS = /^\s*import [^;:]*;/gm;
const CHAIN = String.raw`((?:\??\.\w+)*)`;

/** Paths of an object that a source reads; a path that ends above a text reads all texts below it. */
function readIn(text: string, name: string, path: string, seen: Set<string>): string[] {
	const key = `${name} ${path}`;
	if (seen.has(key)) return [];
	seen.add(key);
	const paths: string[] = [];
	const follow = (local: string, at: string) => paths.push(...readIn(text, local, at, seen));
	const full = (chain: string): string => path + chain.replaceAll('?', '');
	const within = text
		.replace(
			new RegExp(String.raw`\bconst\s*\{([^{}]*)\}\s*=\s*${name}\b${CHAIN}\s*;`, 'g'),
			(_, parts: string, chain: string) => {
				for (const part of parts.split(',')) {
					const [member, local = member] = part.split(/[:=]/).map((one) => one.trim());
					if (member) follow(local!, `${full(chain)}.${member}`);
				}
				return '';
			}
		)
		.replace(
			new RegExp(String.raw`\bconst\s+(\w+)\s*=\s*${name}\b${CHAIN}\s*;`, 'g'),
			(_, local: string, chain: string) => {
				follow(local, full(chain));
				return '';
			}
		);
	for (const [, chain = ''] of within.matchAll(
		new RegExp(String.raw`(?<![\w$'-]|(?<!\.\.)\.)${name}\b(?!['-]|\s*:)${CHAIN}`, 'g')
	)) {
		paths.push(full(chain));
	}
	return paths;
}

/** The text without its imports, and without the start of the declaration of `name`. */
const body = (text: string, name: string): string =>
	text.replace(IMPORTS, '').replace(new RegExp(String.raw`\bexport const ${name}\b`), '');

/** Texts that no source reads, as `file: object.member`. */
export function unusedMessages(sources: Sources): string[] {
	const unused: string[] = [];
	for (const [name, { file: home, members }] of declared(sources)) {
		const read: string[] = [];
		for (const [file, text] of sources) {
			if (!text.includes(name)) continue;
			const imported = new RegExp(String.raw`[{,]\s*${name}\b(?:\s+as\s+(\w+))?`).exec(
				[...text.matchAll(IMPORTS)].join('\n')
			);
			if (imported === null && file !== home) continue;
			read.push(...readIn(body(text, name), imported?.[1] ?? name, name, new Set()));
		}
		const isRead = (member: string): boolean =>
			read.some(
				(path) => member === path || member.startsWith(`${path}.`) || path.startsWith(`${member}.`)
			);
		unused.push(...members.filter((member) => !isRead(member)).map((one) => `${home}: ${one}`));
	}
	return unused;
}
