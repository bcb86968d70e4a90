/**
 * A rule of the policies, the sends that it holds back, and a member who logs in with a passkey, is notified
 * and approves, all on a phone.
 */
import type { Page } from '@playwright/test';
import { isSigned, startReceiver, type Received } from '../integration/notifications/world.ts';
import { startMailServer, type MailServer } from '../support/mailServer.ts';
import { plugIn } from './support/authenticator.ts';
import { complaints } from './support/axe.ts';
import { expect, signIn, submit, sure, test as base } from './support/console.ts';
import { invite } from './support/members.ts';

/** The tests use many pages of two members. */
base.describe.configure({ timeout: 240_000 });
base.use({ apart: 'approvals' });

const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const OLGA = 'olga@example.org';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The application with a mail server and a webhook receiver. */
const test = base.extend<object, { mail: MailServer; receiver: Receiver }>({
	mail: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from a pattern.
		async ({}, use) => {
			const mail = await startMailServer();
			await use(mail);
			await mail.stop();
		},
		{ scope: 'worker' }
	],
	receiver: [
		// eslint-disable-next-line no-empty-pattern -- As above.
		async ({}, use) => {
			const receiver = await startReceiver();
			await use(receiver);
			await receiver.stop();
		},
		{ scope: 'worker' }
	],
	settings: [
		async ({ mail }, use) =>
			use({
				KOMODECK_SMTP_HOST: mail.smtp.host,
				KOMODECK_SMTP_PORT: String(mail.smtp.port),
				KOMODECK_SMTP_TLS: 'none',
				KOMODECK_MAIL_FROM: mail.smtp.from,
				KOMODECK_PRIVATE_SERVERS: '127.0.0.1'
			}),
		{ scope: 'worker' }
	]
});

/** Adds a passkey on the phone, and logs in again with it alone. */
async function byPasskey(page: Page): Promise<void> {
	await plugIn(page);
	await page.goto('/account/factors');
	const card = page.getByRole('region', { name: 'Passkeys' });
	await card.getByLabel('Name').fill('phone');
	await card.getByRole('button', { name: 'Add passkey' }).click();
	await expect(page.getByText('Factor added.')).toBeVisible();
	await page.context().clearCookies();
	await page.goto('/login?next=/approvals');
	await page.getByRole('button', { name: 'Log in with passkey' }).click();
	await page.waitForURL(({ pathname }) => pathname === '/approvals');
}

/**
 * The newest mail with a link to a matching path.
 * @returns the link and the mail
 */
async function mailed(mail: MailServer, path: RegExp): Promise<{ link: string; text: string }> {
	let found: { link: string; text: string } | undefined;
	await expect
		.poll(() => {
			for (const { to, source } of mail.mails.toReversed()) {
				// Long lines of a mail are folded.
				const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
				const link = (text.match(/https?:\/\/\S+/g) ?? []).find((url) => path.test(url));
				if (!to.includes(OLGA) || link === undefined) continue;
				found = { link, text };
				return true;
			}
			return false;
		})
		.toBe(true);
	return found!;
}

/**
 * Enables emails about needed actions for an address, which the member confirms with the link in the first
 * mail.
 */
async function noticesByMail(page: Page, mail: MailServer): Promise<void> {
	await page.goto('/account/notifications');
	await page.getByLabel('Email address').fill(OLGA);
	await submit(page.getByRole('button', { name: 'Send link' }));
	const { link } = await mailed(mail, /\/account\/notifications\?/);
	await page.goto(link);
	await page.getByRole('button', { name: 'Confirm address' }).click();
	await expect(page.getByText(`Notices go to ${OLGA}.`)).toBeVisible();
	await page.getByRole('checkbox', { name: 'Needs you: By email' }).check();
	await submit(page.getByRole('button', { name: 'Save choices' }));
}

/**
 * Adds a webhook for needed actions.
 * @returns its secret
 */
async function addWebhook(page: Page, { url }: Receiver): Promise<string> {
	await page.goto('/admin/notifications');
	const form = page.locator('#new');
	await form.getByLabel('Address').fill(url);
	await form.getByRole('checkbox', { name: 'Needs you' }).check();
	await submit(form.getByRole('button', { name: 'Add webhook' }));
	const secret = page.getByText(/kdw_[\w-]{40,}/);
	await expect(secret).toBeVisible();
	return /kdw_[\w-]{40,}/.exec((await secret.textContent()) ?? '')?.[0] ?? '';
}

/** The deliveries about a request, after checking their signatures. */
async function told({ received }: Receiver, secret: string, request: string): Promise<Received> {
	const about = (): Received | undefined =>
		received.find(({ body }) => body.includes(`/approvals/${request}`));
	await expect.poll(about).toBeDefined();
	const delivery = about()!;
	expect(isSigned(secret, delivery)).toBe(true);
	expect(JSON.parse(delivery.body)).toMatchObject({
		kind: 'needs-you',
		code: 'approval.requested'
	});
	return delivery;
}

test('what a rule holds back goes out once after a colleague was told and approved it on a phone, from the pages and by an API token', async ({
	page,
	browser,
	console,
	mail,
	receiver
}) => {
	await signIn(page);
	const olga = await invite(page, browser, console, {
		name: 'olga',
		role: 'operator',
		wallets: /All wallets/,
		viewport: { width: 390, height: 844 }
	});
	await byPasskey(olga);
	await noticesByMail(olga, mail);
	const secret = await addWebhook(page, receiver);
	await page.goto('/admin/policies');
	await expect(page.getByText('There is no rule yet')).toBeVisible();
	const add = page.locator('#add');
	await add.getByRole('combobox', { name: /^What/ }).selectOption('coin-send');
	await add.getByRole('combobox', { name: /^Asset/ }).selectOption('coin:ALPHA');
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('ten');
	await add.getByRole('checkbox', { name: /^olga/ }).check();
	await add.getByRole('button', { name: 'Add rule' }).click();
	await expect(add.getByRole('textbox', { name: /^More than, in one/ })).toHaveAttribute(
		'aria-invalid',
		'true'
	);
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('10');
	await add.getByRole('button', { name: 'Add rule' }).click();
	const sentence =
		'Sends of coins of ALPHA by anyone, more than 10 ALPHA in one transaction: olga has to approve.';
	await expect(page.locator('#rules')).toContainText(sentence);
	expect(await complaints(page)).toEqual([]);
	const trial = page.locator('#try');
	await trial.getByRole('combobox', { name: /^Asset/ }).selectOption('coin:ALPHA');
	await trial.getByRole('textbox', { name: /^Amount/ }).fill('20');
	await trial.getByRole('textbox', { name: /^Recipient/ }).fill(TO);
	await trial.getByRole('button', { name: 'Try' }).click();
	await expect(trial).toContainText('Rule 1 asks for approval.');
	await expect(trial).toContainText(sentence);

	await page.goto('/wallets/ALPHA/send');
	await page.getByLabel('Recipient', { exact: true }).fill(TO);
	await page.getByLabel('Amount', { exact: true }).fill('20');
	await page.getByRole('button', { name: 'Review' }).click();
	// The form says so before the request is made.
	await expect(page.getByText('Rule 1 of the policies asks one other member')).toBeVisible();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('The policies ask other members')).toBeVisible();
	await expect(page.getByText('Rule 1 of the policies asks one other member')).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Send transaction' })).toHaveCount(0);
	expect(await complaints(page)).toEqual([]);
	const review = page.url();

	const { link } = await mailed(mail, /\/approvals\//);
	await told(receiver, secret, link.split('/').at(-1)!);
	await olga.goto('/approvals');
	await expect(olga.getByText(/^Sends of coins: 20\.\d+ ALPHA$/)).toBeVisible();
	expect(await complaints(olga)).toEqual([]);
	await olga.goto(link);
	await expect(olga.getByText(TO).first()).toBeVisible();
	const rejection = olga.locator('form[action="?/reject"]');
	await rejection.evaluate((form: HTMLFormElement) => void (form.noValidate = true));
	await rejection.getByRole('button', { name: 'Reject' }).click();
	await expect(olga.getByText('Say why, so that the author knows what to change.')).toBeVisible();
	expect(await complaints(olga)).toEqual([]);
	await olga.getByRole('button', { name: 'Approve', exact: true }).click();
	await expect(olga.getByText('Enough members have approved')).toHaveCount(1);
	await expect(olga.getByText('Send the transaction from its review')).toBeVisible();

	await page.goto('/transactions');
	await expect(page.getByRole('row', { name: /^Payment/ })).toContainText('Approved');
	await page.goto(review);
	// The notice, and the state on the page.
	await expect(page.getByText('Approved', { exact: true })).toHaveCount(2);
	await expect(page.getByText('Awaiting approval')).toHaveCount(0);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending').first()).toBeVisible();
	const { rpc, control } = console.devnet;
	expect(await rpc<string[]>('ALPHA', 'getrawmempool')).toHaveLength(1);
	await page.goto('/approvals?show=past');
	await expect(page.getByText('Completed')).toBeVisible();
	await page.goto('/admin/audit?kind=approvals');
	await expect(page.getByRole('cell', { name: 'Asked for an approval' })).toHaveCount(1);
	await expect(page.getByRole('cell', { name: 'Approved a request' })).toHaveCount(1);

	// A rejection shows the member and the reason.
	await control.mine('ALPHA');
	await page.goto('/wallets/ALPHA/send');
	await page.getByLabel('Recipient', { exact: true }).fill(TO);
	await page.getByLabel('Amount', { exact: true }).fill('21');
	await page.getByRole('button', { name: 'Review' }).click();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await page.getByRole('link', { name: 'Open approval request' }).click();
	await page.waitForURL(/\/approvals\//);
	const rejected = page.url();
	await olga.goto(rejected);
	await olga.getByLabel('Reason for the rejection').fill('Ask Vera first');
	await submit(olga.getByRole('button', { name: 'Reject' }));
	await page.getByRole('link', { name: 'Transaction', exact: true }).click();
	await expect(page.getByText('Rejected by olga: “Ask Vera first”.')).toBeVisible();
	await page.getByRole('link', { name: 'Open approval request' }).click();
	await expect(page).toHaveURL(rejected);

	// So does the migration with the rejected burn.
	await page.goto('/admin/policies');
	await add.getByRole('combobox', { name: /^What/ }).selectOption('migration');
	await add.getByRole('combobox', { name: /^Asset/ }).selectOption('coin:ALPHA');
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('10');
	await add.getByRole('checkbox', { name: /^olga/ }).check();
	await add.getByRole('button', { name: 'Add rule' }).click();
	await control.mine('ALPHA');
	await page.goto('/migrations/new');
	await page.getByLabel('From').selectOption('ALPHA');
	await page.getByLabel('To', { exact: true }).selectOption('BETA');
	await page.getByRole('button', { name: 'Use own wallet on BETA' }).click();
	await page.getByLabel('Amount', { exact: true }).fill('12');
	await page.getByRole('button', { name: 'Review migration' }).click();
	await page.getByRole('button', { name: 'Confirm and send burn' }).click();
	const asked = await page
		.getByRole('link', { name: 'Open approval request' })
		.getAttribute('href');
	await olga.goto(asked!);
	await olga.getByLabel('Reason for the rejection').fill('Not this week');
	await submit(olga.getByRole('button', { name: 'Reject' }));
	await expect(page.getByText('Rejected by olga: “Not this week”.')).toBeVisible();
	await page.goto('/admin/policies');
	await page.getByRole('button', { name: 'Remove rule 2' }).click();
	await sure(page);

	// The same through a script: its token can ask, but not approve.
	await control.mine('ALPHA');
	await page.goto('/account');
	await page.getByLabel('API token name').fill('payroll');
	await page.getByLabel('Role', { exact: true }).selectOption('operator');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const token = await page.getByTestId('new-token').innerText();
	const call = async (method: string, params: unknown[]) => {
		const answer = await fetch(`${console.url}/api/rpc/ALPHA`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}` },
			body: JSON.stringify({ id: 1, method, params })
		});
		return (await answer.json()) as { result: unknown; error: { message: string } | null };
	};
	const unsigned = await rpc<string>('ALPHA', 'createrawtransaction', [], { [TO]: 20 });
	const { hex: funded } = await rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', unsigned);
	const { hex } = await rpc<{ hex: string }>('ALPHA', 'signrawtransaction', funded);
	const refused = await call('sendrawtransaction', [hex]);
	const request = /\/approvals\/([0-9a-f-]{36})/.exec(refused.error?.message ?? '')?.[1] ?? '';
	const { link: second } = await mailed(mail, new RegExp(`/approvals/${request}`));
	await told(receiver, secret, request);
	const byToken = await fetch(`${console.url}/approvals/${request}?/approve`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, origin: console.url },
		body: new URLSearchParams()
	});
	expect(byToken.status).toBe(403);
	await olga.goto(second);
	await expect(olga.getByText('ada (Asked by an API token)')).toBeVisible();
	await olga.getByRole('button', { name: 'Approve', exact: true }).click();
	await expect(olga.getByText('Send the same bytes again.')).toBeVisible();
	const sent = await call('sendrawtransaction', [hex]);
	expect(sent.error).toBeNull();
	expect(await rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([sent.result]);
	await page.goto('/admin/audit?kind=approvals');
	await expect(page.getByRole('cell', { name: 'Asked for an approval' })).toHaveCount(4);
	await expect(page.getByRole('cell', { name: 'Approved a request' })).toHaveCount(2);

	// A viewer may approve as well but cannot open the transaction, so there is no link to it.
	const ofRequest = olga.getByRole('link', { name: 'Transaction', exact: true });
	await olga.goto(rejected);
	await expect(ofRequest).toBeVisible();
	await page.goto('/admin/members');
	await page.getByRole('link', { name: 'olga' }).click();
	// The previous page has a choice of the same name.
	await expect(page.getByRole('heading', { level: 1, name: 'olga' })).toBeVisible();
	await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
	await page.getByRole('button', { name: 'Change role' }).click();
	await expect(page.getByText('Role changed to Viewer.')).toBeVisible();
	await olga.reload();
	await expect(olga.getByText('Ask Vera first').first()).toBeVisible();
	await expect(ofRequest).toHaveCount(0);

	await page.getByRole('button', { name: /^Disable/ }).click();
	await sure(page);
	await expect(page.getByText('Rule 1 cannot be approved any more')).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Policies', exact: true }).click();
	await expect(page.locator('[data-unreachable]')).toContainText('no member could give it');
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Remove rule 1' }).click();
	await sure(page);
	await expect(page.getByText('There is no rule yet')).toBeVisible();
});
