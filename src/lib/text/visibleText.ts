/**
 * Characters of a chain's text that a reader would not see, or that turn the text around them: control
 * characters, direction marks, zero-width ones, line and paragraph separators, letters that are drawn as nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Joins the parts of an emoji, or says how it or a keycap is drawn; said of anything else it is unseen like the others. */
const OF_EMOJI =
	/((?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[#*\d])\ufe0f(?=\u20e3))/gu;

const numbered = (sign: string): string =>
	`‹U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * A text that anybody may have put on a chain, such as a token's name, so that what it hides is seen:
 * `‹U+202E›` for a mark that turns the text after it around. With `lines` line feeds and tabs stay, as a
 * description has them.
 */
export function visibleText(text: string, { lines = false }: { lines?: boolean } = {}): string {
	return text
		.split(OF_EMOJI)
		.map((part, at) =>
			// Every second one is what it was split at.
			at % 2 === 1
				? part
				: part.replace(UNSEEN, (sign) =>
						lines && (sign === '\n' || sign === '\t') ? sign : numbered(sign)
					)
		)
		.join('');
}

/**
 * The name of a token so that what it hides is seen.
 * @param name as its creator wrote it; undefined while it cannot be read
 * @param unnamed what stands for a name that is not there, or has nothing but spaces
 */
export const shownName = (name: string | undefined, unnamed: string): string =>
	name === undefined || name.trim() === '' ? unnamed : visibleText(name);
