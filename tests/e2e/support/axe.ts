import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The narrowest telephone and a desk. */
const WIDTHS = [360, 1440] as const;

/** What axe finds wrong on the page as it stands, a line for each rule with the places. */
export async function complaints(page: Page): Promise<string[]> {
	return lines(await new AxeBuilder({ page }).analyze());
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
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			// One page is enough without frames; the other way opens a second page for each scan.
			const axe = new AxeBuilder({ page }).setLegacyMode();
			if (colorScheme === 'dark') axe.withRules(['color-contrast']);
			found.push(
				...lines(await axe.analyze()).map((line) => `${width} px, ${colorScheme}: ${line}`)
			);
		}
	}
	return found;
}
