/** A blank, or a character without width, such as a zero-width space or a mark of direction. */
const BLANK = /[\s\p{Cf}]/u;

/**
 * Removes what surrounds a typed or pasted text and is not seen: blanks, and the characters without width that
 * chats and documents add to what is copied from them. It scans from both ends: a regular expression would scan
 * to the end again from each blank.
 */
export function bareText(text: string): string {
	let from = 0;
	let to = text.length;
	while (from < to && BLANK.test(text[from]!)) from += 1;
	while (to > from && BLANK.test(text[to - 1]!)) to -= 1;
	return text.slice(from, to);
}
