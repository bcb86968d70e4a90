import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The narrowest telephone and a desk. */
const WIDTHS = [360, 1440] as const;

/** What axe finds wrong on the page as it stands, a line for each rule with the places. */
export async function complaints(page: Page): Promise<string[]> {
	return scan(page, null);
}

const lines = ({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
	violations.map(
		({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
	);

/** Unfolds everything that is folded in the page's own part, not the menus above it. */
export async function unfold(page: Page): Promise<void> {
	await page.locator('main').evaluate((main) => {
		for (const details of main.querySelectorAll('details')) details.open = true;
	});
}

/** What this file uses of the axe that a first scan leaves in a page. */
interface AxeInPage {
	axe: { run(where: Document, options: object): ReturnType<AxeBuilder['analyze']> };
}

/** Asks the axe in the page; without it first puts it there, which takes longer than a scan. */
async function scan(page: Page, only: string[] | null): Promise<string[]> {
	const options = {
		resultTypes: ['violations'],
		...(only === null ? {} : { runOnly: { type: 'rule', values: only } })
	};
	if (!(await page.evaluate(() => 'axe' in globalThis))) {
		// One page is enough without frames; the other way opens a second page for each scan.
		await new AxeBuilder({ page }).setLegacyMode().withRules(['html-has-lang']).analyze();
	}
	return lines(
		await page.evaluate(
			(asked) => (globalThis as unknown as AxeInPage).axe.run(document, asked),
			options
		)
	);
}

/**
 * What is wrong with the page as it stands, narrow and wide, light and dark: axe's complaints, and
 * scrolling sideways. The theme changes colours only, so the dark one is asked about colours.
 */
export async function complaintsEveryWay(page: Page): Promise<string[]> {
	const found: string[] = [];
	for (const width of WIDTHS) {
		await page.setViewportSize({ width, height: 900 });
		const tooWide = await page.evaluate(
			() => document.documentElement.scrollWidth - document.documentElement.clientWidth
		);
		if (tooWide > 0) found.push(`${width} px: ${tooWide} px too wide`);
		// The colors of a theme are the same at every width.
		const themes = width === WIDTHS[0] ? (['light', 'dark'] as const) : (['light'] as const);
		for (const colorScheme of themes) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			const told = await scan(page, colorScheme === 'dark' ? ['color-contrast'] : null);
			found.push(...told.map((line) => `${width} px, ${colorScheme}: ${line}`));
		}
	}
	return found;
}
