/** Parses the fields that a sentence of an interface document lists. */

export interface Field {
	/** Members joined by dots; array indexes are left out, `*` stands for any member. */
	path: string;
	optional: boolean;
	/** Its description, without its own members. */
	about: string;
	/** Another name that it may have instead. */
	or?: string;
}

const OPTIONAL = /\boptional\b|\bpresent in some\b/;

/** The text inside the bracket that opens at `from`, and the index after it. */
function inside(text: string, from: number): [string, number] {
	const open = text.charAt(from);
	const close = open === '{' ? '}' : ')';
	let depth = 0;
	for (let at = from; at < text.length; at += 1) {
		if (text.charAt(at) === open) depth += 1;
		else if (text.charAt(at) === close) {
			depth -= 1;
			if (depth === 0) return [text.slice(from + 1, at), at + 1];
		}
	}
	return [text.slice(from + 1), text.length];
}

/** Splits at commas outside of brackets. */
export function splitList(text: string): string[] {
	const items: string[] = [];
	let depth = 0;
	let item = '';
	for (const char of text) {
		if ('({['.includes(char)) depth += 1;
		else if (')}]'.includes(char)) depth -= 1;
		if (char === ',' && depth === 0) {
			items.push(item);
			item = '';
		} else item += char;
	}
	return [...items, item].map((one) => one.trim()).filter((one) => one !== '');
}

/** `a: string, b: {c: number}, d: string (optional)` between the braces of an object. */
export function membersOf(text: string, prefix: string): Field[] {
	return splitList(text).flatMap((item) => {
		const [, name = '', or, rest = ''] =
			/^(\w+)(?: or (\w+)(?= \())?\s*:?\s*([\s\S]*)$/.exec(item) ?? [];
		if (name === '') return [];
		const path = `${prefix}${name}`;
		const brace = rest.indexOf('{');
		const nested = brace < 0 ? [] : membersOf(inside(rest, brace)[0], `${path}.`);
		const own = brace < 0 ? rest : rest.slice(0, brace);
		const field = { path, optional: OPTIONAL.test(own), about: own.trim() };
		return [or === undefined ? field : { ...field, or }, ...nested];
	});
}

/**
 * The fields of a sentence such as `{hex: string}`, `object {result: string, hex: string}`, `array of {txid:
 * string}`, or `coin (string), imports (array of {txid: string}), vin (array of objects: txid)`.
 */
export function readFields(text: string): Field[] {
	const brace = /^(?:object |array of )?\{/.exec(text);
	if (brace) return membersOf(inside(text, brace[0].length - 1)[0], '');
	const found: Field[] = [];
	const named = /(\w+) \(/g;
	for (let match = named.exec(text); match !== null; match = named.exec(text)) {
		const [body, end] = inside(text, match.index + match[0].length - 1);
		named.lastIndex = end;
		const [, path = ''] = match;
		const [own = '', listed] = body.split(/ of objects: /);
		const object = own.indexOf('{');
		const about = object < 0 ? own : own.slice(0, object);
		found.push({ path, optional: OPTIONAL.test(about), about });
		if (listed !== undefined) found.push(...membersOf(listed, `${path}.`));
		else if (object >= 0) found.push(...membersOf(inside(own, object)[0], `${path}.`));
	}
	return found;
}

/** The parameters of a sentence such as `height (number, required, first block), depth (number, optional)`. */
export function readParams(text: string): Field[] {
	return splitList(text).flatMap((item) => {
		const [, name = '', about = ''] = /^(.*?) \((.*)\)$/.exec(item) ?? [];
		return name === '' ? [] : [{ path: name, optional: OPTIONAL.test(about), about }];
	});
}
