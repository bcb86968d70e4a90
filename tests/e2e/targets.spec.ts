/** Touch targets of links and checkboxes on a phone. */
import { smallTargets } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

for (const path of ['/wallets', '/account', '/account/events', '/wallets/ALPHA/send']) {
	test(`a finger meets each link and box of ${path}`, async ({ page }) => {
		await signIn(page);
		await page.goto(path);
		expect(await smallTargets(page)).toEqual([]);
	});
}
