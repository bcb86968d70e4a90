import { tick } from 'svelte';

/**
 * Restores the focus to a button that lost it by being disabled, once it is enabled again, unless the user
 * has moved the focus elsewhere. The main element has it after a form that the response has removed.
 */
export async function refocus(place: HTMLElement | undefined): Promise<void> {
	await tick();
	const { activeElement, body } = document;
	if (activeElement === body || activeElement?.localName === 'main')
		place?.querySelector('button')?.focus();
}
