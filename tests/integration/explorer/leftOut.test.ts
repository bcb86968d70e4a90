/** Pages and payments of daemons that leave members out, or write null: what is not used does not matter. */
import { describe, expect, test } from 'vitest';
import {
	isJsonObject,
	parseJson,
	stringifyJson,
	type JsonNumber,
	type JsonValue
} from '#lib/rpc/json.ts';
import { blockList, readBlockFacts } from '#lib/server/chains/explorer/blocks.ts';
import { readBlock } from '#lib/server/chains/explorer/block.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readMempool } from '#lib/server/chains/explorer/mempool.ts';
import { readToken } from '#lib/server/chains/explorer/tokens.ts';
import { readMom } from '#lib/server/chains/explorer/proof/mom.ts';
import { ProofClient, wayOf } from '#lib/server/chains/explorer/proof/ways.ts';
import { daemonClientOf } from '#lib/server/chains/daemon/daemonClient.ts';
import { findAnywhere } from '#lib/server/chains/daemon/findTransaction.ts';
import { createSource } from '#lib/server/chains/indexer/source.ts';
import { needsOf } from '#lib/server/chains/health/needs.ts';
import { readDaemon } from '#lib/server/chains/health/read.ts';
import { readInterest } from '#lib/server/wallet/overview/interest.ts';
import { readWallet } from '#lib/server/wallet/overview/readWallet.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { membersOf, without } from '../../faults/members.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, refusal, sharedSender } from '../transactions/support.ts';

/** What a list of blocks shows of each, by the name of its cell. The height is the one that was asked for. */
const LISTED = { hash: 'hash', time: 'time', size: 'size', tx: 'transactions' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

/** The value with null for a member. */
const nulled = (value: JsonValue, [name, ...deeper]: readonly string[]): JsonValue => {
	if (name === undefined) return null;
	if (Array.isArray(value)) return value.map((one: JsonValue) => nulled(one, [...deeper]));
	if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
	return { ...value, [name]: nulled(value[name]!, deeper) };
};

describe('a daemon that leaves members out', () => {
	describeOnSqlite('of a chain with tokens', (database) => {
		const { net, proxy, sender } = sharedSender(database, 'ALPHA');
		// A daemon that does not report what the configuration expects is refused as another one.
		const expected = { ccid: null, pubkey: null };
		const gateway = shared(() =>
			gatewayTo(net, database, { ALPHA: { url: proxy.url, expect: expected } })
		);
		/** Changes each result of one method. */
		const answering = (method: string, change: (result: JsonValue) => JsonValue): void => {
			proxy.rewrite = (asked, body) => {
				if (asked !== method) return body;
				const content = parseJson(body);
				const changed = (envelope: JsonValue): JsonValue =>
					isJsonObject(envelope)
						? { ...envelope, result: change(envelope['result'] ?? null) }
						: envelope;
				return stringifyJson(Array.isArray(content) ? content.map(changed) : changed(content));
			};
		};
		/** Reads for a page, as often as it takes for an answer within a page's time. */
		async function read<T>(what: (client: PageClient) => Promise<T>): Promise<T> {
			for (;;) {
				try {
					return await what(new PageClient(gateway, 'test'));
				} catch (error) {
					if (!isAppError(error, 'daemon.timeout')) throw error;
				}
			}
		}
		const newest = () => read((client) => blockList(client, 'ALPHA', 3));

		test('its newest blocks are listed without whatever a list does not show', async () => {
			const whole = await newest();
			const { tip } = whole;
			const one = parseJson(JSON.stringify(await net.rpc('ALPHA', 'getblock', String(tip), 1)));
			const members = membersOf(one).filter((name) => !Object.hasOwn(LISTED, name));
			expect(members.length).toBeGreaterThan(20);
			for (const member of members) {
				for (const change of [without, nulled]) {
					answering('getblock', (result) => change(result, member.split('.')));
					const { notarized, ...list } = await newest();
					expect({ ...list, notarized: whole.notarized }, member).toEqual(whole);
					expect(notarized, member).toBe(
						member === 'last_notarized_height' ? null : whole.notarized
					);
				}
			}
			for (const [member, cell] of Object.entries(LISTED)) {
				for (const change of [without, nulled]) {
					answering('getblock', (result) => change(result, [member]));
					const lines = whole.lines.map((line) => ({ ...line, [cell]: null }));
					expect(await newest(), member).toEqual({ ...whole, lines });
				}
			}
		});

		test('its mempool is listed without what it leaves out of a transaction', async () => {
			const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'ALPHA')!;
			const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', address, 1);
			const pending = () => read((client) => readMempool(client, 'ALPHA'));
			answering('getrawmempool', (result) => result);
			const whole = await pending();
			expect(whole.lines.map((line) => line.txid)).toContain(txid);
			const cells = { size: 'size', fee: 'fee', time: 'since' };
			for (const [member, cell] of Object.entries(cells)) {
				for (const change of [without, nulled]) {
					answering('getrawmempool', (result) => change(result, [txid, member]));
					const lines = whole.lines.map((line) =>
						line.txid === txid ? { ...line, [cell]: null } : line
					);
					const found = await pending();
					expect(found.total).toBe(whole.total);
					expect(found.lines, member).toEqual(expect.arrayContaining(lines));
				}
			}
		});

		test('a token whose data is null is not called fungible', async () => {
			const [tokenid = ''] = await net.rpc<string[]>('ALPHA', 'tokenlist');
			const token = () => read((client) => readToken(client, 'ALPHA', tokenid));
			answering('tokeninfo', (result) => result);
			expect((await token()).tokenid).toBe(tokenid);
			answering('tokeninfo', (result) =>
				isJsonObject(result) ? { ...result, data: null } : result
			);
			await expect(token()).rejects.toMatchObject({
				params: { fault: { kind: 'result', place: 'data is missing' } }
			});
		});

		test('a block is shown with what is known of its header', async () => {
			answering('getblock', (result) =>
				['version', 'bits', 'difficulty', 'merkleroot'].reduce(
					(block, name) => without(block, [name]),
					result
				)
			);
			const { header } = await read((client) => readBlock(client, 'ALPHA', '1', 1, 10));
			expect(header).toMatchObject({
				version: null,
				bits: null,
				difficulty: null,
				merkleRoot: null
			});
			const facts = await read((client) => readBlockFacts(client, 'ALPHA', '1'));
			expect(facts.height).toBe(1);
		});

		test('null is unknown, and neither off, nor none, nor zero', async () => {
			answering('getinfo', (result) =>
				['CCid', 'pubkey', 'balance', 'tiptime', 'longestchain', 'notarized'].reduce(
					(info, name) => nulled(info, [name]),
					result
				)
			);
			const none = () => Promise.resolve(null);
			const recency = { tip: null, ofMany: false };
			const { data } = await chainGlance(
				new PageClient(gateway, 'test'),
				'ALPHA',
				false,
				none,
				recency
			);
			expect(data).toMatchObject({
				unknown: expect.arrayContaining(['ccid', 'pubkey']) as string[],
				tipAt: null,
				longest: null,
				notarized: null,
				wrong: []
			});
			const daemon = gateway.daemon('ALPHA')!;
			expect(daemon.health.state).toBe('up');
			const answers = await readDaemon(gateway, daemon, 'test');
			const groups = needsOf(answers, {
				chain: 'ALPHA',
				dialect: 'komodod',
				dataCarrierSize: null,
				importMode: { mode: null, pubkey: null },
				siblings: [],
				hasMain: true
			});
			const unknown = groups
				.flatMap(({ needs }) => needs)
				.filter(({ code }) => code === 'not-reported')
				.map(({ id }) => id);
			expect(new Set(unknown)).toEqual(
				new Set(['ac_cc', 'pubkey', 'shared-ccid', 'notarizations'])
			);
		});

		test('a proof and the checks of a daemon go as far as its answers', async () => {
			const [txid = ''] = await net
				.rpc<string[]>('ALPHA', 'getblock', '1', 1)
				.then((block) => (block as unknown as { tx: string[] }).tx);
			for (const name of ['hex', 'blockhash', 'height', 'vin']) {
				answering('getrawtransaction', (result) => nulled(result, [name]));
				const client = new ProofClient(gateway, 'test');
				const way = await wayOf(client, 'ALPHA', txid);
				const said = JSON.stringify(client.notes);
				if (name === 'vin') expect(way?.parts).toHaveLength(1);
				else expect([way, said]).toEqual([null, expect.stringContaining(`${name} is missing`)]);
			}
			answering('calc_MoM', (result) => without(result, ['MoM']));
			const mom = new ProofClient(gateway, 'test');
			await readMom(mom, 'ALPHA', { height: 5, depth: 2 }, 'member');
			expect(JSON.stringify(mom.notes)).toContain('MoM is missing');
			answering('getblock', (result) =>
				['tx', 'time'].reduce((block, name) => nulled(block, [name]), result)
			);
			const answers = await readDaemon(gateway, gateway.daemon('ALPHA')!, 'test');
			expect(answers.timestampindex.kind).toBe('silent');
		});

		test('a transaction counts as absent only if nothing tells of more blocks', async () => {
			const absent = 'ee'.repeat(32);
			const client = daemonClientOf(gateway, 'ALPHA');
			answering('getinfo', (result) => without(result, ['longestchain']));
			expect(await findAnywhere(client, absent, { mayBeOld: false })).toEqual({ where: 'absent' });
			const untold = proxy.rewrite!;
			proxy.rewrite = async (method, body) =>
				(await untold(method, body)).replace(/"headers": ?\d+/, '"headers":100000');
			await expect(findAnywhere(client, absent, { mayBeOld: false })).rejects.toMatchObject({
				code: 'daemon.validation-mismatch',
				params: { fault: { place: 'longestchain is missing' } }
			});
		});

		test('the index notes no id of a chain that its daemon does not tell', async () => {
			const source = createSource(gateway, 'ALPHA');
			answering('getinfo', (result) => result);
			expect(await source.ccid()).toBe(777);
			answering('getinfo', (result) => nulled(result, ['CCid']));
			expect(await source.ccid()).toBeUndefined();
			answering('getinfo', (result) => without(result, ['CCid']));
			expect(await source.ccid()).toBeNull();
		});

		test('a wallet is listed without the sums that its daemon leaves out', async () => {
			answering('getwalletinfo', () => ({ txcount: null, keypoolsize: 'many', paytxfee: false }));
			const wallet = () => read((client) => readWallet(client, gateway.daemon('ALPHA')!));
			await expect(wallet()).rejects.toMatchObject({ code: 'daemon.validation-mismatch' });
			answering('getwalletinfo', (result) =>
				['balance', 'immature_balance'].reduce((info, name) => without(info, [name]), result)
			);
			const { balance, immature, utxos } = await wallet();
			expect({ balance, immature }).toEqual({ balance: null, immature: null });
			expect(utxos.length).toBeGreaterThan(0);
		});

		test('a wallet is listed without the one UTXO that its daemon reports incompletely, and says so', async () => {
			const wallet = () => read((client) => readWallet(client, gateway.daemon('ALPHA')!));
			answering('listunspent', (result) => result);
			const whole = await wallet();
			expect(whole.unread).toBe(0);
			let first: JsonValue = null;
			const changing = (change: (utxo: JsonValue) => JsonValue): void =>
				answering('listunspent', (result) => {
					const [utxo = null, ...others] = result as JsonValue[];
					first = utxo;
					return [change(utxo), ...others];
				});
			const left = async () => {
				const { utxos, unread } = await wallet();
				const { txid, vout } = first as unknown as { txid: string; vout: JsonNumber };
				const shown = ({ txid: id, vout: n }: (typeof utxos)[number]): boolean =>
					id !== txid || String(n) !== vout.source;
				expect(utxos).toEqual(whole.utxos.filter(shown));
				return unread;
			};
			const confirmations = ['rawconfirmations', 'confirmations'];
			for (const names of [['amount'], ['scriptPubKey'], ['spendable'], confirmations]) {
				for (const change of [without, nulled]) {
					changing((utxo) => names.reduce((less, name) => change(less, [name]), utxo));
					expect(await left(), names.join()).toBe(1);
				}
			}
			changing(() => null);
			expect(await left()).toBe(1);
			const sending = sender.sendCoins(
				{ chain: 'ALPHA', daemon: 'ALPHA' },
				{ payments: [{ address: TO, amount: 1_000_000n }], utxos: [], rate: 10_000n },
				'ada'
			);
			expect(JSON.stringify((await refusal(net, sending)).coded)).toContain('is missing');
		});

		test('a token is shown without the facts that its daemon leaves out', async () => {
			const [tokenid = ''] = await net.rpc<string[]>('ALPHA', 'tokenlist');
			const token = () => read((client) => readToken(client, 'ALPHA', tokenid));
			answering('tokeninfo', (result) => result);
			const whole = await token();
			for (const name of ['name', 'supply', 'owner', 'description'] as const) {
				expect(whole[name]).not.toBeNull();
				for (const change of [without, nulled]) {
					answering('tokeninfo', (result) => change(result, [name]));
					expect(await token(), name).toEqual({ ...whole, [name]: null });
				}
			}
		});
	});

	describeOnSqlite('of KMD', (database) => {
		const { net, proxy, gateway, sender } = sharedSender(database, 'KMD');

		test('no payment gives up its interest because the time of the tip is missing', async () => {
			proxy.rewrite = (method, body) =>
				method === 'getinfo' ? body.replace(/"tiptime":\d+/, '"tiptime":null') : body;
			const payments = [{ address: TO, amount: 100_000_000n }];
			const wallet = { chain: 'KMD', daemon: 'KMD' };
			const paying = sender.sendCoins(wallet, { payments, utxos: [], rate: 10_000n }, 'ada');
			expect(JSON.stringify((await refusal(net, paying)).coded)).toContain('tiptime is missing');
			const claiming = sender.claimInterest(wallet, 'ada');
			expect(JSON.stringify((await refusal(net, claiming)).coded)).toContain('tiptime is missing');
		});

		test('interest that is null is neither shown as 0 nor given up by a payment', async () => {
			const untold = (utxo: JsonValue): JsonValue =>
				isJsonObject(utxo) ? { ...utxo, interest: null } : utxo;
			proxy.rewrite = (method, body) => {
				const content = parseJson(body);
				if (method !== 'listunspent' || !isJsonObject(content)) return body;
				const utxos = content['result'] as JsonValue[];
				return stringifyJson({ ...content, result: utxos.map(untold) });
			};
			const client = new PageClient(gateway, 'test');
			const daemon = gateway.daemon('KMD')!;
			const read = await readWallet(client, daemon);
			expect(read.utxos.map(({ interest }) => interest)).toContain(null);
			const shown = await readInterest(client, daemon, read, read.tip!);
			expect(shown).toMatchObject({ toldOfAll: null });
			const payments = [{ address: TO, amount: 100_000_000n }];
			const wallet = { chain: 'KMD', daemon: 'KMD' };
			for (const sending of [
				sender.sendCoins(wallet, { payments, utxos: [], rate: 10_000n }, 'ada'),
				sender.claimInterest(wallet, 'ada')
			]) {
				const { coded } = await refusal(net, sending);
				expect(JSON.stringify(coded)).toContain('interest is missing');
			}
		});
	});
});
