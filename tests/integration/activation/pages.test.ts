/** Texts of the trading node's pages about a member's actions and about balances. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'cheerio';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { failureWords } from '#lib/messages/activation/failures.ts';
import { kdfList, kdfTask } from '#lib/messages/pages/kdf.ts';
import { activeCoin } from '#lib/messages/pages/kdfActive.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { CONFIRM_CODE_FIELD } from '#lib/server/platform/http/confirmField.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { addApp, nextCode } from '../second-factors/support.ts';
import { startRuledProduct, type Member, type RuledProduct } from '../policies/ruledProduct.ts';

/** Wait for server rounds, which run every few seconds. */
const ROUNDS = { timeout: 30_000, interval: 250 };

describeOnSqlite('a page of the trading node', (database) => {
	let product: RuledProduct;
	let ada: Member;
	beforeAll(async () => {
		product = await startRuledProduct(database);
		ada = await product.member('admin');
	});
	afterAll(() => product.stop());

	/**
	 * Starts an activation with the values that its form shows.
	 * @returns the path of its page
	 */
	async function activate(ticker: string): Promise<string> {
		type Fields = Record<string, string | string[]>;
		const { evm, initial } = (await ada.page(`/kdf/${ticker}`)) as {
			evm: { initial: Fields } | null;
			initial: Fields;
		};
		const filledIn = Object.entries(evm?.initial ?? initial).flatMap(([name, value]) =>
			[value]
				.flat()
				.slice(0, 1)
				.map((one) => [name, one] as const)
		);
		const begun = await ada.submit(`/kdf/${ticker}?/activate`, filledIn);
		if (begun.kind !== 'redirect') throw new Error(begun.shown);
		return begun.location;
	}

	test('says of a change whose answer was lost that the node may have acted, and promises no retry', async () => {
		const { control } = product.net;
		await control.kdfFault('drop', { method: 'disable_coin', phase: 'after', count: 1 });
		const said = await ada.shown('/kdf/KMD?/disable', {});
		expect(said).toContain(
			'The answer of trading-node to disable_coin broke off. It is unknown whether the node acted.'
		);
		expect(said).not.toContain('automatically');
	});

	test('says of an answer that cannot be read what is wrong with it, and not that none came', async () => {
		const { control } = product.net;
		await control.kdfFault('truncate', { method: 'get_enabled_coins', count: 1 });
		const { text } = await ada.text('/kdf/KMD');
		expect(text).toContain('The answer of trading-node to get_enabled_coins broke off.');
		expect(text).not.toContain('did not respond in time');
	});

	test('says of a platform whose servers all keep their version to themselves why the node is not asked', async () => {
		const { control } = product.net;
		await control.evmRefuses('web3_clientVersion');
		const task = await activate('ETH');
		await vi.waitFor(
			async () =>
				expect((await ada.text(task)).text).toContain(
					'does not report its version (web3_clientVersion), so the trading node does not use it.'
				),
			ROUNDS
		);
		const page = (await ada.page(task)) as { taskId: number | null; state: string };
		expect(page).toMatchObject({ taskId: null, state: 'waiting' });
		await ada.shown(`${task}?/cancel`, {});
		await control.evmRefuses(null);
	});

	test('says of an activation that a safety control holds back that nothing was sent', async () => {
		const controls = createSafetyControls(database.db, product.auth.audit);
		await controls.turnOn('read-only', 'an incident', ada.account.name);
		const begun = await ada.submit('/kdf?/device', {});
		if (begun.kind !== 'redirect') throw new Error(begun.shown);
		const { location } = begun;
		await vi.waitFor(
			async () => expect((await ada.text(location)).text).toContain('an incident'),
			ROUNDS
		);
		const { text } = await ada.text(location);
		expect(text).toContain(kdfTask.heldBack);
		expect(text).not.toContain(kdfTask.continues);
		await ada.shown(`${location}?/cancel`, {});
		await controls.turnOff('read-only', ada.account);
	});

	test('has the same defaults for what swaps wait for in the form that activates a coin as for an active one', async () => {
		for (const ticker of ['KMD', 'BCH', 'LTC']) {
			const { usual, initial } = (await ada.page(`/kdf/${ticker}`)) as {
				usual: { confirmations: number; notarization: boolean };
				initial: { required_confirmations: string; requires_notarization: string };
			};
			expect([ticker, String(usual.confirmations), usual.notarization]).toEqual([
				ticker,
				initial.required_confirmations,
				initial.requires_notarization === 'yes'
			]);
		}
	});

	test('says of coins whose balances are not read yet that the list by balance does not have them', async () => {
		const { control } = product.net;
		await control.kdfFault('latency', { method: 'my_balance', ms: 60_000 });
		await activate('KMD');
		await vi.waitFor(
			async () =>
				expect((await ada.text('/kdf?balance=some')).text).toContain(kdfList.left.reading(1)),
			ROUNDS
		);
		await control.kdfFault('none');
	});

	test('shows and exports no address that cannot be one of the coin, whichever page read it', async () => {
		const task = await activate('ALPHA');
		await vi.waitFor(
			async () => expect((await ada.text(task)).text).toContain(kdfTask.done('ALPHA')),
			ROUNDS
		);
		const files = [`${task}/addresses.csv`, '/kdf/ALPHA/addresses.csv'];
		const [own] = /\bR\w{33}\b/.exec((await ada.text(files[0]!)).text) ?? [];
		expect(own).toBeDefined();
		expect((await ada.text(files[1]!)).text).toContain(own);
		const path = join(product.net.dir, 'coins_config.json');
		const before = readFileSync(path, 'utf8');
		const coins = JSON.parse(before) as Record<string, object>;
		writeFileSync(path, JSON.stringify({ ...coins, ALPHA: { ...coins['ALPHA'], pubtype: 0 } }));
		const told = activeCoin.strangeAddress('ALPHA');
		await vi.waitFor(async () => expect((await ada.text(task)).text).toContain(told), ROUNDS);
		for (const place of [task, '/kdf/ALPHA', ...files]) {
			const { text } = await ada.text(place);
			expect(text, place).toContain(told);
			expect(text, place).not.toContain(own);
		}
		writeFileSync(path, before);
	});

	test('shows the rest where the node leaves something out, and says what is unknown', async () => {
		const { control } = product.net;
		const held = async () => (await ada.page('/kdf/KMD'))['held'];
		const address = expect.stringMatching(/^R\w{33}$/) as string;
		const balance = { spendable: expect.stringMatching(/^\d/) as string, isPart: false };
		for (const [member, shown] of [
			['unspendable_balance', { address, total: { ...balance, unspendable: null } }],
			['balance', { address, total: null, problem: null }],
			['address', { address: null, qr: null, total: { ...balance, unspendable: '0' } }]
		] as const) {
			await control.kdfResults({ method: 'my_balance', path: [member] });
			await vi.waitFor(async () => expect(await held()).toMatchObject(shown), ROUNDS);
			for (const place of ['/kdf/KMD', '/kdf', '/kdf?balance=some', '/kdf/KMD/addresses.csv']) {
				expect([place, (await ada.text(place)).status]).toEqual([place, 200]);
			}
			if (member === 'unspendable_balance') {
				const { text } = await ada.text('/kdf/KMD');
				expect(text).toContain(activeCoin.unspendableUnknown);
			}
		}
		await control.kdfResults();
	});

	test('shows the address that signs although the servers of its coin are slow', async () => {
		const { control } = product.net;
		await control.kdfFault('latency', { method: 'my_balance', ms: 1_500 });
		const none = { address: '', path: '', account_id: '', chain: '', address_id: '' };
		const shown = await ada.shown('/kdf/sign?/show', { coin: 'KMD', message: 'hello', ...none });
		await control.kdfFault('none');
		expect(shown).toMatch(/name="address" value="R\w{33}"/);
	});

	test('leads back from the address that signs to the form with what was typed', async () => {
		const isActive = async (): Promise<boolean> =>
			((await ada.page('/kdf/sign'))['coins'] as { ticker: string }[]).some(
				({ ticker }) => ticker === 'KMD'
			);
		if (!(await isActive())) await activate('KMD');
		await vi.waitFor(async () => expect(await isActive()).toBe(true), ROUNDS);
		const typed = { coin: 'KMD', message: 'hello\nthere', path: '', account_id: '', chain: '' };
		const fields = { ...typed, address_id: '' };
		const shown = load(await ada.shown('/kdf/sign?/show', { ...fields, address: '' }));
		const form = shown('form[action="?/edit"]');
		expect(form.find('button').text()).toBe('Back');
		const kept = Object.fromEntries(form.serializeArray().map(({ name, value }) => [name, value]));
		expect({ ...kept, message: kept['message']?.replaceAll('\r', '') }).toMatchObject(fields);
		const back = load(await ada.shown('/kdf/sign?/edit', kept));
		expect(back('textarea[name="message"]').val()).toBe(typed.message);
		expect(back('select[name="coin"]').val()).toBe('KMD');
		expect(back('[aria-invalid="true"]')).toHaveLength(0);
	});

	test('sends nothing for members who lost the right while it waited for its place at the node', async () => {
		const { control } = product.net;
		const [oda, ora, eve] = [
			await product.member('operator'),
			await product.member('operator'),
			await product.member('admin')
		];
		const none = { address: '', path: '', account_id: '', chain: '', address_id: '' };
		const typed = { coin: 'KMD', message: 'hello', ...none };
		const { platforms } = await ada.page('/kdf/signers');
		const [{ chain }] = platforms as [{ chain: string }];
		await control.kdfFault('latency', { method: 'my_balance', ms: 4_000 });
		// The places of the node.
		const others = ['A', 'B', 'C', 'D'].map((coin) =>
			ada.rpc(TRADING_NODE, JSON.stringify({ method: 'my_balance', coin }))
		);
		await sleep(500);
		const told = Promise.all([
			oda.shown('/kdf/sign?/sign', typed),
			ora.shown('/kdf/sign?/sign', typed),
			eve.shown('/kdf/KMD?/disable', {}),
			eve.shown('/kdf/KMD?/swaps', { confirmations: '7', notarization: '' }),
			eve.shown('/kdf/signers?/connect', { chain })
		]);
		await sleep(1_500);
		for (const { account } of [oda, eve]) {
			await product.auth.members.setRole(null, account.id, 'viewer');
		}
		await product.auth.sessions.endOthers(ora.account, null);
		for (const shown of await told) {
			expect(shown).toContain(failureWords.kept.what);
			expect(shown).not.toContain('wc:');
		}
		await Promise.all(others);
		await control.kdfFault('none');
		expect(await ada.page('/kdf/KMD')).toMatchObject({ active: true });
		const unsent = await product.auth.audit.list({ action: 'rpc.failed' });
		expect(unsent.map(({ detail }) => detail['method'])).toEqual(['sign_message', 'sign_message']);
	});

	test('signs for a member who shows the second factor with the form itself', async () => {
		const { account } = await product.member('operator');
		const { auth } = product;
		const { secret, sessionId, idHash } = await addApp(auth, account);
		await auth.sessions.confirm(idHash, database.db, Date.now() - 10 * 60_000);
		const none = { address: '', path: '', account_id: '', chain: '', address_id: '' };
		const code = nextCode(secret);
		const response = await fetch(`${product.url}/kdf/sign?/sign`, {
			method: 'POST',
			headers: {
				origin: product.url,
				accept: 'text/html',
				cookie: `${SESSION_COOKIE}=${sessionId}`
			},
			body: new URLSearchParams({
				coin: 'KMD',
				message: 'hello',
				...none,
				[CONFIRM_CODE_FIELD]: code
			})
		});
		expect(await response.text()).toContain('/kdf/verify?');
	});

	test('shows the invitation of a remote signer as the answer, to which the page scrolls', async () => {
		const { platforms } = await ada.page('/kdf/signers');
		const [{ chain }] = platforms as [{ chain: string }];
		const $ = load(await ada.shown('/kdf/signers?/connect', { chain }));
		expect($('[data-kind="done"] pre').text()).toMatch(/^wc:/);
	});

	test('does not say of a wallet with accounts that it holds nothing because its first account does', async () => {
		const { control } = product.net;
		await control.restartNode({ hd: true });
		const path = ['addresses', 'each', 'balance', 'KMD', 'spendable'];
		await control.kdfResults({ method: 'account_balance', path, value: '0' });
		await activate('KMD');
		const listed = async (filter: string) =>
			(await ada.page(`/kdf?${filter}`))['coins'] as { ticker: string; held: object | null }[];
		await vi.waitFor(
			async () =>
				expect((await listed('q=KMD')).find(({ ticker }) => ticker === 'KMD')).toMatchObject({
					held: { total: { spendable: '0', isPart: false }, account: 0 }
				}),
			ROUNDS
		);
		expect((await ada.text('/kdf?q=KMD')).text).toContain(kdfList.oneAccount(0));
		const none = (await listed('balance=none')).map(({ ticker }) => ticker);
		expect(none).not.toContain('KMD');
		await control.kdfResults();
	});

	test('says of the balance of an account with many addresses that it is not all of it', async () => {
		await product.net.control.restartNode({ hd: true });
		await activate('KMD');
		const held = async () =>
			(await ada.page('/kdf/KMD')) as { held: { total: unknown; account: number | null } | null };
		await vi.waitFor(
			async () => expect(await held()).toMatchObject({ held: { account: 0, isAsked: false } }),
			ROUNDS
		);
		const part = 'Not all addresses of the account are counted.';
		expect((await ada.text('/kdf/KMD')).text).toContain('Account 0');
		expect((await ada.text('/kdf/KMD')).text).not.toContain(part);
		const params = { coin: 'KMD', account_id: 0, chain: 'External', gap_limit: 200 };
		for (let listed = 0; listed < 51; listed += 1) {
			const call = { mmrpc: '2.0', id: 1, method: 'get_new_address', params };
			expect((await ada.rpc(TRADING_NODE, JSON.stringify(call))).status).toBe(200);
		}
		for (const place of ['/kdf/KMD', '/kdf/KMD?page=2', '/kdf?q=KMD']) {
			await vi.waitFor(async () => expect((await ada.text(place)).text).toContain(part), ROUNDS);
		}
	});
});
