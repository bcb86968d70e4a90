import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import { ALIKE, markAlike, unmark } from './alike.ts';

/**
 * Every page reads it anew: the short form is less than half as long. What an element is written like is told nowhere,
 * and is a tenth of its work.
 */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
axe.configure({ noHtml: true });`;

/** The narrowest telephone and a desk. */
const NARROW = { width: 360, height: 900 } as const;
const WIDE = { width: 1440, height: 900 } as const;

/** What axe finds wrong on the page as it stands, a line for each rule with the places. */
export async function complaints(page: Page): Promise<string[]> {
	return lookAtNew(page, await wayOf(page), () => ask(page, 'html'));
}

/** Brings axe into each page that is opened from now on: half as dear as bringing it into a page that stands. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ content: AXE });

/** Unfolds everything that is folded in the page's own part, not the menus above it. */
export async function unfold(page: Page): Promise<void> {
	await page.locator('main').evaluate((main) => {
		for (const details of main.querySelectorAll('details')) details.open = true;
	});
}

/** What the library leaves in a page. */
interface AxeInPage {
	axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };
}

/** A story that is told again on other daemons shows the same pages: they were looked at when it was told first. */
const wasSeen = (): boolean => test.info().project.name === 'seed';

/** The parts that nothing was wrong with, for each way of looking. */
const clean = new Map<string, Set<number>>();

/** How the page is shown: what is right in one theme and width may be wrong in another. */
const wayOf = (page: Page): Promise<string> =>
	page.evaluate(
		() => `${innerWidth} ${String(matchMedia('(prefers-color-scheme: dark)').matches)}`
	);

/**
 * Takes away the shadows of tables that scroll: axe tells no contrast before a gradient, and would pass over the colors
 * of every cell. The page's policy lets in no style of a tag.
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

/** What a finger does not meet for sure on a narrow telephone. */
export async function smallTargets(page: Page): Promise<string[]> {
	await page.setViewportSize(NARROW);
	return ask(page, 'main', { runOnly: { type: 'rule', values: ['target-size'] } });
}

/** By how many pixels a page is wider than its window; 0 where it does not scroll sideways. */
export const beyondWindow = (page: Page): Promise<number> =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Colors are most of what a scan costs. */
const COLORS = 'color-contrast';

/**
 * What is wrong with the page as it stands, narrow and wide, light and dark: axe's complaints, and
 * scrolling sideways. A theme changes colors only, and no width changes them: colors are looked at wide, where more
 * is shown, once in each theme.
 *
 * @param again the part that is looked at wide, too: what stands around `main` is the same on all pages
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
