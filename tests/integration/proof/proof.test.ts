import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { burnScript, parseBurn } from '#lib/chain/burn.ts';
import { hexToBytes, bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { MOMOM_LAG, NEEDED_NOTARIZATIONS, NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { checkProof } from '#lib/chain/proofTree.ts';
import { parseTransaction, serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import { proofNoteMessage } from '#lib/messages/proofNotes.ts';
import { readMom, readMomom, type Asker } from '#lib/server/chains/explorer/proof/mom.ts';
import {
	readPastedProof,
	readProof,
	type PasteFault,
	type ProofPage
} from '#lib/server/chains/explorer/proof/read.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { freePort } from '../../support/freePort.ts';
import { smallChain } from '../../support/smallChain.ts';
import { startDevnet } from '../../support/devnet.ts';
import { followDaemon } from '../indexer/support.ts';
import { gatewayTo, placesOf } from '../migration/support.ts';
import { shared } from '../../support/shared.ts';

describe.each(['fast', 'seed'] as const)('proofs on a network of the profile %s', (profile) => {
	const net = shared(() => startDevnet({ profile }));
	const gateway = shared(() => gatewayTo(placesOf(net)));
	const index = shared(() => openIndex({ dataDir: net.dir }));
	/** An import with a proof by notarizations, and its burn. */
	let imported: { txid: string; hex: string; burn: string };

	const ask = () => new ProofClient(gateway, 'test');
	const pasted = (hex: string, txid: string | null = null) =>
		readPastedProof(ask(), index, 'ALPHA', hex, txid);
	const page = (one: ProofPage | PasteFault | null): ProofPage => {
		if (one === null || 'field' in one) throw new Error(JSON.stringify(one));
		return one;
	};
	const checked = (one: ProofPage | PasteFault | null) => checkProof(page(one).proof!);
	const codes = (one: ProofPage | PasteFault | null) => page(one).notes.map(({ code }) => code);
	/** The import with one bit of the hash at a level of its branch changed. */
	function changed(at: number): string {
		const { burnTx, payouts, proof } = parseImport(parseTransaction(imported.hex))!;
		if (proof.kind !== 'txproof') throw new Error('a branch was expected');
		const wrong = proof.branch.at(at)!.slice();
		wrong[7]! ^= 1;
		const branch = proof.branch.with(at, wrong);
		return bytesToHex(serializeTransaction(buildImport(burnTx, payouts, { ...proof, branch })));
	}

	beforeAll(async () => {
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		for (let height = 1; height <= tip; height++) {
			const { imports } = await gateway.call('BETA', 'getimports', [String(height)]);
			for (const { txid, export: from } of imports) {
				if (!('source' in from)) continue;
				const hex = await net.rpc<string>('BETA', 'getrawtransaction', txid);
				const parts = parseImport(parseTransaction(hex));
				if (parts?.proof.kind === 'txproof' && from.source === 'ALPHA') {
					imported = { txid, hex, burn: from.txid };
				}
			}
		}
		expect(imported).toBeDefined();
		await followDaemon(index, gateway, 'BETA');
	});

	test('an import is followed from the burn to the root that the destination holds', async () => {
		const found = page(await readProof(ask(), index, 'BETA', imported.txid));
		expect(found.notes).toEqual([]);
		expect(found.kind).toEqual({ code: 'complete', source: 'ALPHA', destination: 'BETA' });
		const result = checkProof(found.proof!);
		expect(result).toMatchObject({ sound: true, fault: null });
		expect(result.stages.map(({ kind }) => kind)).toEqual(['block', 'mom', 'momom']);
		// Each level and each Merkle root includes other data of the chains.
		const levels = result.stages.reduce((sum, { steps }) => sum + steps.length, 0);
		expect(result.compared).toBe(1 + 2 * levels + 3);
		expect(found.facts.map(({ kind }) => kind)).toEqual(['block', 'mom', 'momom']);
		expect(found.facts[2]!.facts).toContainEqual(
			expect.objectContaining({ code: 'root', chain: 'BETA' })
		);
	});

	test('an import whose burn does not name its source is not taken for a self-import', async () => {
		const { burnTx, payouts, proof } = parseImport(parseTransaction(imported.hex))!;
		const script = burnScript({ ...parseBurn(burnTx)!, sourceSymbol: '' });
		const vout = [...burnTx.vout.slice(0, -1), { ...burnTx.vout.at(-1)!, script }];
		const unnamed = buildImport({ ...burnTx, vout }, payouts, proof);
		expect(page(await pasted(bytesToHex(serializeTransaction(unnamed))))).toMatchObject({
			kind: { code: 'unnamed-source' },
			proof: null,
			approvals: null
		});
	});

	test('a burn is followed to the MoM on KMD', async () => {
		const found = page(await readProof(ask(), index, 'ALPHA', imported.burn));
		const result = checkProof(found.proof!);
		expect(result.sound).toBe(true);
		expect(result.stages.map(({ kind }) => kind)).toEqual(['block', 'mom']);
		expect(found.notes).toEqual([]);
	});

	test('a transaction that no notarization covers is followed to its block, and the rest is explained', async () => {
		const { blocks } = await net.control.mine('ALPHA');
		const { tx } = await net.rpc<{ tx: string[] }>('ALPHA', 'getblock', blocks[0]!);
		const found = page(await readProof(ask(), index, 'ALPHA', tx[0]!));
		expect(checkProof(found.proof!).stages.map(({ kind }) => kind)).toEqual(['block']);
		expect(found.notes.map(proofNoteMessage).join()).toMatch(/backnotarisation not yet confirmed/);
	});

	test('a transaction of KMD is followed to its block, and an unknown one is said to be unknown', async () => {
		const hash = await net.rpc<string>('KMD', 'getblockhash', 2);
		const { tx } = await net.rpc<{ tx: string[] }>('KMD', 'getblock', hash);
		expect(checked(await readProof(ask(), index, 'KMD', tx[0]!)).sound).toBe(true);
		const own = ask();
		expect(await readProof(own, index, 'ALPHA', 'ab'.repeat(32))).toBeNull();
		expect(own.notes).toHaveLength(1);
	});

	test('what daemons answer can be pasted: assetchainproof with its txid, gettxoutproof alone', async () => {
		const branch = await net.rpc<string>('ALPHA', 'assetchainproof', imported.burn);
		expect(await pasted(branch)).toMatchObject({ field: 'txid' });
		expect(checked(await pasted(branch, imported.burn))).toMatchObject({ sound: true });
		const other = await pasted(branch, imported.txid);
		expect(checked(other).sound && page(other).notes.length === 0).toBe(false);
		const block = await net.rpc<string>('ALPHA', 'gettxoutproof', [imported.burn]);
		const found = page(await pasted(block));
		expect(found).toMatchObject({ chain: 'ALPHA' });
		expect(checkProof(found.proof!).sound).toBe(true);
		expect(await pasted(block, imported.txid)).toMatchObject({ field: 'txid' });
	});

	test('each hash of a pasted import that is changed is the one that is named', async () => {
		const parts = parseImport(parseTransaction(imported.hex))!;
		if (parts.proof.kind !== 'txproof') throw new Error('a branch was expected');
		const { branch } = parts.proof;
		for (let at = 0; at < branch.length; at++) {
			const result = checked(await pasted(changed(at)));
			const before = result.stages.map(({ steps }) => steps.length);
			const stage = at < before[0]! ? 0 : at < before[0]! + before[1]! ? 1 : 2;
			const level = at - before.slice(0, stage).reduce((sum, n) => sum + n, 0) + 1;
			expect(result.fault).toEqual({ stage: result.stages[stage]!.kind, level, what: 'sibling' });
		}
	});

	test('a destination is said to reject a proof only where all notarizations that it would check are indexed', async () => {
		const hex = changed(-1);
		expect(codes(await pasted(hex))).toEqual(['root-unknown']);
		const chain = () => index.updateTable('ix_chains').where('name', '=', 'BETA');
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		await chain().set({ start_height: tip }).execute();
		expect(codes(await pasted(hex))).toEqual(['root-unread']);
		await chain().set({ start_height: 0, state: 'behind' }).execute();
		expect(codes(await pasted(hex))).toEqual(['root-unread']);
		const long = Date.now() - 3_600_000;
		await chain().set({ state: 'current', looked_at: long }).execute();
		expect(codes(await pasted(hex))).toEqual(['root-unread']);
		expect(codes(await pasted(imported.hex))).toEqual([]);
		await chain().set({ state: 'current' }).execute();
	});

	test('the root of an import is found however many blocks the destination has had since', async () => {
		await net.control.mine('BETA', NOTARIZATION_WINDOW + 10);
		await followDaemon(index, gateway, 'BETA');
		const found = page(await readProof(ask(), index, 'BETA', imported.txid));
		expect(found.notes).toEqual([]);
		expect(found.facts[2]!.facts).toContainEqual(
			expect.objectContaining({ code: 'root', chain: 'BETA' })
		);
	});

	test('no chain is said to lack a block while one of them does not answer', async () => {
		const block = await net.rpc<string>('ALPHA', 'gettxoutproof', [imported.burn]);
		// The first digit of the block before.
		const other = block.slice(0, 8) + (block[8] === '0' ? '1' : '0') + block.slice(9);
		expect(codes(await pasted(other))).toEqual(['block-unknown']);
		await net.control.fault('ALPHA', 'down');
		expect(page(await pasted(block))).toMatchObject({
			chain: null,
			notes: [{ code: 'unavailable', subject: { code: 'block', chain: 'ALPHA' } }]
		});
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(page(await pasted(block))).toMatchObject({ chain: 'ALPHA', notes: [] });
	});

	test('a MoMoM is computed only with the blocks of KMD that it needs', async () => {
		const round = async () => {
			await net.control.mine('BETA');
			await net.control.notarize('BETA');
		};
		for (let i = 0; i < NEEDED_NOTARIZATIONS; i++) await round();
		await followDaemon(index, gateway, 'KMD');
		const indexed = await net.rpc<number>('KMD', 'getblockcount');
		const read = (height: number) => readMomom(ask(), index, 'BETA', height, 777);
		const there = await read(indexed + MOMOM_LAG);
		expect(there).toMatchObject({ isBehind: false, own: { momom: there.asked?.momom } });
		await round();
		const further = indexed + MOMOM_LAG + 1;
		await net.control.mine('KMD', MOMOM_LAG);
		expect(await read(further)).toMatchObject({ isBehind: true, own: null, indexed });
		await followDaemon(index, gateway, 'KMD');
		const caughtUp = await read(further);
		expect(caughtUp).toMatchObject({ isBehind: false, own: { momom: caughtUp.asked?.momom } });
	});

	test.each([
		['', 'hex'],
		['zz', 'hex'],
		['abc', 'hex'],
		['00', 'hex'],
		['ff'.repeat(20), 'hex']
	])('%j is refused at the field', async (hex, field) => {
		expect(await pasted(hex)).toMatchObject({ field });
	});

	test('any byte of an import changed or cut off gives a page or a sentence, never an error', async () => {
		const bytes = hexToBytes(imported.hex);
		for (let at = 0; at < bytes.length; at += 23) {
			const flipped = bytes.slice();
			flipped[at]! ^= 0x5a;
			await pasted(bytesToHex(flipped));
			await pasted(bytesToHex(bytes.subarray(0, at)));
		}
		expect(txidOf(parseTransaction(imported.hex))).toBe(imported.txid);
	});
});

describe('a MoM over many blocks', () => {
	const net = shared(() => startDevnet({ profile: 'fast' }));
	const gateway = shared(() => gatewayTo(placesOf(net)));

	beforeAll(async () => {
		await net.control.mine('ALPHA', 600);
	});

	test('is worked out, however many ask for one, and takes the daemon from nobody', async () => {
		const tip = await net.rpc<number>('ALPHA', 'getblockcount');
		const client = new ProofClient(gateway, 'test');
		let isDone = false;
		let mostQueued = 0;
		const askOften = async (): Promise<void> => {
			while (!isDone) {
				mostQueued = Math.max(mostQueued, gateway.health('ALPHA').queued);
				await gateway.call('ALPHA', 'getblockcount', []);
			}
		};
		const reading = Promise.all(
			[0, 1, 2].map((below) =>
				readMom(client, 'ALPHA', { height: tip - below, depth: 500 }, 'member')
			)
		).finally(() => (isDone = true));
		const [pages] = await Promise.all([reading, askOften()]);
		for (const { matched } of pages) expect(matched).toEqual(['down']);
		expect(client.notes.map(proofNoteMessage)).toEqual([]);
		expect(mostQueued).toBeLessThan(5);
	});

	test('for visitors keeps no member waiting', async () => {
		const tip = await net.rpc<number>('ALPHA', 'getblockcount');
		const client = new ProofClient(gateway, 'test');
		const ended: string[] = [];
		const ask = async (depth: number, asker: Asker): Promise<void> => {
			await readMom(client, 'ALPHA', { height: tip, depth }, asker);
			ended.push(asker);
		};
		await Promise.all([ask(500, 'visitor'), ask(500, 'visitor'), ask(2, 'member')]);
		expect(ended).toEqual(['member', 'visitor', 'visitor']);
	});
});

test('a pasted proof of a block is found on a chain with another ac_algo, whose hashes its bytes do not tell', async () => {
	const wanted = { name: 'AMBER', ccid: 101, blocks: 12, algo: 'verushash' };
	const { ledger, daemon, entry } = smallChain(wanted, await freePort());
	await daemon.http.open();
	const gateway = gatewayBefore(daemonConfig({ id: 'AMBER', ...entry }));
	await gateway.probe();
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-proof-'));
	const index = await openIndex({ dataDir });
	const pasted = (hex: string) =>
		readPastedProof(new ProofClient(gateway, 'test'), index, 'AMBER', hex, null);
	try {
		const [txid] = ledger.blockAt(5)!.txids;
		const proof = await gateway.call('AMBER', 'gettxoutproof', [[txid!]]);
		expect(await pasted(proof)).toMatchObject({
			chain: 'AMBER',
			facts: [{ facts: [{ code: 'in-block', chain: 'AMBER', height: 5 }] }]
		});
		// The first digit of the block before.
		const other = proof.slice(0, 8) + (proof[8] === '0' ? '1' : '0') + proof.slice(9);
		expect(await pasted(other)).toMatchObject({
			chain: null,
			notes: [{ code: 'block-unknown', hash: null }]
		});
	} finally {
		await index.close();
		rmSync(dataDir, { recursive: true, force: true });
		await gateway.close();
		await daemon.http.close();
	}
});
