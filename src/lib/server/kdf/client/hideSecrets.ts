/** Masks secrets in text. */

const MASK = '•••';

/**
 * A shorter secret, such as a PIN, may be part of ordinary text: only whole words of it are masked. Characters.
 */
const LONG = 6;

/**
 * Longer answers are not parsed, because that would keep other requests waiting; they are masked as plain
 * text. Characters.
 */
const MOST_TAKEN_APART = 1024 * 1024;

/** Members of the envelope of an answer: their names are never masked. */
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

/** A secret in one spelling, and the pattern that finds it. */
interface Wanted {
	isLong: boolean;
	pattern: RegExp;
}

/** Escapes a text for a regular expression. */
const literally = (text: string): string =>
	text.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);

/** Matches whole words, but no part of a number such as 2.0. */
const asWord = (letters: string): string =>
	`(?<![\\p{L}\\p{N}]|\\p{N}[.,])${letters}(?![\\p{L}\\p{N}]|[.,]\\p{N})`;

function wanted(secret: string): Wanted {
	const isLong = secret.length >= LONG;
	const letters = literally(secret);
	return { isLong, pattern: new RegExp(isLong ? letters : asWord(letters), 'gu') };
}

const hide = (text: string, all: readonly Wanted[], mask = MASK): string =>
	all.reduce((left, { pattern }) => left.replace(pattern, mask), text);

/** Whether the quote at this place is escaped. */
function isEscaped(text: string, quote: number): boolean {
	let slashes = 0;
	while (text[quote - 1 - slashes] === '\\') slashes += 1;
	return slashes % 2 === 1;
}

/** Masks secrets inside a JSON string. Text that is no valid string is masked as it is. */
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

/**
 * Matches what cannot be between the strings of JSON: all but numbers, signs and the letters of `true`,
 * `false` and `null`.
 */
const NO_JSON = /[^\s\d.,:+\-[\]{}eEtrufalsn]/;

/** Masks secrets in JSON, or in text that begins like JSON. */
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
 * Returns the text with these secrets masked, however they are escaped in it. JSON stays JSON: a number is
 * masked only as a whole, and the names by which an answer is read are kept.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
	const all = [...new Set(spellings)].map(wanted);
	if (all.length === 0) return text;
	const isRead = text.length <= MOST_TAKEN_APART && /^\s*[[{]/.test(text);
	return isRead ? hideInJson(text, all) : hide(text, all);
}
