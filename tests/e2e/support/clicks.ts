import type { Page } from '@playwright/test';

/**
 * Counts pointer clicks on a page and on the pages that follow. Keys are not counted, because their click
 * events have no pointer.
 * @returns a function that returns the number so far
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
