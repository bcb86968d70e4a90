/** As people copy it by hand: out of a field that is there for the moment, with the focus where it was before. */
function copyBySelection(text: string): boolean {
	const before = document.activeElement;
	const field = document.createElement('textarea');
	field.value = text;
	field.readOnly = true;
	field.className = 'sr-only';
	document.body.append(field);
	field.focus({ preventScroll: true });
	field.select();
	try {
		// The only way where the clipboard is not given to pages.
		return document.execCommand('copy');
	} catch {
		return false;
	} finally {
		field.remove();
		if (before instanceof HTMLElement) before.focus({ preventScroll: true });
	}
}

/**
 * Puts a text on the clipboard. Browsers give it to pages of secure addresses only: a console in a LAN is reached
 * without TLS, where a button that did nothing would leave an older address to be pasted.
 * @param shown where the page shows it: selected when it cannot be copied, so that it is copied by hand
 * @returns whether it is there now
 */
export async function copyText(text: string, shown: Element | undefined): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const isCopied = copyBySelection(text);
		if (!isCopied && shown !== undefined) getSelection()?.selectAllChildren(shown);
		return isCopied;
	}
}
