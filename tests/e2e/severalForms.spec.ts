/** What one form of a page keeps of what was typed into another one, without scripts. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { withAuth } from '../../src/cli/withAuth.ts';
import { MOST_TOKENS } from '../../src/lib/server/access/api-tokens/newToken.ts';
import { addMember, ADMIN, expect, test } from './support/console.ts';
import { descriptionOf, PlainBrowser } from './support/plainBrowser.ts';
import { seededToken } from './support/tokens.ts';

test('each of the two forms about a Merkle root keeps what the other one asked', async ({
	console
}) => {
	const browser = new PlainBrowser(console.url);
	await browser.signIn();
	const mom = await browser.open('/chains/ALPHA/mom');
	const computed = await browser.submit(mom, { form: '#mom' }, { height: '20', depth: '5' });
	const asked = await browser.submit(computed, { form: '#ask' }, { at: '20' });
	expect(asked.url.search).toBe('?height=20&depth=5&txid=&at=20');
	expect(asked.$('[data-reading="down"]')).toHaveLength(1);
	const again = await browser.submit(asked, { form: '#mom' }, { height: '21', depth: '5' });
	expect(again.$('#ask [name="at"]').val()).toBe('20');
	expect(again.url.searchParams.getAll('height')).toEqual(['21']);

	const momom = await browser.open('/chains/KMD/momom?symbol=BETA');
	const fields = { blockHeight: '20', of: 'BETA' };
	const found = await browser.submit(momom, { form: '#ask' }, fields);
	// What the page fills in by itself has not been asked.
	expect(found.url.searchParams.has('kmdheight')).toBe(false);
	const both = await browser.submit(found, { form: '#momom' }, {});
	expect(both.$('#ask [name="of"]').val()).toBe('BETA');
});

test('the key that is found for an address takes its place, and the rest of the entry stays', async ({
	console
}) => {
	const browser = new PlainBrowser(console.url);
	await browser.signIn();
	const { pubkey } = console.devnet.chains.get('ALPHA')!;
	const book = await browser.open('/address-book');
	const typed = { label: 'Miner', kind: 'pubkey', note: 'two\nlines' };
	const entry = { ...typed, value: addressOfPubkey(pubkey) };
	const refused = await browser.submit(book, { form: '[action="?/add"]' }, entry);
	const offered = { form: '[action="?/fill#add"]', button: 'Use this key' };
	const { $ } = await browser.submit(refused, offered, {});
	const form = $('[action="?/add"]');
	expect(form.find('[name="label"]').val()).toBe('Miner');
	expect(form.find('[name="kind"]').val()).toBe('pubkey');
	expect(form.find('[name="value"]').val()).toBe(pubkey);
	expect(form.find('[name="note"]').val()).toBe('two\nlines');
	expect(form.find('[aria-invalid="true"]')).toHaveLength(0);
});

test('the forms of a token name its kind as its page does', async ({ console }) => {
	const browser = new PlainBrowser(console.url);
	await browser.signIn();
	const { id } = await seededToken(console.devnet);
	for (const path of ['', '/transfer', '/burn']) {
		const { $ } = await browser.open(`/chains/ALPHA/token/${id}${path}`);
		const kinds = $('main dd').filter((_, fact) => /^fungible$/i.test($(fact).text().trim()));
		expect(kinds.text().trim(), path).toBe('Fungible');
	}
});

test('a refused replacement of an API token says so at its row, and keeps that the old token ends later', async ({
	console
}) => {
	const tess = await addMember(console, { name: 'tess', role: 'operator' });
	await withAuth({ KOMODECK_DATA: console.dataDir }, async ({ tokens, members }) => {
		const account = (await members.list()).find(({ name }) => name === tess.name)!;
		for (let n = 1; n <= MOST_TOKENS; n += 1) {
			await tokens.create({ account, name: `token ${n}`, role: 'viewer' }, account);
		}
	});
	const browser = new PlainBrowser(console.url);
	await browser.signIn(tess);
	const page = await browser.open('/account');
	const token = page.$('form[action^="?/replaceToken"] [name="token"]').first().val();
	const form = `form[action^="?/replaceToken"]:has([name="token"][value="${String(token)}"])`;
	const asked = await browser.submit(page, { form }, { when: 'in-an-hour' });
	const sure = 'form:has([name="sure"][value="yes"])';
	const refused = await browser.submit(asked, { form: sure }, {});
	expect(refused.$(`${form} [name="when"]`).val()).toBe('in-an-hour');
	expect(descriptionOf(refused, `${form} [name="when"]`)).toContain(String(MOST_TOKENS));
	expect(refused.$('[name="when"] [selected]')).toHaveLength(1);
});

test('a refused change of a role keeps the role that was chosen', async ({ console }) => {
	await withAuth({ KOMODECK_DATA: console.dataDir }, async ({ members }) => {
		for (const { id, name, role } of await members.list()) {
			if (role === 'admin' && name !== ADMIN.name) await members.setRole(null, id, 'viewer');
		}
	});
	const browser = new PlainBrowser(console.url);
	await browser.signIn();
	const members = await browser.open('/admin/members');
	const own = members.$(`main a[href^="/admin/members/"]:contains("${ADMIN.name}")`).attr('href');
	const page = await browser.open(own ?? '');
	const { $ } = await browser.submit(page, { form: '[action="?/role"]' }, { role: 'viewer' });
	expect($('main [role="alert"]').attr('data-code')).toBe('account.last-admin');
	expect($('[action="?/role"] [name="role"]').val()).toBe('viewer');
});
