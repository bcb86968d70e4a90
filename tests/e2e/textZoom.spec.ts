/** Readers who set letters of twice the usual size (WCAG 2.2, 1.4.4), on the narrowest phone. */
import type { Page } from '@playwright/test';
import { beyondWindow } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

/** The size of letters that a reader chooses in the settings of the browser. Pixels. */
const LARGE = { standard: 32, fixed: 26 };
const NARROW = { width: 320, height: 800 };

/** The texts in the page, unless in a list that scrolls, of which a part is left or right of the window. */
const cutTexts = (page: Page): Promise<string[]> =>
	page.evaluate(() => {
		const scrolls = (element: Element): boolean =>
			['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
		const isWithin = (part: Element): boolean => {
			for (let at: Element | null = part; at !== null; at = at.parentElement)
				if (scrolls(at)) return true;
			return false;
		};
		return [...document.querySelectorAll('header *, main *')]
			.filter(
				(element) =>
					element.checkVisibility() &&
					element.closest('details:not([open]) > :not(summary)') === null &&
					[...element.childNodes].some(
						({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()
					)
			)
			.filter((element) => {
				const { left, right, width } = element.getBoundingClientRect();
				return width > 1 && (left < 0 || right > innerWidth) && !isWithin(element);
			})
			.map(({ textContent }) => textContent.trim().slice(0, 60));
	});

test('no page is cut on a narrow phone whose reader has set letters of twice the size', async ({
	browser,
	console
}) => {
	// The size of the letters would stay with the page, which other tests use again.
	const context = await browser.newContext({ baseURL: console.url, viewport: NARROW });
	const page = await context.newPage();
	await signIn(page);
	const { id } = await seededToken(console.devnet);
	const session = await context.newCDPSession(page);
	const paths = [
		'/',
		...['account', 'account/factors', 'account/notifications', 'account/events'],
		...['address-book', 'approvals', 'console', 'console/ALPHA', 'daemons', 'daemons/ALPHA'],
		...['admin/members', 'admin/policies', 'admin/policies/limits', 'admin/safety'],
		...['admin/audit', 'admin/notifications', 'admin/security', 'admin/connect-daemons'],
		...['kdf', 'kdf/KMD', 'kdf/ETH', 'kdf/sign', 'kdf/verify', 'kdf/servers', 'kdf/signers'],
		...['migrations', 'migrations/new', 'migrations/new/token', 'migrations/recover'],
		...['notary-approvals', 'notifications', 'reconciliation', 'routes', 'search?q=ALPHA'],
		...['transactions', 'transfers', 'wallets', 'decode', 'devnet', 'help'],
		...['', '/send', '/split', '/consolidate', '/history'].map((rest) => `wallets/ALPHA${rest}`),
		...['', '/blocks', '/tokens', '/tokens/new', '/transactions', '/mempool', '/mom', '/proof'].map(
			(rest) => `chains/ALPHA${rest}`
		),
		...['', '/transfer', '/batch-transfer', '/burn'].map(
			(rest) => `chains/ALPHA/token/${id}${rest}`
		),
		...['chains/KMD/notarizations', 'chains/SELF/self-import']
	];
	const tooWide: string[] = [];
	for (const path of paths) {
		await session.send('Page.setFontSizes', { fontSizes: LARGE });
		await page.goto(path);
		const by = await beyondWindow(page);
		const cut = await cutTexts(page);
		if (by > 0 || cut.length > 0) tooWide.push(`${path}: ${by} px, ${cut.join(' | ')}`);
	}
	expect(tooWide).toEqual([]);
	// The menus of the top bar open within the window.
	const menus = page.getByRole('banner').locator('details.menu');
	for (const menu of await menus.all()) {
		await menu.locator('summary').click();
		expect(await cutTexts(page), 'an open menu').toEqual([]);
	}
	await context.close();
});
