/** Daemons of chains with other parameters than devnet's, and with usual start options. */
import { afterEach, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { notarizedMessage } from '#lib/messages/overview.ts';
import { meanings } from '#lib/messages/transactions/meanings.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { ApprovalRequest } from '#lib/server/access/approvals/request.ts';
import { createMeasurer } from '#lib/server/access/policy/measuring/measurer.ts';
import { readMigrationForm } from '#lib/server/cross-chain/migration/formChains.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { readBlock } from '#lib/server/chains/explorer/block.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { chainGlance, type ChainGlance } from '#lib/server/chains/explorer/overview.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readToken } from '#lib/server/chains/explorer/tokens.ts';
import { needsOf } from '#lib/server/chains/health/needs.ts';
import { readDaemon, readIndexes } from '#lib/server/chains/health/read.ts';
import { startParameters } from '#lib/server/chains/health/startup.ts';
import { daemonHistory } from '#lib/server/wallet/overview/daemonHistory.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { checks } from '#lib/messages/migration/checks.ts';
import { bytesOf } from '../../../src/routes/approvals/[id]/bytes.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import { addressOn, migrationsOver } from '../migration/support.ts';
import {
	auditOf,
	between,
	creation,
	gatewayTo,
	made,
	refusal,
	reviewed,
	senderOver,
	transfer
} from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const KEY = '02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567';
/** A `listtransactions` entry for `move`. */
const MOVED =
	'{"account":"","category":"move","time":1700000000,"amount":-1.00000000,"otheraccount":"a","comment":""}';
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnSqlite('a daemon that was started otherwise', (database) => {
	const net = shared(() => startDevnet());
	const proxy = shared(() => between(net, 'ALPHA'));
	const gateway = shared(() => gatewayTo(net, database, { ALPHA: { url: proxy.url } }));
	const sender = shared(() => senderOver(database, gateway));
	afterEach(() => {
		proxy.rewrite = null;
	});

	/** Pays coins, from the form to the confirmation. */
	async function paid(): Promise<void> {
		const wish = { payments: [{ address: TO, amount: 100_000_000n }], utxos: [], rate: 10_000n };
		const id = await sender.sendCoins(WALLET, wish, 'ada');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		await sender.reconcile(id);
		expect(await reviewed(sender, id)).toMatchObject({ state: 'confirmed' });
	}

	/** The start options on the page of the daemon. */
	async function shownStart(): Promise<Map<string, string | null>> {
		const daemon = gateway.daemon('ALPHA')!;
		const answers = await readDaemon(gateway, daemon, 'test');
		const parameters = startParameters(daemon, answers, { mode: null, pubkey: null });
		return new Map(parameters.map(({ name, value }) => [name, value]));
	}

	test('tells the share of each reward as the number that it is, and its wallet pays', async () => {
		await net.control.started('ALPHA', { commission: 20_000_000 });
		const { mismatches } = gateway.health('ALPHA');
		expect(await gateway.call('ALPHA', 'getinfo', [])).toMatchObject({ commission: 20_000_000 });
		expect((await shownStart()).get('ac_perc')).toBe('20000000');
		await paid();
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
		await net.control.started('ALPHA', { commission: 0 });
	});

	test('shows its blocks, though it has no sums of the first ones, which an earlier release stored', async () => {
		const shown = () => blockList(new PageClient(gateway, 'test'), 'ALPHA', 5);
		const before = await shown();
		await net.control.started('ALPHA', { upgraded: true });
		const { mismatches } = gateway.health('ALPHA');
		expect(await shown()).toEqual(before);
		const indexes = await readIndexes(gateway, gateway.daemon('ALPHA')!, 'test', 10_000);
		expect(indexes).toMatchObject({
			txindex: { kind: 'told', value: true },
			timestampindex: { kind: 'told', value: true }
		});
		expect(await gateway.call('ALPHA', 'getblock', ['5', 2])).toMatchObject({
			chainSupply: { monitored: false, valueDelta: 100_000_000n }
		});
		expect(await gateway.call('ALPHA', 'getblockchaininfo', [])).toMatchObject({
			chainSupply: { monitored: false }
		});
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
		await net.control.started('ALPHA', { upgraded: false });
	});

	test('has a history, whatever it booked between its accounts', async () => {
		const daemon = gateway.daemon('ALPHA')!;
		const history = () => daemonHistory(new PageClient(gateway, 'test'), daemon, 20);
		const before = await history();
		const { mismatches } = gateway.health('ALPHA');
		proxy.rewrite = (method, body) =>
			method === 'listtransactions' ? body.replace(/\](?=,"error":null)/, `,${MOVED}]`) : body;
		expect(await history()).toEqual(before);
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
	});

	test('moves a token whose creation names no key', async () => {
		const tokenid = await made(net, sender);
		for (const owner of ['', `04${'ab'.repeat(64)}`]) {
			proxy.rewrite = (method, body) =>
				method === 'tokeninfo' ? body.replace(/"owner":"[0-9a-f]*"/, `"owner":"${owner}"`) : body;
			const client = new PageClient(gateway, 'test');
			expect(await readToken(client, 'ALPHA', tokenid)).toMatchObject({ owner, supply: 1000n });
			const id = await sender.moveToken('ALPHA', transfer(tokenid, KEY, 1n), 'ada');
			await sender.discard(id, 'ada');
		}
	});

	test('pays an address of its own whose key is uncompressed', async () => {
		const own = await net.rpc<string>('ALPHA', 'getnewaddress');
		proxy.rewrite = (method, body) =>
			method === 'validateaddress' && body.includes(own)
				? body
						.replace(/"pubkey":"[0-9a-f]+"/, `"pubkey":"04${'ab'.repeat(64)}"`)
						.replace('"iscompressed":true', '"iscompressed":false')
				: body;
		const wish = { payments: [{ address: own, amount: 100_000_000n }], utxos: [], rate: 10_000n };
		const id = await sender.sendCoins(WALLET, wish, 'ada');
		const hex = (await reviewed(sender, id)).hex;
		const measured = await createMeasurer(gateway).measure('ALPHA', hex, null);
		expect(measured.recipients).toEqual([]);
		await sender.discard(id, 'ada');
	});

	test('with the key of another wallet has no change there: what that key gets has left', async () => {
		const { pubkey } = net.chains.get('ALPHA')!;
		const other = addressOfPubkey(pubkey);
		const payments = [{ address: TO, amount: 100_000_000n }];
		const id = await sender.sendCoins(WALLET, { payments, utxos: [], rate: 10_000n }, 'ada');
		const { hex, review } = await reviewed(sender, id);
		const spent = review.inputs.reduce((sum, { value }) => sum + value, 0n);
		expect(await createMeasurer(gateway).measure('ALPHA', hex, null)).toMatchObject({
			usages: [{ kind: 'coin-send', amount: review.cost }],
			recipients: [TO]
		});
		proxy.rewrite = (method, body) =>
			method === 'validateaddress' && body.includes(other)
				? body.replace('"ismine":true', '"ismine":false')
				: body;
		const measured = await createMeasurer(gateway).measure('ALPHA', hex, null);
		expect(measured.usages).toEqual([{ kind: 'coin-send', amount: spent }]);
		expect(measured.recipients?.toSorted()).toEqual([TO, other].toSorted());
		// For rules, too, the address belongs to no wallet here, whichever wallet pays it.
		const to = (own: boolean) => [{ parts: [{ recipient: { address: other, own } }] }];
		const [part] = measured.movements.flatMap(({ parts }) =>
			parts.filter(({ recipient }) => recipient.is === 'address' && recipient.address === other)
		);
		expect(part).toMatchObject({ recipient: { own: false } });
		const { rights } = ruledRights({ db: database.db, gateway, audit: auditOf(database) });
		const call = { method: 'sendtoaddress', params: [`"${other}"`, '1'] } as const;
		const called = () => rights.measureCall('ada', gateway.daemon('BETA')!, call);
		expect((await called())?.movements).toMatchObject(to(false));
		// The approver of these bytes must not read this output as change.
		const asked = { kind: 'bytes', state: 'open', author: 'ada', wallet: 'ALPHA', hex } as const;
		const request = { ...asked, payouts: null, subject: null } as unknown as ApprovalRequest;
		const shown = await bytesOf({ gateway, rights, sender }, request);
		expect(shown!.outputs.map(({ meaning }) => meaning)).not.toContain(
			meanings.text({ code: 'change', params: {} })
		);
		proxy.rewrite = null;
		expect((await called())?.movements).toMatchObject(to(true));
		await sender.discard(id, 'ada');
	});

	test('with the key of another wallet is offered as no recipient of a migration', async () => {
		const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		const index = await openIndex(database.options);
		const rights = permissiveRights(gateway);
		const none = () => Promise.resolve([]);
		const offered = async () => {
			const client = new PageClient(gateway, 'test');
			const parts = { client, index, rights, sender, limits: { of: none, used: none } };
			const { chains } = await readMigrationForm(parts, { id: 'ada', name: 'ada' });
			return chains.find(({ name }) => name === 'ALPHA')?.wallet;
		};
		// A page waits only briefly for a daemon, so this one is asked before.
		await gateway.probe();
		expect(await offered()).toMatchObject({ daemon: 'ALPHA', address: own });
		proxy.rewrite = (method, body) =>
			method === 'validateaddress' ? body.replace('"ismine":true', '"ismine":false') : body;
		expect(await offered()).toMatchObject({ daemon: 'ALPHA', address: null });
		await index.close();
	});

	test('is not called without a wallet where the call would end it', async () => {
		const tokenid = await made(net, sender);
		await net.control.started('ALPHA', { wallet: false });
		const { mismatches } = gateway.health('ALPHA');
		expect((await gateway.call('ALPHA', 'getinfo', [])).balance).toBeUndefined();
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
		const needs = (method: string) =>
			`ALPHA was started without a wallet, and ${method} needs one.`;
		const calls = [
			gateway.call('ALPHA', 'tokencreate', ['A', '1']),
			gateway.call('ALPHA', 'tokentransfer', [tokenid, KEY, '1'])
		];
		await expect(calls[0]).rejects.toThrow(needs('tokencreate'));
		await expect(calls[1]).rejects.toThrow(needs('tokentransfer'));
		const burn: [string, string, string] = ['BETA', TO, '1'];
		await expect(gateway.call('ALPHA', 'migrate_createburntransaction', burn)).rejects.toThrow(
			needs('migrate_createburntransaction')
		);
		await expect(
			gateway.proxyBatch('ALPHA', [
				{ method: 'getblockcount', paramsText: '[]', idText: '1' },
				{ method: 'tokencreate', paramsText: '["A","1"]', idText: '2' }
			])
		).rejects.toThrow(needs('tokencreate'));
		expect(await gateway.call('ALPHA', 'getblockcount', [])).toBeGreaterThan(0);
		await expect(gateway.call('ALPHA', 'getbalance', [])).rejects.toThrow(/\(disabled\)/);

		await net.control.started('ALPHA', { wallet: true });
		await made(net, sender);
	});

	test('says that it has no wallet wherever one would be used', async () => {
		await net.control.started('ALPHA', { wallet: false });
		const tokenid = 'ab'.repeat(32);
		const none = 'The daemon ALPHA was started without a wallet, so it builds nothing.';
		const wish = { payments: [{ address: TO, amount: 100_000_000n }], utxos: [], rate: 10_000n };
		for (const act of [
			() => sender.createToken('ALPHA', creation(), 'ada'),
			() => sender.moveToken('ALPHA', transfer(tokenid, KEY, 1n), 'ada'),
			() => sender.sendCoins(WALLET, wish, 'ada'),
			() => sender.consolidate('ALPHA', 'ada')
		]) {
			expect((await refusal(net, act())).message).toContain(none);
		}
		const client = new PageClient(gateway, 'test');
		const rights = permissiveRights(gateway);
		const form = await formWallet(client, 'ALPHA', { rights, sender }, 'ada');
		expect(form).toMatchObject({
			usable: false,
			sentence: expect.stringContaining(none) as string
		});

		const migrations = migrationsOver(database.db, gateway);
		const to = await addressOn(net, 'BETA');
		const wanted = { source: 'ALPHA', destination: 'BETA', address: to, amount: '1' } as const;
		const drafted = await migrations.draft({ ...wanted, policy: 'automatic' }, 'ada');
		if (drafted.kind !== 'refused') throw new Error('It was drafted.');
		const failed = drafted.checks.filter(({ result }) => result === 'fail');
		const sentences = failed.map(({ message }) => checks.text(message));
		expect(sentences).toContainEqual(expect.stringContaining(none));
		expect(sentences.join(' ')).not.toMatch(/belong to someone else/);
		await net.control.started('ALPHA', { wallet: true });
	});

	test('is used although it spells what is only shown in a way that nobody knows', async () => {
		proxy.rewrite = (method, body) =>
			method === 'getinfo'
				? body.replace(/"(reward|halving|premine|magic|keypoolsize)":("?)[-\d]+"?/g, '"$1":[$2$2]')
				: body;
		const info = await gateway.call('ALPHA', 'getinfo', []);
		expect(info).toMatchObject({ name: 'ALPHA', CCid: 777 });
		for (const name of ['reward', 'halving', 'premine', 'magic', 'keypoolsize'] as const) {
			expect(reported(info, name)).toBeNull();
		}
		await paid();
	});

	test('is shown without the facts that it does not report or spells in a way that is unknown', async () => {
		const daemon = gateway.daemon('ALPHA')!;
		const kept = () => Promise.resolve({ at: 0, data: { notarized: 17 } as ChainGlance });
		const spellings = [',"$1_":0', ',"$1":null', ',"$1":"many"'];
		for (const spelling of spellings) {
			proxy.rewrite = (method, body) =>
				method === 'getinfo'
					? body.replace(
							/,"(version|notarized|longestchain|tiptime|connections|relayfee|sapling|p2pport)":[^,]+/g,
							spelling
						)
					: body;
			const answers = await readDaemon(gateway, daemon, 'test');
			const parameters = startParameters(daemon, answers, { mode: null, pubkey: null });
			expect(parameters.map(({ name }) => name)).not.toContain('p2pport');
			expect(parameters.map(({ name }) => name)).not.toContain('ac_sapling');
			const needs = needsOf(answers, {
				chain: 'ALPHA',
				dialect: 'komodod',
				dataCarrierSize: null,
				importMode: { mode: null, pubkey: null },
				siblings: [],
				hasMain: true
			}).flatMap((group) => group.needs);
			for (const id of ['sapling', 'notarizations']) {
				expect(needs.find((need) => need.id === id)?.code).toBe('not-reported');
			}
			const client = new PageClient(gateway, 'test');
			const recency = { tip: spelling, ofMany: false };
			const glance = await chainGlance(client, 'ALPHA', false, kept, recency);
			expect(glance.data).toMatchObject({
				tipAt: null,
				peers: null,
				longest: null,
				notarized: 17
			});
		}
	});

	test('is not called never notarized when neither it nor the index tells of a notarization', async () => {
		proxy.rewrite = (_, body) =>
			body
				.replace(/"(last_notarized_height|notarized)":\d+,/g, '')
				.replace(/"notarized":\d+/, '"":0');
		// A page waits briefly, so each is a page of its own.
		const client = () => new PageClient(gateway, 'test');
		const none = { at: 0, data: { notarized: null } as ChainGlance };
		const recency = { tip: 'none', ofMany: false };
		const glance = await chainGlance(
			client(),
			'ALPHA',
			false,
			() => Promise.resolve(none),
			recency
		);
		expect(notarizedMessage(glance.data!)).toBe('Unknown');
		const list = await blockList(client(), 'ALPHA', 2);
		expect(list).toMatchObject({ notarized: null, lines: [{ height: list.tip }, {}] });
		const block = await readBlock(client(), 'ALPHA', '1', 1, 5);
		expect(block).toMatchObject({ height: 1, notarized: null });
		proxy.rewrite = (_, body) =>
			body.replace(/"(last_notarized_height|rawconfirmations|segid)":\d+/g, '"$1":null');
		expect(await blockList(client(), 'ALPHA', 2)).toMatchObject({ notarized: null });
		proxy.rewrite = null;
		const { notarized } = await blockList(client(), 'ALPHA', 2);
		expect(notarized).toBeGreaterThan(0);
		expect(notarizedMessage({ height: 9, notarized: 0 })).toBe('Never notarized');
	});

	test('is shown without a time that no page can format', async () => {
		const late = '1000000000000000';
		proxy.rewrite = (_, body) => body.replace(/"(time|tiptime)":\d+/g, `"$1":${late}`);
		const client = new PageClient(gateway, 'test');
		const nothing = () => Promise.resolve(null);
		const recency = { tip: late, ofMany: false };
		const glance = await chainGlance(client, 'ALPHA', false, nothing, recency);
		expect(glance.data).toMatchObject({ tipAt: null, wrong: [] });
		const { lines } = await blockList(client, 'ALPHA', 5);
		expect(lines.map(({ time }) => time)).toEqual(Array(5).fill(null));
	});

	test('is shown as a daemon without a pubkey when its pubkey is no compressed key', async () => {
		const uncompressed = `04${'ab'.repeat(32)}`;
		proxy.rewrite = (method, body) =>
			method === 'getinfo' ? body.replace(/"pubkey":"[^"]*"/, `"pubkey":"${uncompressed}"`) : body;
		const expected = { expect: { ccid: null, pubkey: null }, url: proxy.url };
		const other = gatewayTo(net, database, { ALPHA: expected });
		await other.probe();
		const answers = await readDaemon(other, other.daemon('ALPHA')!, 'test');
		expect(answers.info).toMatchObject({ kind: 'told', value: { pubkey: undefined } });
		expect(answers.addressindex).toEqual({ kind: 'told', value: true });
		expect(other.daemon('ALPHA')!.pubkey).toBeNull();
		await other.close();
	});
});

describeOnSqlite('the released daemon of KMD', (database) => {
	const net = shared(() => startDevnet({ profile: 'daemon-0.9.0' }));
	const gateway = shared(() => gatewayTo(net, database));

	test('tells when its coins become mature and what they earn, and nothing of it is unexpected', async () => {
		await net.rpc('KMD', 'setgenerate', true, 1);
		await net.rpc('KMD', 'generate', 1);
		const [line] = (await gateway.call('KMD', 'listtransactions', ['*', 1])) as [object];
		expect(line).toMatchObject({ category: 'immature', blockstomaturity: 99 });
		const { txid } = line as { txid: string };
		expect(await gateway.call('KMD', 'gettransaction', [txid])).toMatchObject({
			details: [{ category: 'immature', blockstomaturity: 99 }]
		});

		const paid = await net.rpc<string>('KMD', 'sendtoaddress', TO, 20);
		await net.control.mine('KMD');
		await net.control.clock(2 * 86_400);
		await net.control.mine('KMD');
		const { vout } = await net.rpc<{ vout: { value: number; n: number }[] }>(
			'KMD',
			'getrawtransaction',
			paid,
			1
		);
		const { n } = vout.find(({ value }) => value === 20)!;
		const output = await gateway.call('KMD', 'gettxout', [paid, n]);
		expect(output?.value).toBe(2_000_000_000n);
		expect(output?.interest).toBeGreaterThan(0n);
		expect(gateway.health('KMD').mismatches).toBe(0);
	});
});
