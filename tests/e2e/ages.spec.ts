/** Times on a page that stays open. */
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './support/console.ts';

/**
 * Opens a page with a controllable clock and without requests, which would synchronize it with the server's
 * time.
 */
async function openStill(page: Page, path: string): Promise<void> {
	await page.clock.install();
	await page.route('**/__data.json*', (route) => route.abort());
	await page.goto(path);
	await expect(page.getByRole('combobox', { name: /^Search / })).toBeVisible();
}

test('the age of the last block counts on while nothing happens', async ({ page }) => {
	await openStill(page, '/chains/ALPHA/blocks');
	const newest = page.getByRole('main').locator('tbody time').first();
	const mined = Date.parse((await newest.getAttribute('datetime'))!);
	const days = Math.floor((Date.now() - mined) / (24 * 3_600_000)) + 3;
	await page.clock.fastForward(3 * 24 * 3_600_000);
	await expect(newest).toHaveText(`${days} days ago`);
});

/**
 * Records changed texts that a screen reader announces.
 * @returns a function that returns those so far
 */
async function hearChanges(page: Page): Promise<() => Promise<string[]>> {
	await page.evaluate(() => {
		const told: string[] = [];
		Object.assign(window, { told });
		new MutationObserver((changes) => {
			for (const { target } of changes) {
				const from = target instanceof Element ? target : target.parentElement;
				const live = from?.closest('[aria-live], [role="status"], [role="alert"]');
				if (live && live.getAttribute('aria-live') !== 'off') told.push(target.textContent ?? '');
			}
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
	});
	return () => page.evaluate(() => (window as unknown as { told: string[] }).told);
}

test('ages and counts that move on are not read out each time', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/audit');
	await page.getByRole('button', { name: 'Verify' }).click();
	const age = page.getByTestId('audit-state').locator('time').first();
	await expect(age).toBeVisible();
	await openStill(page, '/admin/audit');
	const heardAtLog = await hearChanges(page);
	const before = await age.innerText();
	await page.clock.fastForward('10:00');
	await expect(age).not.toHaveText(before);
	expect(await heardAtLog()).toEqual([]);

	await page.goto('/chains/ALPHA/tokens/new');
	const used = page.getByText(/ of [\d ,]+ bytes/).first();
	await expect(page.getByRole('combobox', { name: /^Search / })).toBeVisible();
	const heardAtForm = await hearChanges(page);
	const none = await used.innerText();
	await page.getByLabel('Name', { exact: true }).pressSequentially('HARBOR');
	await expect(used).not.toHaveText(none);
	expect(await heardAtForm()).toEqual([]);
});

test('a review that stays open says how long it can still be sent', async ({ page, console }) => {
	await signIn(page);
	const review = await page.request.post('/wallets/ALPHA/send', {
		headers: { origin: console.url, accept: 'text/html' },
		form: {
			recipient: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92',
			amount: '0.001',
			more: '',
			rate: ''
		},
		maxRedirects: 0
	});
	expect(review.status()).toBe(303);
	await openStill(page, review.headers()['location']!);
	const left = page.getByText(/ left to send$/);
	const minutes = async (): Promise<number> => parseInt(await left.innerText(), 10);
	const before = await minutes();
	await page.clock.fastForward('05:00');
	await expect.poll(minutes).toBeLessThanOrEqual(before - 5);
	await page.unroute('**/__data.json*');
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});
