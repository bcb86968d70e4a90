/** Text without the secrets that it repeats. */

const MASK = '•••';

/** A shorter secret, such as a PIN, stands in ordinary text, too: of it only whole words count. */
const LONG = 6;

/** A longer answer is nobody's to read, and taking it apart would keep others waiting. Characters. */
const MOST_TAKEN_APART = 1024 * 1024;

/** What tells the parts of an answer apart: a secret of this name hides none of them. */
const FRAME: ReadonlySet<string> = new Set([
	'mmrpc',
	'id',
	'result',
	'error',
	'error_path',
	'error_trace',
	'error_type',
	'error_data'
]);

/** One secret in each spelling, and how it is found. */
interface Wanted {
	isLong: boolean;
	pattern: RegExp;
}

/** The text as a pattern: what means something else there is written as its code. */
const literally = (text: string): string =>
	text.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);

/** A whole word, and no part of a number such as 2.0. */
const asWord = (letters: string): string =>
	`(?<![\\p{L}\\p{N}]|\\p{N}[.,])${letters}(?![\\p{L}\\p{N}]|[.,]\\p{N})`;

function wanted(secret: string): Wanted {
	const isLong = secret.length >= LONG;
	const letters = literally(secret);
	return { isLong, pattern: new RegExp(isLong ? letters : asWord(letters), 'gu') };
}

const hide = (text: string, all: readonly Wanted[], mask = MASK): string =>
	all.reduce((left, { pattern }) => left.replace(pattern, mask), text);

/** Whether the quote at this place belongs to the string. */
function isEscaped(text: string, quote: number): boolean {
	let slashes = 0;
	while (text[quote - 1 - slashes] === '\\') slashes += 1;
	return slashes % 2 === 1;
}

/** The inside of a string in JSON. What is no JSON is read as it stands. */
function hideInString(inner: string, all: readonly Wanted[]): string {
	if (!inner.includes('\\')) return hide(inner, all);
	let said = inner;
	try {
		said = JSON.parse(`"${inner}"`) as string;
	} catch (cause) {
		if (!(cause instanceof SyntaxError)) throw cause;
	}
	const left = hide(said, all);
	return left === said ? inner : JSON.stringify(left).slice(1, -1);
}

/** What stands between the strings of JSON: numbers, signs and the letters of `true`, `false` and `null`. */
const NO_JSON = /[^\s\d.,:+\-[\]{}eEtrufalsn]/;

/** JSON text, or what begins like it. */
function hideInJson(json: string, all: readonly Wanted[]): string {
	const long = all.filter(({ isLong }) => isLong);
	// A number with more digits is not the secret.
	const numbers = long.map(({ pattern, isLong }) => ({
		isLong,
		pattern: new RegExp(asWord(pattern.source), 'gu')
	}));
	const between = (text: string): string =>
		NO_JSON.test(text) ? hide(text, all) : hide(text, numbers, `"${MASK}"`);
	const parts: string[] = [];
	let at = 0;
	for (;;) {
		const start = json.indexOf('"', at);
		let end = start === -1 ? -1 : json.indexOf('"', start + 1);
		while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
		if (end === -1) return parts.join('') + between(json.slice(at));
		let next = end + 1;
		while (/\s/.test(json[next] ?? '')) next += 1;
		const isName = json[next] === ':';
		const inner = json.slice(start + 1, end);
		const left = isName && FRAME.has(inner) ? inner : hideInString(inner, isName ? long : all);
		parts.push(between(json.slice(at, start)), '"', left, '"');
		at = end + 1;
	}
}

/**
 * The text without these secrets, however they are spelled in it. JSON stays JSON: its numbers, and the names by which
 * an answer is read, are not touched.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
	const all = [...new Set(spellings)].map(wanted);
	if (all.length === 0) return text;
	const isRead = text.length <= MOST_TAKEN_APART && /^\s*[[{]/.test(text);
	return isRead ? hideInJson(text, all) : hide(text, all);
}
