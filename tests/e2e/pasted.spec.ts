/** What is pasted from chats and documents brings characters that are not seen. */
import { PlainBrowser, descriptionOf, type PlainPage } from './support/plainBrowser.ts';
import { expect, test } from './support/console.ts';

const AROUND = ['\u200b', '\u200e', '\u202a', '\u2060', '\u00a0', ' \u200b\t'];
const FORM = { form: 'main form[method="post"]' };

/** The errors at the fields of a page, by their names. */
const faultsOf = (page: PlainPage): string[] =>
	page
		.$('main [aria-invalid="true"]')
		.toArray()
		.map((field) => page.$(field).attr('name') ?? '');

test('an address, an amount and an id are taken with what is not seen around them', async ({
	console
}) => {
	const { url, devnet } = console;
	const browser = new PlainBrowser(url);
	await browser.signIn();
	const address = await devnet.rpc<string>('ALPHA', 'getnewaddress');
	const txid = (await devnet.rpc<{ tx: string[] }>('ALPHA', 'getblock', '1')).tx[0]!;
	for (const unseen of AROUND) {
		const pasted = (text: string): string => `${unseen}${text}${unseen}`;
		const found = await browser.open(`/search?q=${encodeURIComponent(pasted(txid))}`);
		expect(found.url.pathname).toBe(`/chains/ALPHA/tx/${txid}`);

		const burn = await browser.open('/migrations/recover');
		const missing = await browser.submit(burn, FORM, { txid: pasted(txid) });
		expect(faultsOf(missing), 'only the chain is missing').toEqual(['chain']);

		const form = await browser.open('/wallets/ALPHA/send');
		const typed = { recipient: pasted(address), amount: pasted('1 234.5') };
		const review = await browser.submit(form, FORM, typed);
		expect(faultsOf(review), descriptionOf(review, '[aria-invalid="true"]')).toEqual([]);
		expect(review.$('main').text()).toContain('1\u202f234.5 ALPHA');
		await browser.submit(review, { form: 'main form[action="?/discard"]' }, {});

		const again = await browser.open('/wallets/ALPHA/send');
		const wrong = await browser.submit(again, FORM, { ...typed, recipient: pasted('R1') });
		expect(faultsOf(wrong)).toEqual(['recipient']);
	}
});
