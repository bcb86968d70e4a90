/**
 * Characters that a reader would not see, or that reverse the surrounding text: control characters, direction
 * marks, zero-width characters, line and paragraph separators, letters drawn as blank.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Joiners and variation selectors within an emoji or keycap, where they are legitimate; elsewhere they count
 * as invisible.
 */
const OF_EMOJI =
	/((?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[#*\d])\ufe0f(?=\u20e3))/gu;

const numbered = (sign: string): string =>
	`‹U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;

const isLayout = (sign: string): boolean => sign === '\n' || sign === '\t';

function replaceInvisible(text: string, shown: (sign: string) => string): string {
	// Nearly all text is of this kind, and a list has hundreds of ids.
	if (/^[ -~]*$/.test(text)) return text;
	return (
		text
			.split(OF_EMOJI)
			// Odd elements are the separators of the split.
			.map((part, at) => (at % 2 === 1 ? part : part.replace(INVISIBLE, shown)))
			.join('')
	);
}

/**
 * Makes invisible characters in text from a chain (such as a token's name) visible: `‹U+202E›` for a mark
 * that reverses the text after it. With `lines`, line feeds and tabs are kept, for multi-line descriptions.
 */
export const visibleText = (text: string, { lines = false }: { lines?: boolean } = {}): string =>
	replaceInvisible(text, (sign) => (lines && isLayout(sign) ? sign : numbered(sign)));

/**
 * Makes invisible characters in JSON text visible by its escapes, `\u202e`: the JSON means the same. Line feeds
 * and tabs are kept.
 */
export const visibleJson = (text: string): string =>
	replaceInvisible(text, (sign) => {
		if (isLayout(sign)) return sign;
		const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
		return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
	});

/**
 * Returns the name of a token with invisible characters made visible.
 * @param name as its creator wrote it; undefined while it cannot be read
 * @param unnamed text shown when the name is missing or blank
 */
export const shownName = (name: string | null | undefined, unnamed: string): string =>
	(name ?? '').trim() === '' ? unnamed : visibleText(name ?? '');
