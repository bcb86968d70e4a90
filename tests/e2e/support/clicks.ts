import type { Page } from '@playwright/test';

/**
 * Counts the clicks of a pointer on a page and those it leads to. Keys are not counted: what they press has no
 * pointer.
 * @returns how many there were so far
 */
export async function countClicks(page: Page): Promise<() => number> {
	let clicks = 0;
	await page.exposeFunction('noteClick', () => {
		clicks += 1;
	});
	await page.addInitScript(() => {
		const note = (window as unknown as { noteClick(): void }).noteClick;
		addEventListener('click', ({ detail }) => void (detail > 0 && note()), true);
	});
	return () => clicks;
}
