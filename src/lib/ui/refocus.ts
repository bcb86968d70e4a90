import { tick } from 'svelte';

/**
 * A button that is disabled while it works loses the focus. It gets it back once it can be pressed again, unless
 * somebody went elsewhere meanwhile.
 */
export async function refocus(place: HTMLElement | undefined): Promise<void> {
	await tick();
	if (document.activeElement === document.body) place?.querySelector('button')?.focus();
}
