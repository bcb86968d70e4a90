import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

const ROOT = resolve(import.meta.dirname, '../../..');

const SIZES = { laptop: { width: 1280, height: 860 }, phone: { width: 360, height: 780 } } as const;

/**
 * Takes the picture of a page as a person sees it. With KOMODECK_PICTURES=1 it becomes the one of the
 * README; otherwise it is kept with the results of the run.
 */
export async function picture(
	page: Page,
	name: string,
	size: keyof typeof SIZES = 'laptop'
): Promise<void> {
	const folder = join(
		ROOT,
		process.env['KOMODECK_PICTURES'] === '1' ? 'docs/pictures' : 'test-results/pictures'
	);
	mkdirSync(folder, { recursive: true });
	await page.setViewportSize(SIZES[size]);
	await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
