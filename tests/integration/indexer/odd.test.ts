import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { blockHash, serializeBlock } from '#lib/chain/block.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { burnScript } from '#lib/chain/burn.ts';
import { ByteWriter, bytesToHex } from '#lib/chain/bytes.ts';
import { TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { classify, p2pk } from '#lib/chain/script.ts';
import { tokenCreateScript } from '#lib/chain/token.ts';
import { serializeTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { searchHits } from '#lib/messages/pages/search.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { hashBlock } from '#lib/server/chains/indexer/decode.ts';
import { chainCharts } from '#lib/server/chains/explorer/chainCharts.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { viewTransaction } from '#lib/server/chains/explorer/transactionView.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import type { ChainSource } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { addresses, readAddress } from '#lib/server/chains/lists/addresses.ts';
import { chainProgress, isIndexedBut } from '#lib/server/chains/lists/chains.ts';
import { search } from '#lib/server/chains/lists/search.ts';
import { tokens } from '#lib/server/chains/lists/tokens.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import {
	COIN,
	FEE,
	newLedger,
	payment,
	tokenCreation
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { freePort } from '../../support/freePort.ts';
import { smallChain } from '../../support/smallChain.ts';
import { clear, dump, follow, followDaemon, freshDump, ledgerSource } from './support.ts';
import { shared } from '../../support/shared.ts';

const LEASE = { renew: () => Promise.resolve() };
const toAlice = { value: 5n * COIN, script: p2pk(ALICE.pub) };

/**
 * The parts of `getblock` with verbosity 2 that the index reads, for a block whose last transaction is unusual.
 */
function verbose(ledger: Ledger, height: number): string {
	const block = ledger.blockAt(height)!;
	return JSON.stringify({
		hash: block.hash,
		previousblockhash: block.header.previousHash,
		time: block.header.time,
		size: serializeBlock(block).length,
		tx: block.transactions.map((tx, at) => ({
			txid: txidOf(tx),
			hex: bytesToHex(serializeTransaction(tx)),
			...(at === block.transactions.length - 1
				? { overwintered: true, version: 9, versiongroupid: '04030201' }
				: {
						overwintered: tx.overwintered,
						version: tx.version,
						...(tx.overwintered ? { versiongroupid: tx.versionGroupId.toString(16) } : {})
					}),
			...(tx.overwintered ? { vShieldedSpend: [], vShieldedOutput: [] } : {}),
			vjoinsplit: [],
			vin: tx.vin.map(({ txid, vout, scriptSig }) =>
				vout === 0xffffffff
					? { coinbase: bytesToHex(scriptSig) }
					: { txid, vout, scriptSig: { hex: bytesToHex(scriptSig) } }
			),
			vout: tx.vout.map(({ value, script }) => ({
				valueZat: Number(value),
				scriptPubKey: { hex: bytesToHex(script) }
			}))
		}))
	});
}

describeOnBothDatabases('the index of an odd chain', (database) => {
	const index = shared(() => openIndex(database.options));

	it('goes on over a transaction format that nobody here has seen', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		ledger.submit(tokenCreation(ledger, ALICE, 100n));
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		const odd = ledger.height;
		ledger.mine();
		const good = ledgerSource(ledger);
		const source: ChainSource = {
			...good,
			async blocks(from, count) {
				const blocks = await good.blocks(from, count);
				const at = odd - from;
				const block = blocks[at];
				// The block's last transaction has an unknown version.
				if (block) {
					const last = serializeTransaction(ledger.blockAt(odd)!.transactions.at(-1)!);
					const changed = Uint8Array.from(block.bytes);
					changed.set([0x09, 0, 0, 0x80, 1, 2, 3, 4], changed.length - last.length);
					blocks[at] = hashBlock(changed, null);
				}
				return blocks;
			},
			verboseBlock: (height) => Promise.resolve(verbose(ledger, height))
		};
		const chain = await ensureChain(index, ledger.symbol, 0);
		await new ChainSync(chain, { index, source, lease: LEASE }).catchUp();
		const kinds = await index
			.selectFrom('ix_txs')
			.select(['kind', 'txid'])
			.where('chain', '=', chain.id)
			.where('seq', '>=', BigInt(odd) * 65_536n)
			.execute();
		// Such a transaction may shield or unshield coins.
		const found = await indexedTransaction(
			index,
			ledger.symbol,
			bytesToHex(kinds.find(({ kind }) => kind === 'other')!.txid)
		);
		expect(found!.view).toMatchObject({ fee: null, claimed: null });
		expect(kinds.map(({ kind }) => kind)).toEqual([
			...['coinbase', 'token-create', 'other', 'coinbase']
		]);
		const { balance } = await index
			.selectFrom('ix_addresses')
			.select('balance')
			.where('address', '=', ALICE.address)
			.executeTakeFirstOrThrow();
		expect(balance).toBeGreaterThan(5n * COIN);
	});

	it('has the block hashes of the daemon on a chain with another ac_algo, also of the tip and after a reorganization', async () => {
		await clear(index);
		const wanted = { name: 'AMBER', ccid: 101, blocks: 20, algo: 'verushash' };
		const { ledger, daemon, entry } = smallChain(wanted, await freePort());
		await daemon.http.open();
		const gateway = gatewayBefore(daemonConfig({ id: 'AMBER', ...entry }));
		const hashes = async (): Promise<string[]> => {
			await followDaemon(index, gateway, 'AMBER');
			const rows = await index.selectFrom('ix_blocks').select('hash').orderBy('height').execute();
			return rows.map(({ hash }) => bytesToHex(hash));
		};
		const told = () =>
			Array.from({ length: ledger.height + 1 }, (_, at) => ledger.blockAt(at)!.hash);
		try {
			const { header, hash } = ledger.tip;
			expect(hash).not.toBe(blockHash(header));
			expect(await hashes()).toEqual(told());
			ledger.mine();
			expect(await hashes()).toEqual(told());
			ledger.reorg(3);
			expect(await hashes()).toEqual(told());
			expect(await chainProgress(index, 'AMBER')).toMatchObject({ state: 'current', reorgs: 1 });
		} finally {
			await gateway.close();
			await daemon.http.close();
		}
	});

	it('is read again on KMD where an earlier release left claimed interest out of fees', async () => {
		await clear(index);
		const ledger = newLedger({ name: 'KMD', ccid: 0 });
		ledger.mine();
		const txid = ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		const read = async () => {
			for (const sync of await follow(index, [ledger])) await sync.catchUp();
			return (await indexedTransaction(index, 'KMD', txid))!.view.fee;
		};
		expect(await read()).toBeNull();
		await index.updateTable('ix_txs').set({ fee: 1n }).execute();
		expect(await read()).toBe(1n);
		await index.updateTable('ix_chains').set({ rules: 2n }).execute();
		expect(await read()).toBeNull();
	});

	it('counts the coins of the genesis block, which cannot be spent, to no address', async () => {
		await clear(index);
		const ledger = newLedger();
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		const [output] = ledger.blockAt(0)!.transactions[0]!.vout;
		const { address } = classify(output!.script);
		expect(address).toBeDefined();
		const { rows } = await addresses.read(index, {
			chain: ledger.symbol,
			filter: {},
			sort: '-balance',
			limit: 10
		});
		expect(rows.map((row) => row.address)).toEqual([addressOfPubkey(MINER.pub)]);
		const { id } = await ensureChain(index, ledger.symbol, 0);
		expect(await readAddress(index, id, address!)).toBeNull();
		expect(await readAddress(index, id, addressOfPubkey(MINER.pub))).not.toBeNull();
	});

	it('names the miner by the first output of the reward, and the fee of a shielded transaction', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.mine();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		const amount = (value: bigint): Uint8Array => new ByteWriter().i64(value).finish();
		const block = ledger.blockAt(ledger.height)!;
		const [coinbase, paid] = block.transactions as [Transaction, Transaction];
		const share = { value: 900n * COIN, script: p2pk(ALICE.pub) };
		const shielded: Transaction = {
			...paid,
			// 1 coin leaves the Sapling pool; 2 leave by the joinsplit and 4 enter.
			valueBalance: COIN,
			shielded: {
				spends: [new Uint8Array(384)],
				outputs: [],
				joinSplits: [Buffer.concat([amount(4n * COIN), amount(2n * COIN), Buffer.alloc(1682)])],
				joinSplitPubkey: new Uint8Array(32),
				joinSplitSignature: new Uint8Array(64),
				bindingSignature: new Uint8Array(64)
			},
			vout: paid.vout.map(({ value, script }, n) => ({
				value: n === 0 ? value - COIN : value,
				script
			}))
		};
		const changed = {
			...block,
			transactions: [{ ...coinbase, vout: [...coinbase.vout, share] }, shielded]
		};
		const good = ledgerSource(ledger);
		const source: ChainSource = {
			...good,
			blocks: async (from, count) =>
				(await good.blocks(from, count)).map((one, at) =>
					from + at === ledger.height ? hashBlock(serializeBlock(changed), null) : one
				)
		};
		const chain = await ensureChain(index, ledger.symbol, 0);
		await new ChainSync(chain, { index, source, lease: LEASE }).catchUp();
		const found = await indexedTransaction(index, ledger.symbol, txidOf(shielded));
		expect(found!.view).toMatchObject({ kind: 'shielded', fee: FEE, claimed: null });
		const { made } = (await indexedBlock(index, ledger.symbol, String(ledger.height)))!;
		expect(made).toMatchObject({ miner: addressOfPubkey(MINER.pub), fees: FEE });
		const around = { chain: ledger.symbol, prevouts: new Map(), spends: new Map() };
		const prevouts = new Map(
			found!.view.inputs.map(({ txid, vout, value, address }) => [
				`${txid}:${vout}`,
				{ value, address }
			])
		);
		expect(viewTransaction(shielded, { ...around, prevouts }).fee).toBe(FEE);
	});

	it('begins anew when the chain was reset to another genesis', async () => {
		await clear(index);
		const before = newLedger();
		for (let n = 0; n < 30; n++) before.mine();
		before.submit(payment(before, MINER, [toAlice]));
		before.mine();
		before.submit(tokenCreation(before, ALICE, 100n));
		before.mine();
		const [first] = await follow(index, [before]);
		await first!.catchUp();
		const after = newLedger({ premine: 5_000n * COIN });
		after.mine();
		const [second] = await follow(index, [after]);
		await second!.catchUp();
		expect(await dump(index)).toEqual(await freshDump([after]));
	});

	it('begins at the height that is set, and anew, in steps, when that is changed', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 600; n++) ledger.mine();
		for (let n = 0; n < 5; n++) {
			ledger.submit(payment(ledger, MINER, [toAlice]));
			ledger.mine();
		}
		const source = ledgerSource(ledger);
		const late = await ensureChain(index, ledger.symbol, 4);
		await new ChainSync(late, { index, source, lease: LEASE }).catchUp();
		const first = await index
			.selectFrom('ix_blocks')
			.select((eb) => eb.fn.min('height').as('height'))
			.executeTakeFirstOrThrow();
		expect(first.height).toBe(4n);
		const written: number[] = [];
		const onWrite = (_: string, height: number) => written.push(height);
		const whole = await ensureChain(index, ledger.symbol, 0);
		expect(whole.height).toBe(ledger.height);
		await new ChainSync(whole, { index, source, lease: LEASE, onWrite }).catchUp();
		// Rolled back in steps of 500 blocks, so that other writers do not wait longer.
		expect(written.slice(0, 2)).toEqual([ledger.height - 500, 3]);
		expect(await dump(index)).toEqual(await freshDump([ledger]));
	});

	it('is read again where blocks were read by other rules, whatever a server of another release wrote since', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 5; n++) ledger.mine();
		const catchUp = async () => {
			const [sync] = await follow(index, [ledger]);
			await sync!.catchUp();
		};
		await catchUp();
		const whole = await freshDump([ledger]);
		await index.updateTable('ix_blocks').set({ size: 1n }).where('height', '=', 3n).execute();
		await catchUp();
		expect(await dump(index)).not.toEqual(whole);
		for (const rules of [0n, 999n]) {
			await index.updateTable('ix_blocks').set({ size: 1n }).where('height', '=', 3n).execute();
			// A server of the earlier release that begins anew leaves the column as it is.
			await index.updateTable('ix_chains').set({ start_height: 0n, rules }).execute();
			// Other rules may have counted an import for another chain, from which it is not taken back.
			await index
				.insertInto('ix_flows')
				.values({
					...{ source: 'GAMMA', target: ledger.symbol, ccid: 777n },
					...{ burned: 0n, burned_high: 0n, burns: 0n },
					...{ imported: 5n, imported_high: 0n, imports: 1n }
				})
				.execute();
			await catchUp();
			expect(await dump(index)).toEqual(whole);
		}
	});

	it('shows in charts what blocks say that were read again, although the tip is the same', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.mine();
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		const { symbol, height } = ledger;
		const blocks = index.updateTable('ix_blocks').where('height', '=', BigInt(height));
		await blocks.set({ txs: 1_000n }).execute();
		const last = async () => (await chainCharts(index, symbol))!.days.at(-1)!.transactions;
		expect(await last()).toBeGreaterThanOrEqual(1_000);
		await index.updateTable('ix_chains').set({ reindex_from: height }).execute();
		const position = await ensureChain(index, symbol, 0);
		await new ChainSync(position, { index, source: ledgerSource(ledger), lease: LEASE }).catchUp();
		expect(await last()).toBeLessThan(1_000);
	});

	it('waits for a daemon that has not come to the height at which it begins', async () => {
		await clear(index);
		const ledger = newLedger();
		const first = ledger.height + 2;
		const source = ledgerSource(ledger);
		const position = await ensureChain(index, ledger.symbol, first);
		const sync = new ChainSync(position, { index, source, lease: LEASE });
		for (let n = 0; n < 2; n++) {
			await expect(sync.catchUp()).rejects.toMatchObject({
				code: 'indexer.daemon-behind',
				params: { tip: ledger.height, next: first }
			});
			ledger.mine();
		}
		await sync.catchUp();
		expect(await index.selectFrom('ix_blocks').select('height').execute()).toEqual([
			{ height: BigInt(first) }
		]);
	});

	it('knows how far it is while it reads again after a restart, and its daemon gives no answer', async () => {
		await clear(index);
		const ledger = newLedger();
		for (let n = 0; n < 30; n++) ledger.mine();
		const source = ledgerSource(ledger);
		const start = async (from = source) => {
			const position = await ensureChain(index, ledger.symbol, 0);
			return new ChainSync(position, { index, source: from, lease: LEASE });
		};
		await (await start()).catchUp();
		await index.updateTable('ix_chains').set({ reindex_from: 3n }).execute();
		const silent = { ...source, tip: () => Promise.reject(new Error('no answer')) };
		await expect((await start(silent)).catchUp()).rejects.toThrow('no answer');
		const progress = await chainProgress(index, ledger.symbol);
		expect(progress).toMatchObject({ height: 2, target: ledger.height });
		expect(isIndexedBut(progress, 20)).toBe(false);
		await (await start()).catchUp();
		expect(isIndexedBut(await chainProgress(index, ledger.symbol), 0)).toBe(true);
	});

	it('keeps names that no text column likes', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		const names = ['a\0b', '\u202Egnp.exe', '😀'.repeat(8), 'tab\there', "'; drop table ix_tokens"];
		const description = 'd'.repeat(4096);
		for (const name of names) {
			ledger.submit(tokenCreation(ledger, ALICE, 10n, undefined, { name, description }));
			ledger.mine();
		}
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		const rows = await index
			.selectFrom('ix_tokens')
			.select(['name', 'description'])
			.orderBy('seq')
			.execute();
		expect(rows.map(({ name }) => name)).toEqual(
			names.map((name) => name.replace('\0', '\u{FFFD}'))
		);
		expect(rows.every((row) => row.description === description)).toBe(true);
	});

	it('goes on over names that are longer than a database has room for in an index', async () => {
		await clear(index);
		const ledger = newLedger();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine();
		// Compressible text would fit into an index entry.
		const long = (length: number): string =>
			randomBytes(length).toString('base64url').slice(0, length);
		const word = long(7_000);
		const words = Array.from({ length: 60 }, () => long(99)).join(' ');
		const names = [word, words, `${words}!`];
		for (const name of names) {
			ledger.submit(tokenCreation(ledger, ALICE, 10n, undefined, { name, description: '' }));
			ledger.mine();
		}
		const owner = randomBytes(4_000);
		const creation = { owner, name: 'no key', description: '', blobs: [] };
		const creationOutputs = [
			{ value: 10_000n, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
			{ value: 0n, script: tokenCreateScript(creation) }
		];
		ledger.submit(payment(ledger, MINER, creationOutputs, { keepLast: true }));
		ledger.mine();
		const target = long(9_000);
		const facts = { targetCcid: 777, targetSymbol: target, payoutsHash: new Uint8Array(32) };
		const script = burnScript({ ...facts, sourceSymbol: ledger.symbol });
		ledger.submit(payment(ledger, MINER, [{ value: COIN, script }], { keepLast: true }));
		ledger.mine();
		const [sync] = await follow(index, [ledger]);
		await sync!.catchUp();
		expect(sync!.height).toBe(ledger.height);

		const found: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await tokens.read(index, {
				chain: ledger.symbol,
				filter: {},
				sort: 'name',
				limit: 1,
				cursor
			});
			found.push(...page.rows.map(({ name }) => name));
			cursor = page.next ?? undefined;
		} while (cursor !== undefined);
		const all = [...names, creation.name];
		expect(found.map((name) => all.indexOf(name)).toSorted()).toEqual([0, 1, 2, 3]);
		for (const name of [word, words]) {
			const { hits } = await search(index, name, { limit: 10, configured: [ledger.symbol] });
			expect(hits.some((hit) => hit.words === searchHits.token(name))).toBe(true);
		}
		const burn = await index.selectFrom('ix_burns').select('target').executeTakeFirstOrThrow();
		expect(target.startsWith(burn.target.slice(0, -1))).toBe(true);
		ledger.reorg(ledger.height - 2);
		await sync!.catchUp();
		expect(await dump(index)).toEqual(await freshDump([ledger]));
	});

	it('counts what an address received, however often the coins of a chain went round', async () => {
		await clear(index);
		// On a chain with 190,000,000 coins, 485 payments exceed a signed 64-bit number.
		const premine = 190_000_000n * COIN;
		const payments = 520;
		const ledger = newLedger({ premine });
		const pay = (): void => {
			const all = { value: premine - COIN, script: p2pk(MINER.pub) };
			ledger.submit(payment(ledger, MINER, [all]));
			ledger.mine();
		};
		const facts = async () => {
			const { id } = await ensureChain(index, ledger.symbol, 0);
			return (await readAddress(index, id, addressOfPubkey(MINER.pub)))!;
		};
		const [sync] = await follow(index, [ledger]);
		for (let n = 0; n < payments; n++) {
			pay();
			if (n % 200 === 0) await sync!.catchUp();
		}
		await sync!.catchUp();
		const { received, balance } = await facts();
		expect(received).toBeGreaterThan(2n ** 63n);
		expect(received).toBeGreaterThan(BigInt(payments) * (premine - COIN));
		expect(received).toBeLessThan(BigInt(payments + 2) * premine);
		expect(balance).toBeLessThan(premine + BigInt(2 * payments) * COIN);
		const { rows } = await addresses.read(index, {
			chain: ledger.symbol,
			filter: {},
			sort: '-balance',
			limit: 10
		});
		expect(rows[0]).toMatchObject({ received, balance });
		ledger.reorg(100, { empty: true });
		await sync!.catchUp();
		expect((await facts()).received).toBeLessThan(2n ** 63n);
		expect(await dump(index)).toEqual(await freshDump([ledger]));
	});
});
