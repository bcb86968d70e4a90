import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import { ALIKE, markAlike, unmark } from './alike.ts';

/**
 * Every page parses it again, so it is shortened to less than half. The HTML of elements is not reported, which
 * saves a tenth of its work.
 */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
axe.configure({ noHtml: true });`;

/** Widths of the narrowest phone and of a desktop. */
const NARROW = { width: 360, height: 900 } as const;
const WIDE = { width: 1440, height: 900 } as const;

/** The complaints of axe about the current page, one line for each rule with the places. */
export async function complaints(page: Page): Promise<string[]> {
	return lookAtNew(page, await wayOf(page), () => ask(page, 'html'));
}

/**
 * Loads axe into each page that is opened from now on, which takes half as long as injecting it into an open
 * page.
 */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ content: AXE });

/** Expands everything in the page's main part, not the menus above it. */
export async function unfold(page: Page): Promise<void> {
	await page.locator('main').evaluate((main) => {
		for (const details of main.querySelectorAll('details')) details.open = true;
	});
}

/** The global object of the library in a page. */
interface AxeInPage {
	axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };
}

/** Whether this project repeats pages of another one with other daemons: they were checked there. */
const wasSeen = (): boolean => test.info().project.name === 'seed';

/** The parts without complaints, for each combination of theme and width. */
const clean = new Map<string, Set<number>>();

/** The current theme and width: a part may be right in one and wrong in another. */
const wayOf = (page: Page): Promise<string> =>
	page.evaluate(
		() => `${innerWidth} ${String(matchMedia('(prefers-color-scheme: dark)').matches)}`
	);

/**
 * Removes the shadows of scrolling tables: axe cannot compute the contrast on a gradient, and would skip the
 * colors of every cell. The page's policy allows no inline style element.
 */
const flatten = (page: Page): Promise<void> =>
	page.evaluate(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('* { background-image: none !important }');
		document.adoptedStyleSheets = [sheet];
	});

/** Lets axe look at a page, but for what is made like something that was looked at before in the same way. */
async function lookAtNew(
	page: Page,
	way: string,
	look: () => Promise<string[]>
): Promise<string[]> {
	if (wasSeen()) return look();
	const known = clean.get(way) ?? new Set();
	clean.set(way, known);
	const fresh = await markAlike(page, known);
	await flatten(page);
	const found = await look();
	await unmark(page);
	if (found.length === 0) for (const part of fresh) known.add(part);
	return found;
}

/** Asks the axe in the page about a part of it. */
async function ask(page: Page, where: string, about: RunOptions = {}): Promise<string[]> {
	if (wasSeen()) return [];
	// Style sheets are read beforehand for one rule alone, an experimental one that does not run.
	const options: RunOptions = { resultTypes: ['violations'], preload: false, ...about };
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
	const violations = await page.evaluate(
		async ([part, alike, asked]) => {
			const isKnown = (node: Node | null): boolean =>
				node instanceof Element && node.closest(alike) !== null;
			if (isKnown(document.querySelector(part))) return [];
			// For each rule and element axe asks each node that it leaves out: one answers for all.
			document.head.contains = isKnown;
			const { axe } = globalThis as unknown as AxeInPage;
			return (await axe.run({ include: [part], exclude: [document.head] }, asked)).violations;
		},
		[where, ALIKE, options] as const
	);
	return violations.map(
		({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
	);
}

/** Touch targets that are too small on a narrow phone. */
export async function smallTargets(page: Page): Promise<string[]> {
	await page.setViewportSize(NARROW);
	return ask(page, 'main', { runOnly: { type: 'rule', values: ['target-size'] } });
}

/** By how many pixels a page is wider than its window; 0 if it does not scroll sideways. */
export const beyondWindow = (page: Page): Promise<number> =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Color contrast takes most of the time of a check. */
const COLORS = 'color-contrast';

/**
 * Complaints about the current page, narrow and wide, light and dark: those of axe, and sideways scrolling. A
 * theme changes only colors, and a width changes none: contrast is checked in the wide layout, which shows
 * more, once in each theme.
 *
 * @param again the part that is checked in the wide layout, too: the rest around `main` is the same on all
 * pages
 */
export const complaintsEveryWay = (page: Page, again = 'main'): Promise<string[]> =>
	lookAtNew(page, `every way, ${again}`, async () => {
		const found: string[] = [];
		const tell = (way: string, told: readonly string[]): void => {
			found.push(...told.map((line) => `${way}: ${line}`));
		};
		const tooWide = async (): Promise<string[]> => {
			const by = await beyondWindow(page);
			return by > 0 ? [`${by} px too wide`] : [];
		};
		await page.setViewportSize(NARROW);
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		tell('narrow', [
			...(await tooWide()),
			...(await ask(page, 'html', { rules: { [COLORS]: { enabled: false } } }))
		]);
		await page.setViewportSize(WIDE);
		tell('wide', [...(await tooWide()), ...(await ask(page, again))]);
		await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
		tell('dark', await ask(page, again, { runOnly: { type: 'rule', values: [COLORS] } }));
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		return found;
	});
