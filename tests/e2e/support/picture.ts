import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

const PICTURES = resolve(import.meta.dirname, '../../../docs/pictures');

const SIZES = { laptop: { width: 1280, height: 860 }, phone: { width: 360, height: 780 } } as const;

/** Takes a screenshot of a page for the README if KOMODECK_PICTURES=1 is set. */
export async function picture(
	page: Page,
	name: string,
	size: keyof typeof SIZES = 'laptop'
): Promise<void> {
	if (process.env['KOMODECK_PICTURES'] !== '1') return;
	await page.setViewportSize(SIZES[size]);
	await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
