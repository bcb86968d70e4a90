/** Accessibility checks and browser console errors on all pages: there must be none. */
import type { ConsoleMessage, Page } from '@playwright/test';
import { bringAxe, complaintsEveryWay, unfold } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';

/** One page for all tests that only read: a fresh page for each would take a third of their time. */
let page: Page;

test.beforeAll(async ({ browser, console }) => {
	page = await (await browser.newContext({ baseURL: console.url })).newPage();
	await bringAxe(page);
});

/**
 * Checks a page with everything expanded: no accessibility complaint, and no error in the browser's console.
 */
async function lookAt(path: string, status: number): Promise<void> {
	const errors: string[] = [];
	const hear = (message: ConsoleMessage): void => {
		// The browser reports the status of a missing page as an error; that status is expected here.
		if (message.type() === 'error' && status === 200) errors.push(message.text());
	};
	const catchError = (error: Error): void => void errors.push(error.message);
	page.on('console', hear);
	page.on('pageerror', catchError);
	const answer = await page.goto(path);
	expect(answer!.status()).toBe(status);
	await unfold(page);
	// The layout around the pages is checked only once.
	expect(await complaintsEveryWay(page)).toEqual([]);
	expect(errors).toEqual([]);
	page.off('console', hear);
	page.off('pageerror', catchError);
}

/** Path of a page, or a function for a path with data of the network. */
type Place = string | ((console: Console) => Promise<string>);

const placeOf = (place: Place, console: Console): Promise<string> =>
	typeof place === 'string' ? Promise.resolve(place) : place(console);

const alpha = (rest: string): string => `/chains/ALPHA/${rest}`;

async function height({ devnet }: Console): Promise<number> {
	return devnet.rpc<number>('ALPHA', 'getblockcount');
}

async function token({ devnet }: Console): Promise<string> {
	const [tokenid] = await devnet.rpc<string[]>('ALPHA', 'tokenlist');
	return tokenid!;
}

/** The coinbase of the last block. */
async function coinbase(console: Console): Promise<string> {
	const { rpc } = console.devnet;
	const at = String(await height(console));
	const { tx } = await rpc<{ tx: string[] }>('ALPHA', 'getblock', at, 1);
	return tx[0]!;
}

async function wallet({ devnet }: Console): Promise<string> {
	const { myaddress } = await devnet.rpc<{ myaddress: string }>('ALPHA', 'tokenaddress');
	return myaddress;
}

async function notarization({ url }: Console): Promise<string> {
	const answer = await fetch(`${url}/api/v1/chains/ALPHA/notarizations?limit=1`);
	const { rows } = (await answer.json()) as { rows: { txid: string }[] };
	return rows[0]!.txid;
}

const FOR_VISITORS: Readonly<Record<string, Place>> = {
	'the overview': '/',
	'a chain': '/chains/ALPHA',
	'the blocks': alpha('blocks'),
	'the blocks from a place that is none': alpha('blocks?from=x'),
	'a block': async (on) => alpha(`block/${await height(on)}`),
	'the header of a block': async (on) => alpha(`block/${await height(on)}?header=yes`),
	'the transaction that made a token': async (on) => alpha(`tx/${await token(on)}`),
	'the bytes of a transaction': async (on) => alpha(`tx/${await token(on)}?bytes=yes`),
	'a coinbase': async (on) => alpha(`tx/${await coinbase(on)}`),
	'an address': async (on) => alpha(`address/${await wallet(on)}`),
	'the tokens of an address': async (on) => alpha(`address/${await wallet(on)}?tab=tokens`),
	'the UTXOs of an address': async (on) => alpha(`address/${await wallet(on)}?tab=utxos`),
	'the UTXOs of an address as the daemon has them': async (on) =>
		alpha(`address/${await wallet(on)}?tab=utxos&source=daemon`),
	'the addresses': alpha('addresses'),
	'the tokens': alpha('tokens'),
	'a search for tokens without a hit': alpha('tokens?q=nothing'),
	'a token': async (on) => alpha(`token/${await token(on)}`),
	'the balance of a public key': async (on) =>
		alpha(`token/${await token(on)}?pubkey=${on.devnet.chains.get('ALPHA')!.pubkey}`),
	'the balance of a public key that is none': async (on) =>
		alpha(`token/${await token(on)}?pubkey=zz`),
	'a search without a hit': '/search?q=nothing',
	'the decoder': '/decode',
	'a decoded transaction': async (on) =>
		`/decode?hex=${await on.devnet.rpc<string>('ALPHA', 'getrawtransaction', await coinbase(on))}`,
	'bytes that are no transaction': '/decode?hex=zz',
	'the transfers': '/transfers',
	'the routes': '/routes',
	'the reconciliation': '/reconciliation',
	'the transfers of a chain': alpha('transfers'),
	'the notarizations of a chain': alpha('notarizations'),
	'the notarizations of one chain on KMD': '/chains/KMD/notarizations?of=ALPHA',
	'the notarizations on KMD': '/chains/KMD/notarizations',
	'a notarization': async (on) => alpha(`notarizations/${await notarization(on)}`),
	'the mempool': alpha('mempool'),
	'the MoM': alpha('mom'),
	'the MoMoM': '/chains/KMD/momom',
	'a topic of the help': '/help/rpc-api',
	'the glossary': '/help/glossary',
	'the errors by code': '/help/errors',
	'the login': '/login'
};

const FOR_ADMINS: Readonly<Record<string, Place>> = {
	'the overview': '/',
	'the account': '/account',
	'the members': '/admin/members',
	'the safety controls': '/admin/safety',
	'the index of a chain': alpha('indexing'),
	'the tokens': alpha('tokens'),
	'the form of a token': alpha('tokens/new'),
	'the form of a token transfer': async (on) => alpha(`token/${await token(on)}/transfer`),
	'the form of a token burn': async (on) => alpha(`token/${await token(on)}/burn`),
	'the form of decimals': async (on) => alpha(`token/${await token(on)}/decimals`),
	'the form of a consolidation': alpha('consolidate'),
	'the burns': alpha('burns'),
	'the form of a self-import': '/chains/SELF/self-import',
	'the transactions': '/transactions',
	'the notary approvals': '/notary-approvals',
	'the console': '/console',
	'the daemons': '/daemons',
	'the migrations': '/migrations',
	'the form of a migration': '/migrations/new',
	'the form of a custom import': '/migrations/new/custom',
	'the form of a token migration': '/migrations/new/token'
};

const NOT_THERE: Readonly<Record<string, string>> = {
	'a chain': '/chains/NOSUCH',
	'a page of a chain': alpha('nonsense'),
	'a transaction': alpha(`tx/${'ab'.repeat(32)}`)
};

for (const [what, place] of Object.entries(FOR_VISITORS)) {
	test(`axe finds nothing on what a visitor sees of ${what}, narrow and wide, light and dark`, async ({
		console
	}) => {
		await lookAt(await placeOf(place, console), 200);
	});
}

for (const [what, path] of Object.entries(NOT_THERE)) {
	test(`axe finds nothing on the page that says that there is not ${what}`, async () => {
		await lookAt(path, 404);
	});
}

test.describe('axe finds nothing on what an admin sees', () => {
	test.beforeAll(async () => {
		await signIn(page);
	});

	for (const [what, place] of Object.entries(FOR_ADMINS)) {
		test(`of ${what}, narrow and wide, light and dark`, async ({ console }) => {
			await lookAt(await placeOf(place, console), 200);
		});
	}
});
