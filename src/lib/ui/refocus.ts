import { tick } from 'svelte';

/**
 * Restores the focus to a button that lost it by being disabled, once it is enabled again, unless the user
 * has moved the focus elsewhere.
 */
export async function refocus(place: HTMLElement | undefined): Promise<void> {
	await tick();
	if (document.activeElement === document.body) place?.querySelector('button')?.focus();
}
