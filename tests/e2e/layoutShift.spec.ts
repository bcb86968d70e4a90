/** Nothing on a page moves after it was painted, also when its faces arrive late. */
import { expect, test } from './support/console.ts';

const PATHS = ['/chains/ALPHA', '/chains/ALPHA/tokens', '/routes', '/search?q=gold'];
/** What a reader does not see: a tenth of what counts as good (Core Web Vitals, 0.1). */
const MOST = 0.01;
const LATE_MS = 700;

declare global {
	interface Window {
		/** The size of each shift, and what moved. */
		shifts: { size: number; what: string }[];
	}
}

/** Layout Instability, which TypeScript's library does not know. */
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
		/** A page that tells of a new block moves by right: it is looked at again. */
		const look = async (path: string): Promise<void> => {
			do {
				hasNews = false;
				await page.goto(path);
				await page.evaluate(() => document.fonts.ready);
				// A shift is told with the frame after it.
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
