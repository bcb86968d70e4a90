/** Forms with wrong input, and with input that they must not follow. */
import { complaints } from './support/axe.ts';
import { ADMIN, expect, signIn, test, type Console } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';
import { seededToken } from './support/tokens.ts';
import {
	expectRefused,
	expectRefusedPlainly,
	type FormCase,
	type WrongValues
} from './support/wrongInput.ts';

test('the choice of a theme leads back to a page of this server and nowhere else', async ({
	request,
	console
}) => {
	const choose = async (to: string) => {
		const answer = await request.post('/theme', {
			headers: { origin: console.url },
			form: { theme: 'dark', to },
			maxRedirects: 0
		});
		expect(answer.status(), to).toBe(303);
		return answer.headers()['location'];
	};
	expect(await choose('/chains/ALPHA/tokens?q=berth')).toBe('/chains/ALPHA/tokens?q=berth');
	for (const to of ['/\t/evil.example', '/\n/evil.example', '//evil.example', '/\\evil.example']) {
		expect(await choose(to), JSON.stringify(to)).toBe('/');
	}
});

/** A fungible token: a non-fungible one has no amount field. */
const token = async ({ devnet }: Console): Promise<string> => (await seededToken(devnet)).id;
const pubkeyOf = ({ devnet }: Console, chain: string): string => devnet.chains.get(chain)!.pubkey;
const POST = 'main form[method="post"]';
const NOT_AN_AMOUNT = /Write the amount/;

async function tokenForms(console: Console): Promise<FormCase[]> {
	const tokenid = await token(console);
	const address = await console.devnet.rpc<string>('ALPHA', 'getnewaddress');
	const units: WrongValues = ['', '0', '-1', '1.5', 'many', '9'.repeat(20)].map((value) => [
		value,
		/./
	]);
	return [
		{
			path: '/chains/ALPHA/tokens/new',
			form: POST,
			button: 'Review',
			right: { name: 'FINE', supply: '500', description: 'as it should be' },
			wrong: {
				name: [
					['', /Give the token a name/],
					['x'.repeat(33), /The name has 33 bytes; 32 are the most/]
				],
				supply: [
					['0', /more than nothing/],
					['-1', NOT_AN_AMOUNT],
					['1,5', NOT_AN_AMOUNT],
					['1e3', NOT_AN_AMOUNT],
					['1.5', /no decimals/],
					['9'.repeat(17), /./]
				],
				description: [['d'.repeat(4097), /The description has 4.097 bytes; 4.096 are the most/]]
			}
		},
		{
			path: '/chains/ALPHA/tokens/new',
			form: POST,
			button: 'Review',
			right: { kind: 'non-fungible', name: 'DEED', data: 'f7ff' },
			wrong: {
				data: [
					['', /needs data in hexadecimal digits/],
					['00ff', /Data that starts with 00/],
					['f2ff', /Data that starts with f2/],
					['e3', /./],
					['f1f', /even number of hexadecimal digits/],
					['zz', /even number of hexadecimal digits/]
				]
			}
		},
		{
			path: `/chains/ALPHA/token/${tokenid}/transfer`,
			form: POST,
			right: { recipient: pubkeyOf(console, 'BETA'), amount: '1' },
			wrong: {
				recipient: [
					['', /Enter the public key that receives/],
					['zz', /66 hexadecimal digits/],
					[address, /This is an address/],
					[`02${'ff'.repeat(32)}`, /This is not a public key/],
					[`02${'deadde'.repeat(10)}addead`, /./]
				],
				amount: units
			}
		},
		{
			path: `/chains/ALPHA/token/${tokenid}/burn`,
			form: POST,
			right: { amount: '1' },
			wrong: { confirmation: [['not its name', /Type the token’s name, .*, to confirm/]] }
		},
		{
			path: `/chains/ALPHA/token/${tokenid}/decimals`,
			form: POST,
			right: {},
			wrong: {
				decimals: [
					['-1', /./],
					['19', /./],
					['two', /./]
				]
			}
		}
	];
}

async function migrationForms({ devnet }: Console): Promise<FormCase[]> {
	const to = await devnet.rpc<string>('BETA', 'getnewaddress');
	const { TokensCCAddress } = await devnet.rpc<{ TokensCCAddress: string }>(
		'ALPHA',
		'tokenaddress'
	);
	const { id: tokenid } = await seededToken(devnet);
	const { pubkey } = devnet.chains.get('BETA')!;
	return [
		{
			path: '/migrations/new?source=ALPHA&destination=BETA',
			form: POST,
			right: { address: to, amount: '1.15' },
			wrong: {
				amount: [
					['', /Enter an amount/],
					['0', /more than zero/],
					['ten', NOT_AN_AMOUNT],
					['1000000.00000001', /at most 1\s000\s000 coins/]
				],
				address: [
					['nobody', /./],
					[TokensCCAddress, /./],
					['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', /./]
				]
			}
		},
		{
			path: '/migrations/new/custom?source=ALPHA&destination=BETA',
			form: POST,
			right: {},
			wrong: {
				recipients: [
					['', /Enter at least one recipient/],
					[`nobody 1`, /This is not an address/],
					[to, /Enter an amount/],
					[`${to} 1 2`, /an address, a comma or a space, and the amount/],
					[`${to} 0`, /more than zero/],
					[`${to} 1\n${to} 2`, /Line 2: This address is listed twice/],
					[`${to} 1000000.00000001`, /at most 1\s000\s000 coins/]
				],
				raw: [
					['xyz', /even number of hex digits/],
					['abc', /even number of hex digits/],
					['00', /cannot be decoded/],
					['00'.repeat(5000), /./]
				]
			}
		},
		{
			path: '/migrations/new/token?source=ALPHA&destination=BETA',
			form: POST,
			right: { tokenid, address: pubkey, amount: '1' },
			wrong: {
				address: [
					['', /./],
					['zz', /./],
					[to, /This is an address/],
					[`02${'ff'.repeat(32)}`, /./]
				],
				amount: [
					['', /./],
					['0', /./],
					['-1', /./],
					['1.5', /./],
					['9'.repeat(20), /./]
				],
				tokenid: [['ab'.repeat(32), /./]]
			}
		},
		{
			path: '/migrations/recover',
			form: POST,
			right: { txid: 'ab'.repeat(32), chain: 'ALPHA', address: '', payouts: '', recoveryFile: '' },
			wrong: {
				recoveryFile: [
					['{', /not valid JSON/],
					['{}', /Not a recovery file/]
				],
				txid: [
					['', /64 hexadecimal digits/],
					['abc', /64 hexadecimal digits/],
					['zz'.repeat(32), /64 hexadecimal digits/]
				],
				chain: [['OMEGA', /Choose the chain/]],
				address: [['nobody', /Enter an address/]],
				payouts: [['zz', /hexadecimal/]]
			}
		}
	];
}

async function selfImportForms({ devnet }: Console): Promise<FormCase[]> {
	const to = await devnet.rpc<string>('ALPHA', 'getnewaddress');
	const { TokensCCAddress } = await devnet.rpc<{ TokensCCAddress: string }>('SELF', 'tokenaddress');
	return [
		{
			path: '/chains/SELF/self-import',
			form: POST,
			right: { address: to, amount: '1.15' },
			wrong: {
				address: [
					['', /Enter the recipient address/],
					['nobody', /This is not an address/],
					[`02${'ab'.repeat(32)}`, /This is a public key/],
					['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', /another network/],
					[TokensCCAddress, /belongs to the token module/]
				],
				amount: [
					['', /Enter an amount/],
					['0', /more than zero/],
					['-1', NOT_AN_AMOUNT],
					['1e3', NOT_AN_AMOUNT],
					['0.123456789', /8 decimals at most/],
					['1000000.00000001', /at most 1\s000\s000 coins/]
				]
			}
		}
	];
}

/** Forms of the address book, and of batch transfers. */
async function bookForms(console: Console): Promise<FormCase[]> {
	const tokenid = await token(console);
	const pubkey = pubkeyOf(console, 'BETA');
	const address = await console.devnet.rpc<string>('ALPHA', 'getnewaddress');
	return [
		{
			path: '/address-book',
			form: 'form[action="?/add"]',
			right: { label: 'Somebody', kind: 'pubkey', value: pubkey },
			wrong: {
				label: [
					['', /Enter a label/],
					['l'.repeat(61), /maximum is 60/],
					['ALPHА', /looks like the name of the chain ALPHA/],
					[address, /taken for one/]
				],
				value: [
					['', /Enter the public key/],
					['zz', /66 hex digits/],
					[address, /This is an address/],
					[`02${'ff'.repeat(32)}`, /not a point on the curve/]
				],
				note: [['n'.repeat(1001), /maximum is 1000/]]
			}
		},
		{
			path: '/address-book',
			form: 'form[action="?/import"]',
			right: {},
			wrong: {
				csv: [
					['', /Choose a file, or paste/],
					['one,two\n1,2', /must name the columns/]
				]
			}
		},
		{
			path: `/chains/ALPHA/token/${tokenid}/batch-transfer`,
			form: POST,
			right: {},
			wrong: { pasted: [['', /Paste a line for each/]] }
		}
	];
}

/** Forms of the account's page, and forms that only read. */
async function otherForms(console: Console): Promise<FormCase[]> {
	const fresh = 'another analytical engine';
	return [
		{
			path: '/account',
			form: 'form[action^="?/password"]',
			right: { current: ADMIN.password, password: fresh, repeat: fresh },
			wrong: {
				current: [['not this one', /not the current password/]],
				repeat: [['not the same one', /Passwords do not match/]]
			}
		},
		{
			path: '/account',
			form: 'form[action^="?/password"]',
			right: { current: ADMIN.password, repeat: 'short' },
			wrong: { password: [['short', /at least 12 characters/]] }
		},
		{
			path: '/account',
			form: 'form[action^="?/createToken"]',
			right: { name: 'cron' },
			wrong: {
				name: [
					['', /1 to 80 characters/],
					['n'.repeat(300), /1 to 80 characters/]
				],
				role: [['emperor', /Choose a role/]],
				expires: [['31', /Choose when the API token expires/]]
			}
		},
		{
			path: '/decode',
			form: POST,
			right: {},
			wrong: {
				hex: [
					['', /Nothing to decode/],
					['xyz', /This is not hex/],
					['abc', /This is not hex/]
				]
			}
		},
		{
			path: `/chains/ALPHA/token/${await token(console)}`,
			form: 'form[action="#holder"]',
			right: {},
			wrong: {
				pubkey: [
					['zz', /hex digits only/],
					['02ab', /this has 4/],
					[`05${'ab'.repeat(32)}`, /starts with 02 or 03/],
					[`02${'ff'.repeat(32)}`, /not a point on the curve/]
				]
			}
		}
	];
}

function adminForms(): FormCase[] {
	return [
		{
			path: '/admin/members',
			form: '#invite form[action^="?/invite"]',
			right: { role: 'operator' },
			wrong: {
				name: [
					['two words', /Use 1 to 64 letters/],
					['engine', /stands for the console itself/]
				],
				role: [['king', /Choose a role/]]
			}
		},
		{
			path: '/admin/policies/limits',
			form: 'form[action="?/set"]',
			right: { kind: 'coin-send', count: '5', amount: '2.5' },
			wrong: {
				account: [['nobody', /Choose a member/]],
				chain: [['OMEGA', /Choose a chain/]],
				kind: [['everything', /Choose a type/]],
				count: [
					['-1', /whole number from 0/],
					['1.5', /whole number from 0/],
					['9999999', /whole number from 0/]
				],
				amount: [
					['-1', NOT_AN_AMOUNT],
					['1,5', /with a point, without commas/],
					['0.123456789', /8 decimals at most/]
				]
			}
		},
		{
			path: '/admin/policies/limits',
			form: 'form[action="?/set"]',
			right: { kind: 'sign', count: '5' },
			wrong: { amount: [['1', /Coins are not counted for this type/]] }
		}
	];
}

function proofForms(): FormCase[] {
	return [
		{
			path: '/chains/ALPHA/proof',
			form: POST,
			right: { hex: '00' },
			wrong: {
				hex: [
					['', /Paste a proof/],
					['xyz', /even number of hex digits/],
					['abc', /even number of hex digits/],
					['00', /neither an import, a notary approval/]
				],
				txid: [['12', /64 hex digits/]]
			}
		},
		{
			path: '/chains/ALPHA/mom',
			form: '#mom',
			right: { height: '20', depth: '5' },
			wrong: {
				height: [
					['', /whole number/],
					['-1', /whole number/],
					['1.5', /whole number/],
					['0', /at least 1/],
					['9999999999', /at most/]
				],
				depth: [
					['0', /at least 1/],
					['1e3', /whole number/],
					['1001', /at most 1000/]
				]
			}
		},
		{
			path: '/chains/KMD/momom',
			form: '#momom',
			right: { symbol: 'BETA', kmdheight: '20', ccid: '777' },
			wrong: {
				symbol: [
					['', /name of a chain/],
					['two words', /name of a chain/]
				],
				kmdheight: [['x', /whole number/]],
				ccid: [
					['1', /at least 2/],
					['65536', /at most 65535/]
				]
			}
		}
	];
}

/** The console generates its forms from the registry; one of them stands for all. */
function consoleForms(console: Console): Promise<FormCase[]> {
	return Promise.resolve<FormCase[]>([
		{
			path: '/console/tokentransfer?daemon=ALPHA',
			form: 'main form[action="/console/tokentransfer"]:not(:has([name="way"]))',
			right: {
				'p.tokenid': 'ab'.repeat(32),
				'p.destpubkey': pubkeyOf(console, 'BETA'),
				'p.amount': '1'
			},
			wrong: {
				daemon: [['OMEGA', /Choose a daemon/]],
				'p.tokenid': [
					['', /This parameter is required/],
					['abc', /64 hex digits/]
				],
				'p.destpubkey': [
					['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', /Enter a public key/],
					[`05${'ab'.repeat(32)}`, /begin with 02 or 03/]
				],
				'p.amount': [
					['-1', /whole number/],
					['1.5', /whole number/],
					['1e3', /whole number/]
				]
			}
		},
		{
			path: '/console/kdf/account_balance',
			form: 'main form[action="/console/kdf/account_balance"]:not(:has([name="way"]))',
			right: { 'p.coin': 'KMD', 'p.account_index': '0', 'p.chain': 'External' },
			wrong: {
				daemon: [['elsewhere', /Choose a trading node/]],
				'p.coin': [['', /This parameter is required/]],
				'p.account_index': [
					['-1', /Enter a whole number/],
					['one', /Enter a whole number/]
				],
				'p.chain': [['Sideways', /Choose one of the options/]],
				'p.paging_options': [
					['{PageNumber: 1}', /This is not valid JSON/],
					['{"PageNumber":-1}', /PageNumber: expected 0 or more/]
				]
			}
		}
	]);
}

/** Forms of the trading node. */
function tradingForms(): Promise<FormCase[]> {
	const whole: WrongValues = ['-1', '9'.repeat(12)].map((value) => [value, /Enter a whole number/]);
	return Promise.resolve<FormCase[]>([
		{
			path: '/kdf/KMD?method=electrum',
			form: 'main form[action^="?/activate"]',
			right: { min_connected: '1', required_confirmations: '2', mm2: '1' },
			wrong: {
				min_connected: [['0', /Enter 1 or more/], ['3', /Only 2 servers are selected/], ...whole],
				max_connected: [['0', /Enter a whole number, 1 or more/]],
				mm2: [['', /choose one/]],
				required_confirmations: [['', /Enter a whole number/]],
				free_servers: [
					['http://a.example:1', /host:port/],
					['a.example', /host:port/],
					['a.example:70000', /1 to 65535/],
					['a.example:1 UDP', /TCP or SSL/],
					['a.example:1 WSS', /cannot use WebSockets/]
				]
			}
		},
		{
			path: '/kdf/BCH?method=task%3A%3Aenable_bch',
			form: 'main form[action^="?/activate"]',
			right: { merge_at: '50', check_every: '10', max_merge_at_once: '25' },
			wrong: {
				merge_at: [
					['1', /2 or more/],
					['', /2 or more/]
				],
				slp_tokens: [['a b c', /a ticker, optionally followed/]],
				free_bchd_urls: [
					['bchd.example', /begins with https/],
					['https://user:pass@bchd.example', /Leave the login out/]
				]
			}
		},
		{
			path: '/kdf/ZOMBIE',
			form: 'main form[action^="?/activate"]',
			right: { required_confirmations: '1', sync_from: 'height', sync_height: '1' },
			wrong: {
				free_light_servers: [
					['lightd.example:443', /begins with https/],
					['https://user:pass@lightd.example', /Leave the login out/]
				],
				sync_height: [['', /Enter a whole number/], ...whole],
				scan_blocks_per_iteration: [['0', /1 or more/]],
				scan_interval_ms: whole,
				account: whole
			}
		},
		{
			path: '/kdf/ETH',
			form: 'main form[action^="?/activate"]',
			right: { required_confirmations: '3' },
			wrong: {
				swap_contract_address: [
					['', /coins file does not have it/],
					['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', /40 hexadecimal digits/],
					[`0x${'0'.repeat(40)}`, /zero address/]
				],
				free_nodes: [
					['node.example', /begins with https/],
					['https://user:pass@node.example', /Leave the login out/]
				],
				nft_url: [['nft', /Enter a whole address/]],
				required_confirmations: [['', /whole number/]]
			}
		},
		{
			path: '/kdf/servers',
			form: 'main form[action="?/add"]',
			right: { coin: 'KMD', url: 'a.example:1', protocol: 'SSL' },
			wrong: {
				coin: [
					['', /ticker of the coins file/],
					['kmd', /ticker of the coins file/]
				],
				url: [
					['', /host:port/],
					['a.example:0', /1 to 65535/],
					['a b:1', /host:port/]
				],
				protocol: [['WSS', /Choose TCP or SSL/]]
			}
		}
	]);
}

const FORMS = {
	trading: tradingForms,
	token: tokenForms,
	migration: migrationForms,
	'self-import': selfImportForms,
	book: bookForms,
	other: otherForms,
	admin: adminForms,
	proof: proofForms,
	console: consoleForms
};

/** Everything that a form could have sent or stored. */
async function traces(browser: PlainBrowser, { devnet }: Console): Promise<unknown> {
	const account = await browser.open('/account');
	const tokens = account
		.$('button')
		.filter((_, button) => /^\s*Revoke /.test(account.$(button).text())).length;
	const transactions = await browser.open('/transactions');
	const sends = transactions.$('main a[href^="/transactions/"]').length;
	const { $ } = await browser.open('/migrations');
	const migrations = $('main a[href^="/migrations/"]')
		.toArray()
		.map((link) => $(link).text());
	expect([account.status, transactions.status]).toEqual([200, 200]);
	return { tokens, sends, migrations, mempool: await devnet.rpc('ALPHA', 'getrawmempool') };
}

for (const [kind, forms] of Object.entries(FORMS)) {
	test(`every wrong input of the ${kind} forms gets its message at the field, keeps what was typed and sends nothing`, async ({
		page,
		console
	}) => {
		await signIn(page);
		const plain = new PlainBrowser(console.url);
		await plain.signIn();
		const before = await traces(plain, console);
		for (const form of await forms(console)) {
			for (const [name, values] of Object.entries(form.wrong)) {
				let at = await plain.open(form.path);
				for (const wrong of values) at = await expectRefusedPlainly(plain, at, form, name, wrong);
			}
			const [first, [wrong]] = Object.entries(form.wrong)[0] as [string, WrongValues];
			await expectRefused(page, form, first, wrong!);
		}
		expect(await traces(plain, console)).toEqual(before);
	});
}

test('a wrong input gets its message at the field in a browser without JavaScript, too', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const page = await context.newPage();
	await signIn(page);
	for (const forms of Object.values(FORMS)) {
		const [form] = await forms(console);
		const [name, [wrong]] = Object.entries(form!.wrong)[0] as [string, WrongValues];
		await expectRefused(page, form!, name, wrong!);
	}
	await context.close();
});

/** A confirmed non-fungible token of ALPHA's wallet. */
async function mintNonFungible({ devnet }: Console): Promise<string> {
	const { hex } = await devnet.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		'BERTH',
		'0.00000001',
		'one of its kind',
		'f3aa'
	);
	const tokenid = await devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await devnet.control.mine('ALPHA');
	return tokenid;
}

test('a migration of a token says its amount as the form asked for it', async ({
	page,
	console
}) => {
	await signIn(page);
	const { id, name } = await seededToken(console.devnet);
	const setDecimals = async (decimals: string): Promise<void> => {
		await page.goto(`/chains/ALPHA/token/${id}/decimals`);
		await page.locator('[name="decimals"]').fill(decimals);
		await page.getByRole('button', { name: 'Save' }).click();
		await expect(page).toHaveURL(new RegExp(`${id}$`));
	};
	const review = async (amount: string): Promise<void> => {
		await page.goto(`/migrations/new/token?source=ALPHA&destination=BETA&token=${id}`);
		await page.locator('[name="address"]').fill(pubkeyOf(console, 'BETA'));
		await page.locator('[name="amount"]').fill(amount);
		await page.getByRole('button', { name: 'Review migration' }).click();
		await expect(page).toHaveURL(/\/migrations\/[^/]+$/);
	};
	const heading = page.getByRole('heading', { level: 1 });
	const discard = async (): Promise<void> => {
		await page.getByRole('button', { name: 'Discard migration' }).click();
		await expect(page.locator('[data-migration-state="discarded"]')).toBeVisible();
	};
	await review('5');
	await expect(heading).toHaveText(`5 base units of ${name} → BETA`);
	await discard();
	await setDecimals('2');
	await review('0.05');
	await expect(heading).toHaveText(`0.05 ${name} → BETA`);
	await expect(page.getByRole('main')).toContainText(/0\.05\s*\(\s*5\s*base units\s*\)/);
	await discard();
	await setDecimals('0');
});

for (const javaScriptEnabled of [true, false]) {
	test(`a non-fungible token asks for no amount, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
		browser,
		console
	}) => {
		const context = await browser.newContext({ javaScriptEnabled, baseURL: console.url });
		const page = await context.newPage();
		await signIn(page);
		const tokenid = await mintNonFungible(console);
		const amount = page.locator('[name="amount"]');
		const path = `/chains/ALPHA/token/${tokenid}`;

		await page.goto(`${path}/batch-transfer`);
		await expect(page).toHaveURL(new RegExp(`${tokenid}/transfer$`));
		await expect(amount).toHaveCount(0);
		await expect(page.getByText('1: a non-fungible token moves as a whole.')).toBeVisible();
		await page.locator('[name="recipient"]').fill(pubkeyOf(console, 'BETA'));
		await page.getByRole('button', { name: 'Review' }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token transfer');
		await page.getByRole('button', { name: 'Discard' }).click();
		await expect(page).toHaveURL(/\/transactions$/);

		// The field is ignored if it is posted anyway.
		const posted = await page.request.post(`${path}/transfer`, {
			headers: { origin: console.url, accept: 'text/html' },
			form: { recipient: pubkeyOf(console, 'BETA'), amount: '5' },
			maxRedirects: 0
		});
		expect(posted.status()).toBe(303);
		await page.goto(posted.headers()['location']!);
		await page.getByRole('button', { name: 'Discard' }).click();
		await expect(page).toHaveURL(/\/transactions$/);

		await page.goto(`${path}/burn`);
		await expect(amount).toHaveCount(0);
		await page.locator('[name="confirmation"]').fill('BERTH');
		await page.getByRole('button', { name: 'Review burn' }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token burn');
		await page.getByRole('button', { name: 'Discard' }).click();
		await expect(page).toHaveURL(/\/transactions$/);

		await page.goto(`/migrations/new/token?source=ALPHA&destination=BETA&token=${tokenid}`);
		await expect(amount).toBeHidden();
		await page.locator('[name="address"]').fill(pubkeyOf(console, 'BETA'));
		await page.getByRole('button', { name: 'Review migration' }).click();
		await expect(page).toHaveURL(/\/migrations\/[^/]+$/);
		await expect(page.getByRole('main')).toContainText('BERTH');
		// Later tests need its outputs.
		await page.getByRole('button', { name: 'Discard migration' }).click();
		await expect(page.locator('[data-migration-state]')).toHaveAttribute(
			'data-migration-state',
			'discarded'
		);
		await context.close();
	});
}

test('a label says in a word of its own that its field can stay empty', async ({ page }) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await expect(
		page.getByRole('textbox', { name: 'Description optional', exact: true })
	).toBeVisible();
});

test('several mistakes in a new API token are all named at once', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill(' ');
	await page.getByLabel('Only from these addresses').fill('10.0.0.0/33');
	await page.getByLabel('At most in 24 hours').fill('many');
	await page.getByRole('button', { name: 'Create API token' }).click();
	await expect(page.locator('main [aria-invalid="true"]')).toHaveCount(3);
	await expect(page.getByTestId('new-token')).toHaveCount(0);
});

test('a number that a security setting cannot be is answered with those that it can be', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/security');
	const hours = page.locator('[name="session-idle-hours"]');
	await hours.fill('1000');
	await page.locator('form', { has: hours }).getByRole('button').click();
	await expect(hours).toHaveAccessibleDescription(/^Enter a whole number from 1 to 720\./);
});

test('sessions and API tokens of the same name are told apart by when they began', async ({
	page
}) => {
	await signIn(page);
	const first = await page.context().cookies();
	await page.context().clearCookies();
	await signIn(page);
	await page.goto('/account');
	const when = String.raw`\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$`;
	for (const _time of ['first', 'second']) {
		await page.getByLabel('API token name').fill('twin');
		await page.getByRole('button', { name: 'Create API token' }).click();
		await expect(page.getByLabel('API token name')).toHaveValue('');
	}
	const token = page.getByRole('checkbox', {
		name: new RegExp(`^API token: twin, Viewer, created ${when}`)
	});
	await expect(token).toHaveCount(2);
	const session = new RegExp(`^Session: .*, started ${when}`);
	await expect(page.getByRole('checkbox', { name: session }).first()).toBeVisible();
	const end = page.getByRole('button', { name: new RegExp(`^Log out .*, started ${when}`) });
	await expect(end.first()).toBeVisible();
	await page.context().clearCookies();
	await page.context().addCookies(first);
});

test('a form that is refused takes no focus from who types into another one', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	const sent = Promise.withResolvers<null>();
	await page.route('**/account?/createToken*', async (route) => {
		await sent.promise;
		await route.continue();
	});
	await page.getByLabel('API token name').fill('');
	await page.getByLabel('API token name').evaluate((input: HTMLInputElement) => {
		input.required = false;
	});
	await page.getByRole('button', { name: 'Create API token' }).click();
	const password = page.getByLabel('Current password').first();
	await password.focus();
	sent.resolve(null);
	await expect(page.getByLabel('API token name')).toHaveAttribute('aria-invalid', 'true');
	await expect(password).toBeFocused();
});

test('the group of methods in which the last wrong one is unticked stays unfolded', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('unticked');
	await page.getByLabel('Find methods').fill('tokenlist');
	const box = page.getByRole('checkbox', { name: 'tokenlist' });
	await box.check();
	// As a form of an older release would send it.
	await box.evaluate((input: HTMLInputElement) => (input.value = 'tokenlisted'));
	await page.getByRole('button', { name: 'Create API token' }).click();
	await expect(page.getByText(/tokenlisted/)).toBeVisible();
	await page.getByLabel('Find methods').fill('');
	await box.focus();
	await page.keyboard.press('Space');
	await expect(box).not.toBeChecked();
	await expect(box).toBeFocused();
});

for (const javaScriptEnabled of [true, false]) {
	test(`methods of an API token are picked on a phone, ${javaScriptEnabled ? 'found by their words' : 'without scripts'}`, async ({
		browser,
		console
	}) => {
		const context = await browser.newContext({
			javaScriptEnabled,
			baseURL: console.url,
			viewport: { width: 390, height: 844 }
		});
		const page = await context.newPage();
		await signIn(page);
		await page.goto('/account');
		await page.getByLabel('API token name').fill(`picked ${String(javaScriptEnabled)}`);
		const group = page.locator('details', { hasText: 'tokenlist' });
		if (javaScriptEnabled) await page.getByLabel('Find methods').fill('tokenlist');
		else await group.locator('summary').click();
		await group.getByRole('checkbox', { name: 'tokenlist' }).check();
		await page.getByRole('button', { name: 'Create API token' }).click();
		await expect(page.getByTestId('new-token')).toContainText('kdk_');
		const row = page.getByRole('row', { name: `picked ${String(javaScriptEnabled)}` });
		await expect(row).toContainText('Methods: tokenlist');
		// A role has the same name everywhere.
		await expect(row).toContainText('Viewer');
		const wide = await page.evaluate(() => document.documentElement.scrollWidth);
		expect(wide).toBeLessThanOrEqual(390);
		await context.close();
	});
}

test('coins are not carried to the same chain or to one of another kind', async ({
	page,
	console
}) => {
	await signIn(page);
	const to = await console.devnet.rpc<string>('BETA', 'getnewaddress');
	const pending = () => console.devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	const before = await pending();
	for (const destination of ['ALPHA', 'GAMMA']) {
		await page.goto(`/migrations/new?source=ALPHA&destination=${destination}`);
		await page.getByLabel('Recipient address').fill(to);
		await page.getByLabel('Amount').fill('1.15');
		await page.getByRole('button', { name: 'Review migration' }).click();
		await expect(page.getByText('Nothing was built or sent.')).toBeVisible();
	}
	expect(await pending()).toEqual(before);
});

test('what was typed when the session had ended is kept, and goes out once, whatever was clicked', async ({
	page,
	context
}) => {
	const DESCRIPTION = 'Berths of the "harbour" <one>\nand a second line';
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByLabel('Name', { exact: false }).first().fill('KEPT');
	await page.getByLabel('Supply').fill('500');
	await page.getByLabel('Description').fill(DESCRIPTION);
	await context.clearCookies();
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in first');
	await expect(page.getByRole('main')).toContainText('nothing was done');
	// Another route renders it, and it must have its styles all the same.
	await expect(page.locator('body')).toHaveCSS('font-family', /Inter/);
	expect(await complaints(page)).toEqual([]);
	const [tab] = await Promise.all([
		context.waitForEvent('page'),
		page.getByRole('link', { name: 'Log in in a new tab' }).click()
	]);
	await signIn(tab);
	await tab.close();
	await page.getByRole('button', { name: 'Send again' }).dblclick();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	await expect(page.getByText(DESCRIPTION)).toBeVisible();
	const review = page.url();
	await page.goto('/transactions');
	await expect(page.getByRole('row', { name: /KEPT/ })).toHaveCount(1);
	await page.goto(review);
	await page.getByRole('button', { name: 'Discard' }).click();

	// A password is not included in a page.
	await page.goto('/account');
	await page.getByLabel('Current password').fill(ADMIN.password);
	await page.getByLabel('New password', { exact: true }).fill('another long password');
	await page.getByLabel('Confirm new password').fill('another long password');
	await context.clearCookies();
	await page.getByRole('button', { name: 'Change password' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in first');
	await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0);
	expect(await page.content()).not.toContain('another long password');
});

test('a form that is too large to be kept by another page stays where it was typed when the session has ended', async ({
	page,
	context
}) => {
	const FILE = `{"file":"${'x'.repeat(100_000)}"}`;
	await signIn(page);
	await page.goto('/migrations/recover');
	const file = page.getByRole('textbox', { name: 'Or its recovery file' });
	const recover = page.getByRole('button', { name: 'Recover migration' });
	await file.fill(FILE);
	await context.clearCookies();
	await recover.click();
	const refused = page.locator('[data-form-failed]');
	await expect(refused).toContainText('nothing was done');
	await expect(refused).toContainText('sign-in-needed');
	await expect(file).toHaveValue(FILE);
	const [tab] = await Promise.all([
		context.waitForEvent('page'),
		refused.getByRole('link', { name: 'Log in in a new tab' }).click()
	]);
	await signIn(tab);
	await tab.close();
	await recover.click();
	await expect(file).toHaveAttribute('aria-invalid', 'true');
	await expect(refused).toHaveCount(0);
	await expect(file).toHaveValue(FILE);
});

test('a call whose session had ended is kept, unless it contains a secret', async ({
	page,
	console
}) => {
	const SECRET = 'UwsecretThatIsInNoPage';
	const headers = { accept: 'text/html', origin: console.url };
	const answered = async (path: string, form: Record<string, string>): Promise<string> => {
		const answer = await page.request.post(path, { headers, form });
		expect(answer.status(), path).toBe(401);
		return answer.text();
	};
	const pin = '/console/kdf/task::init_trezor::user_action';
	for (const [path, form] of [
		['/console/importprivkey', { 'p.key': SECRET }],
		['/console/kvupdate', { way: 'written', written: `["k","v",1,"${SECRET}"]` }],
		['/console/signrawtransaction', { way: 'written', written: `["00",[],["${SECRET}"]]` }],
		[pin, { 'p.user_action': `{"action_type":"TrezorPin","pin":"${SECRET}"}` }],
		[pin, { way: 'written', written: `{"user_action":{"pin":"${SECRET}"}}` }]
	] as [string, Record<string, string>][]) {
		const shown = await answered(path, form);
		expect(shown, path).not.toContain(SECRET);
		expect(shown, path).not.toContain('Send again');
	}
	for (const [path, form] of [
		['/console/importprivkey', { 'p.key': '', 'p.label': 'kept of the call' }],
		['/console/getblockhash', { way: 'written', written: '["kept of the call"]' }],
		['/kdf/servers?/add', { url: 'kept of the call', private: 'on' }]
	] as [string, Record<string, string>][]) {
		const shown = await answered(path, form);
		expect(shown, path).toContain('kept of the call');
		expect(shown, path).toContain('Send again');
	}
});

test('the login says what is missing or wrong, and after too many attempts how long to wait', async ({
	page
}) => {
	const login: FormCase = {
		path: '/login',
		// Not the form of passkeys.
		form: `${POST}:has(input[name="name"])`,
		right: { name: 'nobody', password: 'a long enough guess' },
		wrong: {}
	};
	await expectRefused(page, login, 'name', ['', /Enter your name/]);
	await expectRefused(page, login, 'password', ['', /Enter your password/]);
	for (let attempt = 1; attempt <= 6; attempt += 1) {
		await expectRefused(page, login, 'password', ['not the password', /./]);
	}
	await page.getByLabel('Password').fill('not the password');
	const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
	await page.getByRole('button', { name: 'Log in', exact: true }).click();
	expect((await answered).status()).toBe(429);
	await expect(
		page.getByText(/Too many attempts\. Try again in \d+ (minutes|seconds)\./)
	).toBeVisible();
	await expect(page.getByLabel('Name', { exact: true })).toHaveValue('nobody');
});

test('a page that was open while single sign-on was turned off says so', async ({
	page,
	console
}) => {
	await signIn(page);
	const headers = { accept: 'text/html', origin: console.url };
	const linked = await page.request.post('/account?/link', { headers, form: {} });
	expect(linked.status()).toBe(404);
	expect(await linked.text()).toContain('Single sign-on is not set up here.');
	const confirmed = await page.request.post('/login/provider', {
		headers,
		form: { purpose: 'confirm', next: '/admin/members' }
	});
	expect(confirmed.status()).toBe(200);
	expect(await confirmed.text()).toContain('Single sign-on is not set up here.');
});
