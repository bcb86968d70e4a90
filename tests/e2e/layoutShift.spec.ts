/** No layout shift after the first paint, also when fonts load late. */
import { expect, test } from './support/console.ts';

const PATHS = ['/chains/ALPHA', '/chains/ALPHA/tokens', '/routes', '/search?q=gold'];
/** A tenth of the "good" limit of Core Web Vitals (0.1), which no reader notices. */
const MOST = 0.01;
const LATE_MS = 700;

declare global {
	interface Window {
		/** The size of each shift, and the shifted element. */
		shifts: { size: number; what: string }[];
	}
}

/** An entry of the Layout Instability API, which TypeScript's library lacks. */
interface Shift extends PerformanceEntry {
	value: number;
	sources: { node: Node | null }[];
}

for (const width of [390, 412, 1360]) {
	test(`pages of ${width} px do not move when their faces arrive late`, async ({ page }) => {
		await page.setViewportSize({ width, height: 900 });
		await page.route('**/*.woff2', async (route) => {
			await new Promise((done) => setTimeout(done, LATE_MS));
			await route.continue();
		});
		await page.addInitScript(() => {
			window.shifts = [];
			const nameOf = (node: Node | null): string =>
				node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? 'gone');
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries() as Shift[]) {
					const what = entry.sources.map(({ node }) => nameOf(node)).join(', ');
					window.shifts.push({ size: entry.value, what });
				}
			}).observe({ type: 'layout-shift', buffered: true });
		});
		let hasNews = false;
		page.on('request', (request) => (hasNews ||= request.url().includes('__data.json')));
		/** Checks a page. A new block may shift it legitimately; then it is checked again. */
		const look = async (path: string): Promise<void> => {
			do {
				hasNews = false;
				await page.goto(path);
				await page.evaluate(() => document.fonts.ready);
				// A shift is reported after the next frame.
				await page.evaluate(
					() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
				);
			} while (hasNews);
		};
		for (const path of PATHS) {
			await look(path);
			expect(await page.evaluate(() => document.fonts.check('14px "Inter Variable"')), path).toBe(
				true
			);
			const shifts = await page.evaluate(() => window.shifts);
			const all = shifts.reduce((sum, { size }) => sum + size, 0);
			expect(all, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(MOST);
		}
	});
}
