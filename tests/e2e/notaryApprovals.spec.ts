/**
 * Notary approvals from end to end: a burn is published, three notaries approve it on the pages and two from
 * outside, and the coins arrive.
 */
import type { Page } from '@playwright/test';
import { FeedSchema } from '../../src/lib/server/cross-chain/notary-approvals/paths.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { addMember, expect, signIn, submit, test, type Console } from './support/console.ts';
import { picture } from './support/picture.ts';
import { expectRefused } from './support/wrongInput.ts';

/** Burns coins on ALPHA for BETA on the pages, and publishes the burn once it is confirmed. */
async function publish(page: Page, { devnet }: Console, to: string): Promise<string> {
	await page.goto('/migrations/new');
	await page.getByRole('combobox', { name: 'From' }).selectOption('ALPHA');
	await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('BETA');
	await page.getByLabel('Recipient address').fill(to);
	await page.getByRole('textbox', { name: 'Amount' }).fill('1.15');
	await page.getByRole('button', { name: 'Review migration' }).click();
	// A transaction that is already pending would be mistaken for the burn.
	await devnet.control.mine('ALPHA');
	await page.getByRole('button', { name: 'Confirm and send burn' }).click();
	await expect(async () => {
		expect(await devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toHaveLength(1);
	}).toPass();
	const [txid] = await devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	await devnet.control.mine('ALPHA');
	const button = page.getByRole('button', { name: 'Request notary approvals' });
	await expect(button).toBeVisible({ timeout: 20_000 });
	await button.click();
	await expect(page.getByRole('link', { name: 'public page' })).toHaveAttribute(
		'href',
		`/notary-approvals/${txid}`
	);
	return txid!;
}

/** Checks the burn, builds an approval with the wallet of a notary, reviews it and sends it. */
async function approve(page: Page, txid: string, wallet: string): Promise<void> {
	await page.goto(`/notary-approvals/${txid}/approve`);
	await page.getByRole('button', { name: 'Check burn' }).click();
	await expect(page.locator('[data-check-passed="true"]')).toBeVisible();
	await page.getByRole('radio', { name: wallet }).check();
	await page.getByRole('button', { name: 'Review approval' }).click();
	await expect(page).toHaveURL(/\/transactions\//);
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
}

/** Approves like a notary without an account, with the daemons' command lines. */
async function approveOutside({ devnet }: Console, txid: string, notary: string): Promise<string> {
	const { TxOutProof } = await devnet.rpc<{ TxOutProof: string }>(
		'ALPHA',
		'migrate_checkburntransactionsource',
		txid
	);
	const { NotaryTxHex } = await devnet.rpc<{ NotaryTxHex: string }>(
		notary,
		'migrate_createnotaryapprovaltransaction',
		txid,
		TxOutProof
	);
	return devnet.rpc<string>(notary, 'sendrawtransaction', NotaryTxHex);
}

test('a published burn is approved by three notaries here and two from outside, and arrives exactly', async ({
	page,
	console,
	browser
}) => {
	test.setTimeout(240_000);
	const { devnet, url } = console;
	const nora = await addMember(console, { name: 'nora', role: 'notary', wallets: 'all' });
	const oleg = await addMember(console, { name: 'oleg', role: 'operator', wallets: 'all' });
	await signIn(page);
	const to = await devnet.rpc<string>('BETA', 'getnewaddress');
	const txid = await publish(page, console, to);
	const migration = page.url();

	// Anyone can read the page, and an operator cannot approve.
	const outside = await (await browser.newContext({ baseURL: url })).newPage();
	await outside.goto('/notary-approvals');
	await outside.locator(`[data-burn="${txid}"]`).getByRole('link').first().click();
	await expect(outside.getByText('Approved by 0 of 5 notaries.')).toBeVisible();
	await expect(outside.getByText(`migrate_checkburntransactionsource ${txid}`)).toBeVisible();
	expect((await outside.goto(`/notary-approvals/${txid}/approve`))?.url()).toContain('/login');
	const operator = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(operator, oleg);
	expect((await operator.goto(`/notary-approvals/${txid}/approve`))?.status()).toBe(403);

	const notary = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(notary, nora);
	await notary.goto('/notary-approvals');
	expect(await complaintsEveryWay(notary)).toEqual([]);
	await notary.getByRole('link', { name: 'Check and approve' }).click();
	await notary.getByRole('button', { name: 'Check burn' }).click();
	await expect(notary.getByText('ALPHA confirms that the burn can be approved.')).toBeVisible();
	expect(await complaintsEveryWay(notary)).toEqual([]);
	await picture(notary, 'approve');
	for (const n of [1, 2, 3]) await approve(notary, txid, `BETA:notary-${n}`);
	// An operator sees the review of an approval, but cannot send it.
	await notary.goto(`/notary-approvals/${txid}/approve`);
	const fourthWallet = notary.getByRole('radio', { name: 'BETA:notary-4' });
	await fourthWallet.check();
	for (const check of ['Check burn', 'Check again']) {
		await submit(notary.getByRole('button', { name: check }));
		await expect(notary.locator('[data-check-passed="true"]')).toBeVisible();
		await expect(fourthWallet).toBeChecked();
	}
	await notary.getByRole('button', { name: 'Review approval' }).click();
	await expect(notary).toHaveURL(/\/transactions\//);
	await operator.goto(notary.url());
	await expect(operator.getByText('Nothing has been sent yet')).toBeVisible();
	await expect(operator.getByRole('button', { name: 'Send transaction' })).toHaveCount(0);
	const forced = await operator.request.post(`${notary.url()}?/send`, {
		headers: { origin: url },
		form: {}
	});
	expect(await forced.json()).toMatchObject({ type: 'failure', status: 403 });
	await submit(notary.getByRole('button', { name: 'Discard' }));
	await devnet.control.mine('BETA');

	await outside.goto(`/notary-approvals/${txid}`);
	await expect(outside.getByText('Approved by 3 of 5 notaries.')).toBeVisible({
		timeout: 20_000
	});
	const fourth = await approveOutside(console, txid, 'BETA-notary-4');
	const given = await fetch(`${url}/api/notary-approvals/${txid}`, {
		method: 'POST',
		headers: { origin: 'https://notaries.example', 'content-type': 'application/json' },
		body: JSON.stringify({ txid: fourth })
	});
	expect(given.status).toBe(200);
	expect(await given.json()).toMatchObject({ state: 'pending', approvalsCounted: 3 });
	await devnet.control.mine('BETA');

	await outside.getByRole('textbox', { name: 'Txid of the approval on BETA' }).fill('12ab');
	await outside.getByRole('button', { name: 'Submit' }).click();
	await expect(outside.getByText('64 hexadecimal digits')).toBeVisible();
	await expect(outside.getByText('Approved by 4 of 5 notaries.')).toBeVisible({
		timeout: 20_000
	});
	const fifth = await approveOutside(console, txid, 'BETA-notary-5');
	await outside.getByRole('textbox', { name: 'Txid of the approval on BETA' }).fill(fifth);
	await outside.getByRole('button', { name: 'Submit' }).click();
	await expect(outside.getByText('Approval recorded.')).toBeVisible();
	expect(await complaintsEveryWay(outside)).toEqual([]);
	await picture(outside, 'backup');

	await page.goto(migration);
	await expect(async () => {
		await devnet.control.mine('BETA');
		await page.reload();
		await expect(page.locator('[data-migration-state]')).toHaveAttribute(
			'data-migration-state',
			'done',
			{ timeout: 500 }
		);
	}).toPass({ timeout: 120_000 });
	expect(await complaintsEveryWay(page)).toEqual([]);
	const unspent = await devnet.rpc<{ address: string; amount: number; spendable: boolean }[]>(
		'BETA',
		'listunspent'
	);
	expect(unspent.filter(({ address }) => address === to)).toEqual([
		expect.objectContaining({ amount: 1.15, spendable: true })
	]);
	await outside.goto(`/notary-approvals/${txid}`);
	await expect(outside.getByText('Imported on BETA.', { exact: true })).toBeVisible();
	await outside.goto('/notary-approvals');
	await expect(outside.locator(`[data-burn="${txid}"]`)).toHaveCount(0);
});

test('the feed holds what a notary needs, and is sent once to who has it already', async ({
	page,
	console
}) => {
	const { devnet, url } = console;
	await signIn(page);
	const to = await devnet.rpc<string>('BETA', 'getnewaddress');
	const txid = await publish(page, console, to);
	const answer = await fetch(`${url}/api/notary-approvals.json`);
	expect(answer.headers.get('access-control-allow-origin')).toBe('*');
	const etag = answer.headers.get('etag') ?? '';
	const feed = (await answer.json()) as { format: string; version: number; burns: object[] };
	expect(feed).toMatchObject({ format: 'komodeck-backup', version: 1 });
	expect(FeedSchema.safeParse(feed).error).toBeUndefined();
	const payouts = expect.stringMatching(/^[0-9a-f]+$/) as unknown;
	expect(feed.burns).toContainEqual(
		expect.objectContaining({
			burnTxid: txid,
			burnTxHex: await devnet.rpc('ALPHA', 'getrawtransaction', txid),
			payouts,
			sourceSymbol: 'ALPHA',
			targetSymbol: 'BETA',
			targetCCid: 777,
			amount: '1.15000000',
			recipients: [{ address: to, amount: '1.15000000' }],
			sourceHeight: (await devnet.rpc<{ blocks: number }>('ALPHA', 'getinfo')).blocks,
			open: true,
			approvalsNeeded: 5,
			approvalsCounted: 0,
			approvals: [],
			page: `/notary-approvals/${txid}`,
			postTo: `/api/notary-approvals/${txid}`
		})
	);
	const again = await fetch(`${url}/api/notary-approvals.json`, {
		headers: { 'if-none-match': etag }
	});
	expect(again.status).toBe(304);
	expect(await again.text()).toBe('');

	// A session cookie is ignored, from any origin.
	const [cookie] = await page.context().cookies();
	const post = (body: string, more: Record<string, string> = {}) =>
		fetch(`${url}/api/notary-approvals/${txid}`, {
			method: 'POST',
			headers: {
				origin: 'https://elsewhere.example',
				cookie: `${cookie?.name}=${cookie?.value}`,
				...more
			},
			body
		});
	const codeOf = async (answered: Response) => {
		const { error } = (await answered.json()) as { error: { code: string } };
		return [answered.status, error.code];
	};
	expect(await codeOf(await post(`{"txid":"${'ab'.repeat(32)}"}`))).toEqual([422, 'absent']);
	expect(await codeOf(await post('{"txid":"12"}'))).toEqual([400, 'not-an-id']);
	expect(await codeOf(await post('{"txid":12}'))).toEqual([400, 'bad-body']);
	expect(await codeOf(await post('no JSON'))).toEqual([400, 'bad-body']);
	expect(await codeOf(await post(`{"txid":"${'a'.repeat(2000)}"}`))).toEqual([413, 'too-large']);
	// A browser sends a preflight request before another site's page can post JSON.
	const elsewhere = await page.context().newPage();
	const posted = await elsewhere.evaluate(async (address) => {
		const headers = { 'content-type': 'application/json' };
		return (await fetch(address, { method: 'POST', headers, body: '{}' })).status;
	}, `${url}/api/notary-approvals/${txid}`);
	expect(posted).toBe(400);
	await elsewhere.close();
	for (const [path, allow] of [
		['/api/notary-approvals.json', 'GET, HEAD'],
		['/api/v1/chains', 'GET, HEAD'],
		['/logout', 'POST'],
		// Called by a server, never by a page.
		['/login/provider/logout', 'POST']
	] as const) {
		const refused = await fetch(url + path, { method: 'OPTIONS' });
		expect([refused.status, refused.headers.get('allow')], path).toEqual([405, allow]);
	}
	const real = await approveOutside(console, txid, 'BETA-notary-1');
	const kept = await post(JSON.stringify({ txid: real }));
	expect([kept.status, await kept.json()]).toMatchObject([200, { state: 'pending' }]);
	expect(kept.headers.getSetCookie()).toEqual([]);
	await page.goto(`/notary-approvals/${txid}`);
	await expect(page.locator(`[data-approval="${real}"]`)).toBeVisible();
	const form = {
		path: `/notary-approvals/${txid}`,
		form: 'main form[data-form="approval"]',
		right: {}
	};
	for (const value of ['', '12ab', 'zz'.repeat(32), 'ab'.repeat(33), `0x${real}`]) {
		await expectRefused(page, { ...form, wrong: {} }, 'txid', [value, /64 hexadecimal digits/]);
	}
	const payment = await devnet.rpc<string>('BETA', 'sendtoaddress', to, 1);
	await expectRefused(page, { ...form, wrong: {} }, 'txid', [
		payment,
		/This transaction is not an approval/
	]);
	await expectRefused(page, { ...form, wrong: {} }, 'txid', [
		txid,
		/BETA does not know this transaction/
	]);
	await devnet.control.mine('BETA');
});

test('two burns are approved together: what each wallet signs is shown, what is chosen is sent once, without a script too', async ({
	page,
	console,
	browser
}) => {
	test.setTimeout(240_000);
	const { devnet, url } = console;
	const nina = await addMember(console, { name: 'nina', role: 'notary', wallets: 'all' });
	await signIn(page);
	const to = await devnet.rpc<string>('BETA', 'getnewaddress');
	const first = await publish(page, console, to);
	await devnet.control.mine('BETA');
	const watching = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(watching, nina);
	await watching.goto('/notary-approvals/queue');
	await watching.locator(`[data-burn="${first}"] input`).uncheck();
	const burns = [first, await publish(page, console, to)];
	await devnet.control.mine('BETA');
	// The next burn appears automatically, and the selection is kept.
	await expect(watching.locator(`[data-burn="${burns[1]}"] input`)).toBeChecked();
	await expect(watching.locator(`[data-burn="${first}"] input`)).not.toBeChecked();

	const plain = await (
		await browser.newContext({ baseURL: url, javaScriptEnabled: false })
	).newPage();
	await signIn(plain, nina);
	await plain.goto('/notary-approvals');
	await plain.getByRole('link', { name: 'Approve burns' }).click();
	for (const box of await plain.locator('[data-burn] input').all()) {
		await box.setChecked(burns.includes(await box.inputValue()));
	}
	await plain.getByRole('button', { name: 'Review approvals' }).click();
	await expect(plain).toHaveURL(/\/notary-approvals\/queue\//);
	const queue = plain.url();
	await expect(async () => {
		await plain.reload();
		await expect(plain.getByText('5 approvals are ready to send')).toBeVisible({ timeout: 500 });
	}).toPass();
	await expect(plain.getByText('What BETA:notary-1 signs')).toBeVisible();
	await expect(
		plain.getByRole('region', { name: 'Outputs of the approval by BETA:notary-1' })
	).toContainText('The proof of the burn');
	expect(await devnet.rpc<string[]>('BETA', 'getrawmempool')).toEqual([]);
	// What was deselected stays so, when nothing was chosen and when only a part was sent.
	const boxes = plain.getByLabel('Send the approval by BETA:notary-');
	for (const box of await boxes.all()) await box.uncheck();
	await plain.getByRole('button', { name: 'Send 5 approvals' }).click();
	await expect(plain.getByRole('alert')).toBeVisible();
	for (const box of await boxes.all()) await expect(box).not.toBeChecked();
	const last = plain.getByLabel('Send the approval by BETA:notary-5');
	for (const box of await boxes.all()) await box.check();
	await last.uncheck();
	await plain.getByRole('button', { name: /^Send \d approvals?$/ }).click();
	await expect(plain.getByText('4 approvals on the way')).toBeVisible();
	await expect(last).not.toBeChecked();
	expect(await devnet.rpc<string[]>('BETA', 'getrawmempool')).toHaveLength(4);

	// An operator can neither open a queue nor send with a forged request.
	const oleg = await addMember(console, { name: 'otto', role: 'operator', wallets: 'all' });
	const operator = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(operator, oleg);
	expect((await operator.goto(queue))?.status()).toBe(403);
	const forced = await operator.request.post(`${queue}?/send`, {
		headers: { origin: url },
		form: { send: 'any' }
	});
	expect(forced.status()).toBe(403);

	// With scripts the page continues automatically: the wallets sign the second burn, and each approval is
	// sent once.
	const notary = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(notary, nina);
	await notary.goto(queue);
	await expect(notary.getByRole('button', { name: 'Send 5 approvals' })).toBeVisible();
	expect(await complaintsEveryWay(notary)).toEqual([]);
	await picture(notary, 'approval-queue');
	await notary.getByRole('button', { name: 'Send 5 approvals' }).click();
	await notary.getByRole('button', { name: 'Send 1 approval' }).click();
	await expect(notary.getByText('10 approvals on the way')).toBeVisible();
	// Wait until the last approval has reached its daemon.
	await expect.poll(() => devnet.rpc<string[]>('BETA', 'getrawmempool')).toHaveLength(10);
	await devnet.control.mine('BETA');
	await expect(notary.getByText('10 approvals confirmed')).toBeVisible({ timeout: 30_000 });
	for (const txid of burns) {
		await expect(async () => {
			const answer = await fetch(`${url}/api/notary-approvals/${txid}`);
			const { burn } = (await answer.json()) as { burn: { approvalsCounted: number } };
			expect(burn.approvalsCounted).toBe(5);
		}).toPass({ timeout: 30_000 });
	}
	await notary.goto('/notary-approvals/queue');
	await expect(notary.getByRole('region', { name: 'Approval queues, newest first' })).toContainText(
		'Done'
	);
	expect(await complaintsEveryWay(notary)).toEqual([]);
});
