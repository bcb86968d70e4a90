/** Proofs on the pages: a tree, checked by the server and again by the browser, and failed checks. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { picture } from './support/picture.ts';

interface Found {
	txid: string;
	hex: string;
	burn: string;
}

let known: Found | null = null;

/** An import from ALPHA that reached BETA with a proof by notarizations before the test. */
async function imported({ devnet }: Console): Promise<Found> {
	if (known !== null) return known;
	for (let height = await devnet.rpc<number>('BETA', 'getblockcount'); height > 0; height--) {
		const { imports } = await devnet.rpc<{
			imports: { txid: string; export: { txid: string; source?: string } }[];
		}>('BETA', 'getimports', String(height));
		for (const { txid, export: from } of imports) {
			if (from.source !== 'ALPHA') continue;
			const hex = await devnet.rpc<string>('BETA', 'getrawtransaction', txid);
			if (parseImport(parseTransaction(hex))?.proof.kind === 'txproof') {
				known = { txid, hex, burn: from.txid };
				return known;
			}
		}
	}
	throw new Error('The history of the network has no such import.');
}

/** The import with one hash of its branch changed. */
function tampered(hex: string, at: number): string {
	const parts = parseImport(parseTransaction(hex));
	if (parts?.proof.kind !== 'txproof') throw new Error('A branch was expected.');
	const wrong = parts.proof.branch[at]!.slice();
	wrong[0]! ^= 1;
	const proof = { ...parts.proof, branch: parts.proof.branch.with(at, wrong) };
	return bytesToHex(serializeTransaction(buildImport(parts.burnTx, parts.payouts, proof)));
}

test('an import leads to its proof, and the browser computes every hash of it again', async ({
	page,
	console
}) => {
	const { txid } = await imported(console);
	await page.goto(`/chains/BETA/tx/${txid}`);
	await page.getByRole('link', { name: 'View Merkle proof' }).click();
	await expect(page.locator('[data-checked-by="browser"]')).toBeVisible();
	await expect(page.getByText(/Proof valid: all \d+ hashes match the chain/)).toBeVisible();
	for (const root of ['block', 'mom', 'momom']) {
		await expect(page.locator(`[data-root="${root}"]`)).toHaveAttribute('data-verdict', 'ok');
	}
	await expect(page.getByRole('img', { name: /^Tree from the transaction/ })).toBeVisible();
	await expect(
		page.getByRole('listitem').filter({ hasText: 'BETA holds this root since block' })
	).toBeVisible();
	await page.getByText('Tree', { exact: true }).scrollIntoViewIfNeeded();
	await expect(page.getByRole('button', { name: 'Copy the sibling hash' }).first()).toBeVisible();
	await picture(page, 'proof');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('a pasted import with one changed hash names exactly that one', async ({ page, console }) => {
	const { hex } = await imported(console);
	await page.goto('/chains/ALPHA/proof');
	await page.getByRole('textbox', { name: 'Proof' }).fill(tampered(hex, 1));
	await page.getByRole('button', { name: 'Verify' }).click();
	await expect(page.locator('[data-checked-by="browser"]')).toBeVisible();
	await expect(page.getByRole('alert')).toContainText('The proof fails at level');
	const wrong = page.locator('[data-verdict="mismatch"]');
	await expect(wrong).toHaveCount(1);
	await expect(wrong).toContainText('Mismatch');
	await expect(wrong).toContainText('The chain has');
	await expect(page.locator('[data-root="momom"]')).toHaveAttribute('data-verdict', 'follows');
	await picture(page, 'proof-tampered');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('the browser does not believe a server that says a wrong proof is right', async ({
	page,
	console
}) => {
	const { burn } = await imported(console);
	const branch = await console.devnet.rpc<string>('ALPHA', 'assetchainproof', burn);
	// The server's result is inverted on its way to the page.
	await page.route('**/chains/ALPHA/proof**', async (route) => {
		if (route.request().method() !== 'POST') return route.continue();
		const answer = await route.fetch();
		const body = (await answer.text())
			.replaceAll('"mismatch"', '"ok"')
			.replaceAll('"follows"', '"ok"');
		await route.fulfill({ response: answer, body });
	});
	await page.goto('/chains/ALPHA/proof');
	const digits = branch.split('');
	digits[branch.length - 3] = digits[branch.length - 3] === '0' ? '1' : '0';
	await page.getByRole('textbox', { name: 'Proof' }).fill(digits.join(''));
	await page.getByRole('textbox', { name: 'Transaction ID' }).fill(burn);
	await page.getByRole('button', { name: 'Verify' }).click();
	await expect(page.locator('[data-checked-by="browser"]')).toBeVisible();
	await expect(page.locator('[data-verdict="mismatch"]').first()).toBeVisible();
	await expect(page.getByRole('alert')).toContainText('The proof fails');
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('the server’s own check is read, and a proof can be pasted', async ({ page, console }) => {
		const { txid, burn } = await imported(console);
		await page.goto(`/chains/BETA/proof/${txid}`);
		await expect(page.locator('[data-checked-by="server"]')).toBeVisible();
		await expect(page.getByText(/all \d+ hashes match/)).toBeVisible();
		await page.goto('/chains/ALPHA/proof');
		const block = await console.devnet.rpc<string>('ALPHA', 'gettxoutproof', [burn]);
		await page.getByRole('textbox', { name: 'Proof' }).fill(block);
		await page.getByRole('button', { name: 'Verify' }).click();
		await expect(page.locator('[data-outcome]')).toContainText(
			'a block of ALPHA holds one transaction'
		);
		await expect(page.locator('[data-root="block"]')).toHaveAttribute('data-verdict', 'ok');
	});
});

test('a MoM is computed in both readings, and the one that the daemon means is named', async ({
	page,
	console
}) => {
	const tip = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	await page.goto('/chains/ALPHA/mom');
	await page.getByRole('textbox', { name: 'Height' }).fill(String(tip - 10));
	await page.getByRole('textbox', { name: 'Number of blocks' }).fill('7');
	await page.getByRole('button', { name: 'Compute' }).click();
	await expect(page.locator('[data-reading="down"]')).toContainText('Match');
	await expect(page.locator('[data-reading="up"]')).toContainText('Mismatch');
	await expect(page.getByText('The daemon reads the height as the last block.')).toBeVisible();
	await expect(page.locator('#ask')).toHaveCount(0);
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('a MoMoM is worked out from the notarizations and equals the daemon’s', async ({ page }) => {
	await page.goto('/chains/BETA/momom');
	await expect(page).toHaveURL(/\/chains\/KMD\/momom\?symbol=BETA/);
	await expect(page.getByRole('textbox', { name: 'CCid' })).toHaveValue('777');
	await page.getByRole('button', { name: 'Compute' }).click();
	await expect(page.getByText(/^The computed MoMoM matches the daemon’s/)).toBeVisible();
	await expect(page.locator('tr', { hasText: 'Index and daemon' }).first()).toContainText(
		'in block'
	);
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('a MoMoM above the indexed blocks of KMD is not compared, and the page says how far they go', async ({
	page
}) => {
	await page.goto('/chains/KMD/momom?symbol=BETA&ccid=777&kmdheight=999999');
	await expect(page.getByText(/^Not compared: KMD is indexed only up to block \d/)).toBeVisible();
	await expect(page.getByText('Not computed', { exact: true })).toBeVisible();
});

test('who works with notarizations asks the daemon for its raw records', async ({
	page,
	console
}) => {
	await signIn(page);
	const { burn } = await imported(console);
	await page.goto('/chains/ALPHA/mom');
	const raw = page.locator('#ask');
	await raw.getByRole('textbox', { name: 'Height' }).fill('20');
	await raw.getByRole('textbox', { name: 'Transaction ID' }).fill(burn);
	await raw.getByRole('button', { name: 'Look up' }).click();
	await expect(page.locator('[data-notarized="true"]')).toBeVisible();
	await page.goto('/chains/KMD/momom?symbol=BETA');
	const scan = page.locator('#ask');
	await scan.getByRole('textbox', { name: 'From height' }).fill('0');
	await scan.getByRole('textbox', { name: 'Notarized chain' }).fill('BETA');
	await scan.getByRole('button', { name: 'Look up' }).click();
	await expect(scan.locator('xpath=..').getByRole('definition').first()).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
});
