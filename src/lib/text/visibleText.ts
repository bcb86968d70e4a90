/**
 * Characters that a reader would not see, or that reverse the surrounding text: control characters, direction
 * marks, zero-width characters, line and paragraph separators, letters drawn as blank.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Joiners and variation selectors within an emoji or keycap, where they are legitimate; elsewhere they count
 * as invisible.
 */
const OF_EMOJI =
	/((?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[#*\d])\ufe0f(?=\u20e3))/gu;

const numbered = (sign: string): string =>
	`‹U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Makes invisible characters in text from a chain (such as a token's name) visible: `‹U+202E›` for a mark
 * that reverses the text after it. With `lines`, line feeds and tabs are kept, for multi-line descriptions.
 */
export function visibleText(text: string, { lines = false }: { lines?: boolean } = {}): string {
	return text
		.split(OF_EMOJI)
		.map((part, at) =>
			// Odd elements are the separators of the split.
			at % 2 === 1
				? part
				: part.replace(UNSEEN, (sign) =>
						lines && (sign === '\n' || sign === '\t') ? sign : numbered(sign)
					)
		)
		.join('');
}

/**
 * Returns the name of a token with invisible characters made visible.
 * @param name as its creator wrote it; undefined while it cannot be read
 * @param unnamed text shown when the name is missing or blank
 */
export const shownName = (name: string | undefined, unnamed: string): string =>
	name === undefined || name.trim() === '' ? unnamed : visibleText(name);
