import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { p2pk } from '#lib/chain/script.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import type { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { Reject } from '../../../src/devnet/ledger/api.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import {
	COIN,
	coinsOf,
	payment,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, BOB, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { newNetwork, notarize, type Network } from '../../../src/devnet/ledger/testkit/network.ts';
import { createPostgresDatabase } from '../../support/database.ts';
import { clear, dump, follow, migrate } from './support.ts';

/** A small pseudo-random generator of numbers below a limit, repeatable by its seed. */
function numbers(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

const SHARES = [ALICE, BOB];

/** What a burn on ALPHA can claim to be its source. */
const CLAIMED = ['ALPHA', '', 'GAMMA', 'KMD'];

/** Performs an action that the chain allows at the moment; refused ones are ignored. */
function act(network: Network, ledger: Ledger, pick: (limit: number) => number): void {
	const steps = [
		() => ledger.submit(payment(ledger, MINER, [{ value: 5n * COIN, script: p2pk(ALICE.pub) }])),
		() => ledger.submit(payment(ledger, ALICE, [{ value: COIN, script: p2pk(BOB.pub) }])),
		() => ledger.submit(tokenCreation(ledger, ALICE, BigInt(100 + pick(900)))),
		() => {
			const tokenid = ledger.tokenList()[pick(3)];
			const coin = tokenid && ledger.tokenCoins(tokenid, ALICE.pub)[0];
			// A transfer also needs a coin that pays its fee.
			const canPay = coinsOf(ledger, ALICE).length > 0;
			if (!tokenid || !coin || coin.value < 2n || !canPay) return;
			const outs = SHARES.map(({ pub }, at) => ({
				value: at === 0 ? coin.value - coin.value / 2n : coin.value / 2n,
				script: tokenScript(pub)
			}));
			ledger.submit(tokenTransfer(ledger, tokenid, ALICE, [coin], outs, SHARES));
		},
		() => migrate(network, BigInt(1 + pick(300)) * 1_000_000n, CLAIMED[pick(4)]!),
		() => notarize(network.kmd, network.alpha),
		() => ledger.mine()
	];
	try {
		steps[pick(steps.length)]!();
	} catch (error) {
		if (
			!(error instanceof Reject) &&
			!/^(test key has|a test notary)/.test((error as Error).message)
		) {
			throw error;
		}
	}
}

const NETWORKS = 8;
const REORGS = 25;

describe('the index after reorganisations, in SQLite and in PostgreSQL', () => {
	const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'komodeck-reorg-')));
	let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
	/** One index in each database, and the one that is created anew each time. */
	let indexes: Index[] = [];
	let fresh: Index;
	beforeAll(async () => {
		postgres = await createPostgresDatabase();
		indexes = [
			await openIndex({ dataDir: folders[0]! }),
			await openIndex({ dataDir: folders[0]!, url: postgres.url! })
		];
		fresh = await openIndex({ dataDir: folders[1]! });
	});
	afterAll(async () => {
		for (const index of [...indexes, fresh]) await index.close();
		await postgres.drop();
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	});

	it(`equals a fresh one after each of ${NETWORKS * REORGS}`, { timeout: 300_000 }, async () => {
		let transfers = 0;
		const seen = indexes.map(() => 0);
		for (let seed = 1; seed <= NETWORKS; seed++) {
			const pick = numbers(seed);
			const network = newNetwork();
			const ledgers = [network.kmd, network.alpha, network.beta];
			const syncs: ChainSync[] = [];
			for (const index of indexes) {
				await clear(index);
				syncs.push(...(await follow(index, ledgers)));
			}
			const catchUp = async (): Promise<void> => {
				for (const sync of syncs) await sync.catchUp();
			};
			migrate(network, 2n * COIN, 'ALPHA');
			for (let turn = 0; turn < REORGS; turn++) {
				const ledger = ledgers[pick(3)]!;
				for (let n = pick(4); n >= 0; n--) act(network, ledgers[pick(3)]!, pick);
				if (pick(2) === 0) ledger.mine();
				await catchUp();
				const depth = 1 + pick(Math.max(1, Math.min(8, ledger.height - 4)));
				if (pick(4) === 0) {
					// The chain becomes shorter than before, and different.
					ledger.disconnect(depth);
					ledger.mine();
				} else ledger.reorg(depth, { empty: pick(3) === 0 });
				await catchUp();
				await clear(fresh);
				for (const sync of await follow(fresh, ledgers)) await sync.catchUp();
				const wanted = await dump(fresh);
				for (const index of indexes) {
					expect(await dump(index), `seed ${seed}, turn ${turn}`).toEqual(wanted);
				}
				transfers += wanted['ix_imports']!.length;
			}
			for (const [at, index] of indexes.entries()) {
				const reorgs = await index.selectFrom('ix_chains').select('reorgs').execute();
				seen[at]! += reorgs.reduce((sum, row) => sum + Number(row.reorgs), 0);
			}
		}
		expect(transfers).toBeGreaterThan(0);
		expect(seen).toEqual(indexes.map(() => NETWORKS * REORGS));
	});
});
