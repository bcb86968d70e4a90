/** Names of tokens that could change how the amounts and ids beside them are read. */
import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test, type Console } from './support/console.ts';

test.use({ apart: 'token-names' });

const NAME = '000 GOLD';
const RIGHT_TO_LEFT = 'זהב';
const RECIPIENT = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

/** Creates a token with two decimals on ALPHA, and returns the address of its page once it is confirmed. */
async function createToken(
	page: Page,
	{ devnet }: Console,
	token: { name: string; supply: string }
): Promise<string> {
	const main = page.getByRole('main');
	await page.goto('/chains/ALPHA/tokens/new');
	await main.locator('[name="name"]').fill(token.name);
	await main.locator('[name="supply"]').fill(token.supply);
	await main.locator('[name="decimals"]').selectOption('2');
	await main.getByRole('button', { name: 'Review' }).click();
	await main.getByRole('button', { name: 'Send transaction' }).click();
	await expect(main.getByText('Pending', { exact: true }).first()).toBeVisible();
	await devnet.control.mine('ALPHA');
	await expect(main.getByText('Confirmed', { exact: true }).first()).toBeVisible();
	return (await main.locator('a[href*="/token/"]').first().getAttribute('href'))!;
}

/** Whether the letters of a text within an element are drawn side by side, from left to right. */
const isDrawnInOrder = (place: Locator, text: string): Promise<boolean> =>
	place.evaluate((element, run) => {
		const letters: [Text, number][] = [];
		const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		while (nodes.nextNode()) {
			const node = nodes.currentNode as Text;
			for (let at = 0; at < node.length; at += 1) letters.push([node, at]);
		}
		const from = letters
			.map(([node, at]) => node.data[at])
			.join('')
			.indexOf(run);
		if (from < 0) return false;
		const range = document.createRange();
		const boxes = letters.slice(from, from + run.length).map(([node, at]) => {
			range.setStart(node, at);
			range.setEnd(node, at + 1);
			return range.getBoundingClientRect();
		});
		return boxes.every((box, at) => {
			const before = boxes[at - 1];
			return before === undefined || Math.abs(box.left - before.right) < 2;
		});
	}, text);

test('a name that begins with a digit is told apart from the amount before it', async ({
	page,
	console
}) => {
	await signIn(page);
	const main = page.getByRole('main');
	const token = await createToken(page, console, { name: NAME, supply: '20' });
	await page.goto(`${token}/transfer`);
	await main.locator('[name="recipient"]').fill(RECIPIENT);
	await main.locator('[name="amount"]').fill('1.5');
	await main.getByRole('button', { name: 'Review' }).click();
	await expect(main.getByText(`Transfers 1.5 “${NAME}” (150 base units)`)).toBeVisible();
	await main.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});

test('a name that is written from right to left leaves the amounts and ids beside it in their order', async ({
	page,
	console
}) => {
	await page.setViewportSize({ width: 1920, height: 1000 });
	await signIn(page);
	const main = page.getByRole('main');
	const token = await createToken(page, console, { name: RIGHT_TO_LEFT, supply: '20' });
	await page.goto(`${token}/transfer`);
	await main.locator('[name="recipient"]').fill(RECIPIENT);
	await main.locator('[name="amount"]').fill('1.5');
	await main.getByRole('button', { name: 'Review' }).click();
	const lead = main.getByText(/^Transfers 1\.5 /);
	await expect(lead).toBeVisible();
	expect(await isDrawnInOrder(lead, '(150 base units) to 0279be667e')).toBe(true);
	await main.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);

	await page.goto('/migrations/new/token?source=ALPHA');
	await expect(
		main.locator('option', { hasText: `\u2068${RIGHT_TO_LEFT}\u2069, 20` })
	).toBeAttached();

	await page.goto(`${token}/batch-transfer`);
	await main.locator('#recipient-0').fill(RECIPIENT);
	await main.locator('#amount-0').fill('1.5');
	await main.getByRole('button', { name: 'Review batch' }).click();
	await expect(main.getByRole('button', { name: 'Send 1 transfer' })).toBeVisible();
	await expect(main.locator('dd bdi', { hasText: RIGHT_TO_LEFT })).toBeVisible();
});

test('lists of what a member did group the digits of amounts, and name their unit', async ({
	page,
	console
}) => {
	await signIn(page);
	await createToken(page, console, { name: 'MANY', supply: '1234567' });
	await page.goto('/account/events');
	await expect(
		page.getByRole('link', { name: 'Create 1\u202f234\u202f567 MANY' }).first()
	).toBeVisible();
	await page.goto('/account');
	const used = page.getByRole('row', { name: /token creations/i });
	await expect(used.getByText(/\.\d{8}\u2009ALPHA$/)).toBeVisible();
});
