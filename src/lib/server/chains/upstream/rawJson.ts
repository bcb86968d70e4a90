import { AppError } from '../../platform/errors/appError.ts';

/** The text is not valid JSON. */
const malformed = (): AppError => new AppError('answer.malformed');

const SPACE = new Set([' ', '\t', '\n', '\r']);

function skipSpace(text: string, from: number): number {
	let at = from;
	while (SPACE.has(text.charAt(at))) at += 1;
	return at;
}

/** Returns the index after the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
	let at = from + 1;
	for (;;) {
		at = text.indexOf('"', at);
		if (at < 0) throw malformed();
		let slashes = 0;
		while (text.charAt(at - 1 - slashes) === '\\') slashes += 1;
		at += 1;
		if (slashes % 2 === 0) return at;
	}
}

/** Returns the index after the value that begins at `from`. The content of objects and arrays is not checked. */
function valueEnd(text: string, from: number): number {
	const first = text.charAt(from);
	if (first === '"') return stringEnd(text, from);
	if (first !== '{' && first !== '[') {
		const scalar = /[-+.\w]+/y;
		scalar.lastIndex = from;
		const match = scalar.exec(text);
		if (match === null) throw malformed();
		return scalar.lastIndex;
	}
	const mark = /["{}[\]]/g;
	mark.lastIndex = from;
	let depth = 0;
	for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
		if (match[0] === '"') mark.lastIndex = stringEnd(text, match.index);
		else {
			depth += match[0] === '{' || match[0] === '[' ? 1 : -1;
			if (depth === 0) return mark.lastIndex;
		}
	}
	throw malformed();
}

function items(text: string, open: string, close: string, keyed: boolean): [string, string][] {
	const found: [string, string][] = [];
	let at = skipSpace(text, 0);
	if (text.charAt(at) !== open) throw malformed();
	at = skipSpace(text, at + 1);
	if (text.charAt(at) !== close) {
		for (;;) {
			let key = '';
			if (keyed) {
				const end = text.charAt(at) === '"' ? stringEnd(text, at) : -1;
				if (end < 0) throw malformed();
				key = JSON.parse(text.slice(at, end)) as string;
				at = skipSpace(text, end);
				if (text.charAt(at) !== ':') throw malformed();
				at = skipSpace(text, at + 1);
			}
			const end = valueEnd(text, at);
			found.push([key, text.slice(at, end)]);
			at = skipSpace(text, end);
			if (text.charAt(at) === close) break;
			if (text.charAt(at) !== ',') throw malformed();
			at = skipSpace(text, at + 1);
		}
	}
	if (skipSpace(text, at + 1) !== text.length) throw malformed();
	return found;
}

/** Returns the members of an object in order: name and the value's JSON text. @throws {AppError} `answer.malformed` */
export function rawMembers(text: string): [string, string][] {
	return items(text, '{', '}', true);
}

/** Returns the JSON text of each element of an array. @throws {AppError} `answer.malformed` */
export function rawElements(text: string): string[] {
	return items(text, '[', ']', false).map(([, value]) => value);
}
