/** Copies a text by selecting it in a temporary field; restores the focus. */
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
		// Deprecated, but the only way where pages have no access to the clipboard API.
		return document.execCommand('copy');
	} catch {
		return false;
	} finally {
		field.remove();
		if (before instanceof HTMLElement) before.focus({ preventScroll: true });
	}
}

/**
 * Copies a text to the clipboard. Browsers offer the clipboard API in secure contexts only, but a console
 * in a LAN may be reached without TLS, where a button that silently fails would leave an older address to
 * be pasted.
 * @param shown element that displays the text: selected when copying fails, so that it can be copied by
 * hand
 * @returns whether the text was copied
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
