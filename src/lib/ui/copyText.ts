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
	// The only way where the clipboard is not given to pages.
	const isCopied = document.execCommand('copy');
	field.remove();
	if (before instanceof HTMLElement) before.focus({ preventScroll: true });
	return isCopied;
}

/**
 * Puts a text on the clipboard. Browsers give it to pages of secure addresses only: a console in a LAN is reached
 * without TLS, where a button that did nothing would leave an older address to be pasted.
 * @returns whether it is there now
 */
export async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}
