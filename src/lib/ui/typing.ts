/** Whether something was typed on this page that has not been sent: what a refresh must not take away. */
import { liveStatus } from './liveStatus.svelte.ts';

let is = false;

export const isTyped = (): boolean => is;

/** It was sent, or its page was left. */
export function forgetTyped(): void {
	is = false;
	liveStatus.held = null;
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
