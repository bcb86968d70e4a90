/** Whether something was typed on this page that has not been sent: what a refresh must not take away. */
import { liveStatus } from './liveStatus.svelte.ts';

let is = false;

export const isTyped = (): boolean => is;

/** It was sent, or its page was left. */
export function forgetTyped(): void {
	is = false;
	liveStatus.held = null;
}

/**
 * Looks for what was typed while only the server's HTML was there. Only before the page comes alive: then its fields no
 * longer tell what they began with.
 */
export function lookForTyped(): void {
	const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
		'form[method="post"] :is(input:not([type="hidden"]), textarea)'
	);
	is = [...fields].some((field) => field.value !== field.defaultValue);
}

/** Listens for what is typed into forms that are posted, until the returned function is called. */
export function hearTyping(): () => void {
	const hear = ({ target }: Event): void => {
		const { form } = target as { form?: HTMLFormElement | null };
		if (form?.method === 'post') is = true;
	};
	document.addEventListener('input', hear, true);
	return () => document.removeEventListener('input', hear, true);
}
