import { beforeAll, describe, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { parsePayouts, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	TOKENS_GLOBAL_PUBKEY,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pk } from '#lib/chain/script.ts';
import {
	parseTransaction,
	serializeTransaction,
	type Transaction
} from '#lib/chain/transaction.ts';
import { createIndexReader } from '#lib/server/chains/health/indexMemory.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';
import { preflight } from '#lib/server/cross-chain/migration/preflight.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { startAlteringProxy, type Alter } from './alteringProxy.ts';
import {
	addressOn,
	burnsOf,
	draftBurn,
	failed,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	placesOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

const BUILD = 'migrate_createburntransaction';

/** Changes the burn as a transaction. */
const withBurn =
	(change: (tx: Transaction) => void): Alter =>
	(result) => {
		const tx = parseTransaction(String(result['BurnTxHex']));
		change(tx);
		return { ...result, BurnTxHex: bytesToHex(serializeTransaction(tx)) };
	};

/** Replaces bytes of the burn's last output. */
const withPayload = (from: string, to: string): Alter =>
	withBurn((tx) => {
		const last = tx.vout.at(-1)!;
		last.script = hexToBytes(bytesToHex(last.script).replace(from, to));
	});

const ascii = (text: string): string => bytesToHex(new TextEncoder().encode(text));

describeOnBothDatabases('before a burn', (database) => {
	let to: string;
	let burns: string[];
	const net = shared(() => startDevnet());
	const proxy = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: proxy.url })));
	const migrations = shared(() => migrationsOver(database.db, gateway));
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
		burns = await burnsOf(net, 'ALPHA');
	});

	const draft = (more: Partial<Parameters<Migrations['draft']>[0]> = {}): Promise<DraftResult> =>
		draftBurn(migrations, { address: to, amount: '1.15', ...more });

	/** The message that refused the draft; nothing was stored or sent. */
	async function refusal(result: DraftResult): Promise<string> {
		expect(result.kind).not.toBe('drafted');
		expect(await database.db.selectFrom('migrations').select('id').execute()).toEqual([]);
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
		return failed(result);
	}

	test('the token address of a wallet, the module and the burn key take no coins', async () => {
		const pubkey = hexToBytes(net.chains.get('BETA')!.pubkey);
		for (const address of [
			ccAddress(tokenScript(pubkey)),
			ccAddress(tokenScript(TOKENS_GLOBAL_PUBKEY)),
			ccAddress(tokenScript(BURN_PUBKEY)),
			addressOfPubkey(TOKENS_GLOBAL_PUBKEY),
			addressOfPubkey(BURN_PUBKEY)
		]) {
			expect(await refusal(await draft({ address }))).toMatch(/address\.token-(module|address)/);
		}
	});

	test('nor does the token address of somebody else, once the chain has seen it', async () => {
		const stranger = publicKeyOf(new Uint8Array(32).fill(7));
		const address = ccAddress(tokenScript(stranger));
		const send = async (built: Promise<{ hex: string }>): Promise<string> => {
			const txid = await net.rpc<string>('BETA', 'sendrawtransaction', (await built).hex);
			await net.control.mine('BETA');
			return txid;
		};
		const tokenid = await send(net.rpc('BETA', 'tokencreate', 'TOK', '0.00001'));
		await send(net.rpc('BETA', 'tokentransfer', tokenid, bytesToHex(stranger), '5'));
		expect(await refusal(await draft({ address }))).toContain('address.condition');
	});

	test('no burn is built for a key that the wallet does not hold: its change would be lost', async () => {
		proxy.alter('validateaddress', (result) => ({ ...result, ismine: false }));
		expect(await refusal(await draft())).toContain('wallet.foreign-pubkey');
		proxy.alter('validateaddress', null);
		expect(proxy.count(BUILD)).toBe(0);
	});

	test('a public key and a script address are no recipients, and an empty field is said to be one', async () => {
		expect(await refusal(await draft({ address: ' ' }))).toContain('address-missing');
		const key = net.chains.get('BETA')!.pubkey;
		expect(await refusal(await draft({ address: key }))).toContain('public-key');
		expect(await refusal(await draft({ address: 'bKMhBxgvRy2oLs4yYRQySYWBT15dDVJQr9' }))).toMatch(
			/address\.not-base58|script-address/
		);
	});

	test('a chain with another id is refused', async () => {
		expect(await refusal(await draft({ destination: 'GAMMA' }))).toContain(
			JSON.stringify({
				code: 'ccid.different',
				params: { source: 'ALPHA', sourceCcid: 777, destination: 'GAMMA', destinationCcid: 888 }
			})
		);
	});

	test('a burn whose change is less than daemons relay is refused before anyone confirms it', async () => {
		const tooMuch = 1_000_000;
		proxy.alter('getinfo', (result) => ({ ...result, relayfee: tooMuch }));
		expect(await refusal(await draft())).toContain('change.dust');
		proxy.alter('getinfo', null);
	});

	test('KMD and a chain without an id take no part', async () => {
		expect(await refusal(await draft({ destination: 'KMD' }))).toContain('ccid.too-low');
		expect(await refusal(await draft({ source: 'KMD' }))).toContain('ccid.too-low');
	});

	test('the same chain twice is refused', async () => {
		expect(await refusal(await draft({ destination: 'ALPHA' }))).toContain('chains.same');
	});

	test.each([
		['0', 'amount-zero'],
		['1,15', 'amount.with-comma'],
		['1000000.00000001', 'amount-above 100000000000000'],
		['0x10', 'amount.not-a-number'],
		['-1', 'amount.not-a-number']
	])('the amount %s is refused', async (amount, code) => {
		expect(await refusal(await draft({ amount }))).toContain(code);
	});

	test('more than the wallet has is refused, also when only many small outputs would do', async () => {
		const other = await addressOn(net, 'GAMMA');
		// The remainder is far below a million coins.
		await net.rpc('BETA', 'sendtoaddress', other, 1_300_000);
		await net.control.mine('BETA');
		const back = { source: 'BETA', destination: 'ALPHA', address: other };
		expect(await refusal(await draft({ ...back, amount: '900000' }))).toContain(
			'"needed":"90000000010000"'
		);
		const unspent = await net.rpc<{ amount: number }[]>('BETA', 'listunspent');
		const all = unspent.reduce((sum, { amount }) => sum + Math.round(amount * 1e8), 0);
		const most = formatCoins(BigInt(all) - 10_000n);
		const tooMany = await draft({ ...back, amount: most });
		expect(await refusal(tooMany)).toContain('funds.too-many-outputs');
		expect(tooMany.kind === 'refused' && tooMany.checks).toContainEqual(
			expect.objectContaining({ remedy: { code: 'consolidate', href: '/chains/BETA/consolidate' } })
		);
	});

	test('one satoshi comes with the warning that it may not be relayed', async () => {
		const request = {
			source: 'ALPHA',
			destination: 'BETA',
			address: to,
			amount: 1n,
			policy: 'automatic' as const,
			tokenid: null,
			composed: null
		};
		const { checks } = await preflight(gateway, request, createIndexReader(gateway), true);
		expect(checks).toContainEqual(expect.objectContaining({ id: 'dust', result: 'warn' }));
	});

	test('every index of both chains is named, and only the source’s txindex stops a burn', async () => {
		const missing = { code: -5, message: 'No information available about transaction' };
		proxy.refuse('getrawtransaction', missing);
		proxy.refuse('getspentinfo', { code: -5, message: 'Unable to get spent info' });
		// The known indexes are cached for a while, so another instance checks for itself.
		const fresh = migrationsOver(database.db, gateway);
		const stopped = await draftBurn(fresh, { address: to, amount: '1.15' });
		proxy.refuse('getrawtransaction', null);
		proxy.refuse('getspentinfo', null);
		expect(await refusal(stopped)).toMatch(/index\.off.*"txindex","chain":"ALPHA"/);
		const checks = stopped.kind === 'refused' ? stopped.checks : [];
		const results = ['txindex', 'addressindex', 'spentindex', 'timestampindex'].flatMap((name) =>
			['ALPHA', 'BETA'].map((chain) => {
				const found = checks.find(({ id }) => id === `${name}-${chain}`);
				return `${chain} ${name} ${found?.result}`;
			})
		);
		expect(results).toEqual([
			'ALPHA txindex fail',
			'BETA txindex ok',
			'ALPHA addressindex ok',
			'BETA addressindex ok',
			'ALPHA spentindex warn',
			'BETA spentindex ok',
			'ALPHA timestampindex ok',
			'BETA timestampindex ok'
		]);
	});

	test('an index that was off is found by the next draft, once its daemon has it', async () => {
		const fresh = migrationsOver(database.db, gateway);
		const wish = { address: to, amount: '1.15' };
		proxy.refuse('getspentinfo', { code: -5, message: 'Unable to get spent info' });
		expect(await refusal(await draftBurn(fresh, wish))).toContain('index.off');
		proxy.refuse('getspentinfo', null);
		const drafted = await draftBurn(fresh, wish);
		expect(drafted).toMatchObject({ kind: 'drafted' });
		await fresh.discard(idOfDraft(drafted), 'ada');
		await database.db.deleteFrom('migrations').execute();
	});

	describe('a daemon that builds something else', () => {
		const stranger = p2pk(
			hexToBytes(`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`)
		);
		test.each<[string, Alter, string]>([
			[
				'pays somebody else on the destination',
				(result) => {
					const [payout] = parsePayouts(String(result['payouts']));
					const payouts = [{ value: payout!.value, script: stranger }];
					return { ...result, payouts: bytesToHex(serializePayouts(payouts)) };
				},
				'review.wrong-recipient'
			],
			[
				'pays a satoshi less',
				(result) => {
					const [payout] = parsePayouts(String(result['payouts']));
					const payouts = [{ ...payout!, value: payout!.value - 1n }];
					return { ...result, payouts: bytesToHex(serializePayouts(payouts)) };
				},
				'review.wrong-amount'
			],
			[
				'burns more',
				withBurn((tx) => {
					tx.vout.at(-1)!.value += 1n;
				}),
				'review.wrong-burn-amount'
			],
			[
				'burns for another chain',
				withPayload(ascii('BETA'), ascii('BETB')),
				'review.wrong-destination'
			],
			['names another source', withPayload(ascii('ALPHA'), ascii('ALPHB')), 'review.wrong-source'],
			[
				'sends the change away',
				withBurn((tx) => {
					tx.vout[0]!.script = stranger;
				}),
				'verification.foreign-output'
			],
			[
				'leaves the change to the miners',
				withBurn((tx) => {
					tx.vout.shift();
				}),
				'review.unbalanced'
			],
			['signs nothing', (result) => ({ ...result, BurnTxHex: '' }), 'transaction.unsigned'],
			[
				'leaves an input unsigned',
				withBurn((tx) => {
					tx.vin[0]!.scriptSig = new Uint8Array(0);
				}),
				'transaction.unsigned'
			],
			[
				'changes what was signed',
				withBurn((tx) => {
					tx.expiryHeight += 1;
				}),
				'verification.signature-invalid'
			]
		])('%s: stopped, and named', async (_, change, words) => {
			proxy.alter(BUILD, change);
			expect(await refusal(await draft())).toContain(words);
			proxy.alter(BUILD, null);
		});
	});

	test('a locked wallet is named', async () => {
		await net.control.wallet('ALPHA', { locked: true });
		expect(await refusal(await draft())).toContain('wallet.locked');
		await net.control.wallet('ALPHA', { locked: false });
	});

	test('a chain that does not answer is named', async () => {
		await net.control.fault('BETA', 'down');
		expect(await refusal(await draft())).toContain('chain.unreachable');
		await net.control.fault('BETA', 'none');
	});

	test('a destination without seven notarizations in a day is refused', async () => {
		await net.control.mine('KMD', 1450);
		for (let i = 0; i < 3; i++) {
			await net.control.mine('ALPHA');
			await net.control.notarize('ALPHA');
			await net.control.mine('BETA');
			await net.control.notarize('BETA');
		}
		await net.control.mine('KMD', 1);
		expect(await refusal(await draft())).toContain(
			JSON.stringify({
				code: 'notarized.too-seldom',
				params: { chain: 'BETA', found: 3, approvals: false }
			})
		);
	});
});
