/**
 * What a refresh must not take away: what was typed on this page and has not been sent, and what a form was answered,
 * which may be shown only once.
 */
import { liveStatus } from './liveStatus.svelte.ts';

const forms = new Set<HTMLFormElement>();
let answered = false;

export const isTyped = (): boolean => [...forms].some(({ isConnected }) => isConnected);

/**
 * It was sent, or its page was left.
 * @param form the one that was sent: what is typed into others still waits
 */
export function forgetTyped(form?: HTMLFormElement): void {
	if (form) forms.delete(form);
	else {
		forms.clear();
		answered = false;
	}
	liveStatus.held = null;
}

/** The page shows what a form was answered, until it is left. */
export const noteAnswered = (): void => {
	answered = true;
};
export const isAnswered = (): boolean => answered;

function note({ form }: { form?: HTMLFormElement | null }): void {
	if (form?.method === 'post') forms.add(form);
}

/**
 * Looks for what was typed while only the server's HTML was there. Only before the page comes alive: then its fields no
 * longer tell what they began with.
 */
export function lookForTyped(): void {
	const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
		'form[method="post"] :is(input:not([type="hidden"]), textarea)'
	);
	for (const field of fields) {
		const isTicked = 'checked' in field && field.checked !== field.defaultChecked;
		if (isTicked || field.value !== field.defaultValue) note(field);
	}
}

/** Listens for what is typed into forms that are posted, until the returned function is called. */
export function hearTyping(): () => void {
	const hear = ({ target }: Event): void => note(target as { form?: HTMLFormElement | null });
	document.addEventListener('input', hear, true);
	return () => document.removeEventListener('input', hear, true);
}
