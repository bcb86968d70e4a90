/**
 * The index with incomplete daemon responses: each member of each response that it reads is removed once, and a
 * chain is indexed again. The result is the same index, or the index is not written and the missing member is
 * reported.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readMempool } from '#lib/server/chains/explorer/mempool.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { createSource, type ChainSource } from '#lib/server/chains/indexer/source.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { clear, dump } from '../integration/indexer/support.ts';
import { between, gatewayTo, type Between } from '../integration/transactions/support.ts';
import { describeOnSqlite } from '../support/database.ts';
import { startDevnet, type Devnet } from '../support/devnet.ts';
import { membersOf, without } from './members.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';

const LEASE = { renew: () => Promise.resolve() };
/** Number of blocks that are indexed each time. */
const BLOCKS = 8;

/** Members without which the index knows less but nothing wrong: missing signers are requested again later. */
const UNKNOWN_SIGNERS = /^getNotarisationsForBlock /;

describeOnSqlite('the index of daemons that leave something out', (database) => {
	let net: Devnet;
	let gateway: Gateway;
	let proxy: Between;
	let index: Index;
	let start: number;

	beforeAll(async () => {
		net = await startDevnet();
		proxy = await between(net, 'ALPHA');
		gateway = gatewayTo(net, database, { ALPHA: { url: proxy.url } });
		index = await openIndex(database.options);
		await net.control.notarize('ALPHA');
		const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'ALPHA')!;
		await net.rpc('ALPHA', 'sendtoaddress', address, 1);
		const { height } = await net.control.mine('ALPHA', 2);
		start = height - BLOCKS;
	});
	afterAll(async () => {
		await gateway.close();
		await index.close();
		await proxy.stop();
		await net.stop();
	});

	/** Changes each result, also in batches; gets the method of its call. */
	function answering(change: (method: string, result: JsonValue) => JsonValue): void {
		const changed = (method: string, envelope: JsonValue): JsonValue =>
			isJsonObject(envelope)
				? { ...envelope, result: change(method, envelope['result'] ?? null) }
				: envelope;
		// Each batch of the indexer has one method.
		proxy.rewrite = (method, body) => {
			const content = parseJson(body);
			return stringifyJson(
				Array.isArray(content)
					? content.map((one: JsonValue) => changed(method, one))
					: changed(method, content)
			);
		};
	}

	/** The whole index of the chain after indexing it again, or the reason why it could not be indexed. */
	async function indexed(source: ChainSource): Promise<Record<string, string[]> | string> {
		await clear(index);
		const sync = new ChainSync(await ensureChain(index, 'ALPHA', start), {
			index,
			source,
			lease: LEASE
		});
		try {
			await sync.catchUp();
		} catch (error) {
			if (!isAppError(error, 'indexer')) throw error;
			return error.message;
		}
		const { ccid } = await index.selectFrom('ix_chains').select('ccid').executeTakeFirstOrThrow();
		return { ...(await dump(index)), ccid: [String(ccid)] };
	}

	/** Blocks whose bytes cannot be decoded here: the daemon decodes them. */
	const unreadable = (source: ChainSource): ChainSource => ({
		...source,
		blocks: async (from, count) =>
			(await source.blocks(from, count)).map(({ bytes }) => ({ bytes, hashes: null }))
	});
	/** A daemon that does not know the notaries: notarizations come from its own search. */
	const unlisted = (result: JsonValue, method: string): JsonValue =>
		method === 'getNotarisationsForBlock' ? { KMD: [], LABS: [] } : result;
	const asItIs = (result: JsonValue): JsonValue => result;

	test.each([
		['that it reads itself', (source: ChainSource) => source, asItIs],
		['that it reads itself, of unknown notaries', (source: ChainSource) => source, unlisted],
		['that the daemon decodes', unreadable, asItIs]
	])(
		'of blocks %s is the same, or names what is missing',
		async (_, wrap, first) => {
			const source = (): ChainSource => wrap(createSource(gateway, 'ALPHA'));
			const given = new Map<string, Map<string, JsonValue>>();
			answering((method, result) => {
				const changed = first(result, method);
				const results = given.get(method) ?? new Map<string, JsonValue>();
				given.set(method, results.set(stringifyJson(changed), changed));
				return changed;
			});
			const whole = await indexed(source());
			if (typeof whole === 'string') throw new Error(whole);
			expect(whole['ix_notarizations']).not.toEqual([]);
			expect(whole['ix_inputs']).not.toEqual([]);
			const wrong: string[] = [];
			for (const [method, results] of given) {
				const members = new Set([...results.values()].flatMap((result) => membersOf(result)));
				for (const member of members) {
					const path = member.split('.');
					answering((asked, result) => {
						const changed = first(result, asked);
						return asked === method ? without(changed, path) : changed;
					});
					const found = await indexed(source());
					const say = `${method} ${member}`;
					if (typeof found === 'string') {
						if (!found.includes(path.at(-1)!)) wrong.push(`${say}: ${found}`);
						continue;
					}
					const [left, right] = [whole, found].map((tables) => {
						const { ccid, ...rest } = tables;
						// A daemon without this member was started without `ac_cc`.
						const text = JSON.stringify(member === 'CCid' ? rest : { ccid, ...rest });
						return UNKNOWN_SIGNERS.test(say)
							? text.replaceAll(/signer_count=\d+|signers=[\d,]*/g, '')
							: text;
					});
					if (left !== right) wrong.push(`${say}: another index`);
				}
			}
			expect(wrong).toEqual([]);
		},
		60_000
	);

	test('of what waits for a block is the same, but for the cell of what is missing', async () => {
		answering((_, result) => result);
		const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'ALPHA')!;
		await net.rpc('ALPHA', 'sendtoaddress', address, 1);
		const mempool = async (): Promise<string> => {
			try {
				const { total, lines } = await readMempool(new PageClient(gateway, 'test'), 'ALPHA');
				return `${total} ${lines.map(({ txid, kind }) => `${txid} ${kind}`).join()}`;
			} catch (error) {
				if (!isAppError(error, 'daemon')) throw error;
				return explainDaemon(error.coded).what;
			}
		};
		let entries: JsonValue = null;
		answering((method, result) => {
			if (method === 'getrawmempool') entries = result;
			return result;
		});
		const whole = await mempool();
		const [txid] = Object.keys(entries as never);
		expect(whole).toContain(txid);
		for (const member of membersOf((entries as never)[txid!])) {
			answering((method, result) =>
				method === 'getrawmempool' ? without(result, [txid!, member]) : result
			);
			const found = await mempool();
			expect(found, member).toBe(whole);
		}
	});
});
