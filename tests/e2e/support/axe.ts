import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import { ALIKE, markAlike, unmark } from './alike.ts';
import { CLEAN_PARTS } from './built.ts';

/**
 * Every page parses it again, so it is shortened to less than half. The HTML of elements is not reported, which
 * saves a tenth of its work.
 */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
axe.configure({ noHtml: true });`;

/** Widths of the narrowest phone and of a desktop. */
const NARROW = { width: 360, height: 900 } as const;
const WIDE = { width: 1440, height: 900 } as const;
/** From this width on, in pixels, no style changes. */
const WIDEST_LAYOUT = 1280;

/** The complaints of axe about the current page, one line for each rule with the places. */
export async function complaints(page: Page): Promise<string[]> {
	const { width, isDark } = await page.evaluate(() => ({
		width: innerWidth,
		isDark: matchMedia('(prefers-color-scheme: dark)').matches
	}));
	const way = `${width} ${String(isDark)}`;
	const isLikeWide = width >= WIDEST_LAYOUT && !isDark;
	return lookAtNew(page, isLikeWide ? [way, EVERY_WAY] : [way], () => ask(page, 'html'));
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
	/** The elements that were visible in another width. */
	visibleBefore?: ReadonlySet<Element>;
}

/** Whether this project repeats pages of another one with other daemons: they were checked there. */
const wasSeen = (): boolean => test.info().project.name === 'seed';

/** The combination of all themes and widths. */
const EVERY_WAY = 'every way';

/** File of the parts without complaints in a combination of theme and width, one key a line. All workers share it. */
const cleanParts = (way: string): string =>
	join(process.env[CLEAN_PARTS]!, createHash('sha256').update(way).digest('hex').slice(0, 16));

/** The parts without complaints in any of these combinations. */
const knownIn = (ways: readonly string[]): Set<number> =>
	new Set(
		ways
			.map(cleanParts)
			.filter((file) => existsSync(file))
			.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').map(Number))
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

/**
 * Lets axe look at a page, but for what is made like something that was looked at before.
 * @param ways combinations of theme and width that count; this look is recorded for the first
 */
async function lookAtNew(
	page: Page,
	ways: readonly [string, ...string[]],
	look: () => Promise<string[]>
): Promise<string[]> {
	if (wasSeen()) return look();
	const fresh = await markAlike(page, knownIn(ways));
	await flatten(page);
	const found = await look();
	await unmark(page);
	if (found.length === 0 && fresh.length > 0)
		appendFileSync(cleanParts(ways[0]), `${fresh.join('\n')}\n`);
	return found;
}

/**
 * Asks the axe in the page about some parts of it.
 * @param where a selector of one part, or `newly visible`: the elements that were hidden at {@link noteVisible}
 */
async function ask(page: Page, where: string, about: RunOptions = {}): Promise<string[]> {
	if (wasSeen()) return [];
	// Style sheets are read beforehand for one rule alone, an experimental one that does not run.
	const options: RunOptions = { resultTypes: ['violations'], preload: false, ...about };
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
	const violations = await page.evaluate(
		async ([part, alike, asked]) => {
			const isKnown = (node: Node | null): boolean =>
				node instanceof Element && node.closest(alike) !== null;
			const { axe, visibleBefore } = globalThis as unknown as AxeInPage;
			const isNew = (element: Element): boolean =>
				element.checkVisibility() && !visibleBefore!.has(element) && !isKnown(element);
			const parts =
				part === 'newly visible'
					? [...document.body.querySelectorAll('*')]
							.filter(isNew)
							.filter((one, _at, all) => !all.some((other) => other !== one && other.contains(one)))
					: [...document.querySelectorAll(part)].filter((one) => !isKnown(one));
			if (parts.length === 0) return [];
			// For each rule and element axe asks each node that it leaves out: one answers for all.
			document.head.contains = isKnown;
			return (await axe.run({ include: parts, exclude: [document.head] }, asked)).violations;
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

/** Rules about the layout, or about a page as a whole, whose parts are not all visible in every width. */
const BY_WIDTH = [
	...[
		'scrollable-region-focusable',
		'link-in-text-block',
		'aria-hidden-focus',
		'duplicate-id-aria'
	],
	...['bypass', 'skip-link', 'region', 'heading-order', 'page-has-heading-one', 'empty-heading'],
	...['landmark-one-main', 'landmark-unique', 'landmark-main-is-top-level'],
	...['landmark-no-duplicate-main', 'landmark-no-duplicate-banner'],
	...['landmark-no-duplicate-contentinfo', 'landmark-banner-is-top-level'],
	'landmark-contentinfo-is-top-level'
];

/** Has the page remember which of its elements are visible now. */
const noteVisible = (page: Page): Promise<void> =>
	page.evaluate(() => {
		(globalThis as unknown as AxeInPage).visibleBefore = new Set(
			[...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())
		);
	});

/**
 * Complaints about the current page, wide and narrow, light and dark: those of axe, and sideways scrolling. A
 * theme changes only colors, and a width changes none: contrast is checked in the wide layout, once in each
 * theme. Other rules judge an element by its markup, so the narrow layout is checked by all rules for what only it
 * shows, and else by those that depend on the width.
 */
export const complaintsEveryWay = (page: Page): Promise<string[]> =>
	lookAtNew(page, [EVERY_WAY], async () => {
		const found: string[] = [];
		const tell = (way: string, told: readonly string[]): void => {
			found.push(...told.map((line) => `${way}: ${line}`));
		};
		const tooWide = async (): Promise<string[]> => {
			const by = await beyondWindow(page);
			return by > 0 ? [`${by} px too wide`] : [];
		};
		const only = (...values: string[]): RunOptions => ({ runOnly: { type: 'rule', values } });
		await page.setViewportSize(WIDE);
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		tell('wide', [...(await tooWide()), ...(await ask(page, 'html'))]);
		await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
		tell('dark', await ask(page, 'html', only(COLORS)));
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		await noteVisible(page);
		await page.setViewportSize(NARROW);
		tell('narrow', [
			...(await tooWide()),
			...(await ask(page, 'html', only(...BY_WIDTH))),
			...(await ask(page, 'newly visible', { rules: { [COLORS]: { enabled: false } } }))
		]);
		await page.setViewportSize(WIDE);
		return found;
	});
