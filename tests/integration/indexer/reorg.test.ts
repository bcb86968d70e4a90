import { expect, it } from 'vitest';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { p2pk } from '#lib/chain/script.ts';
import { openIndex } from '#lib/server/indexer/open.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import { Reject } from '../../../src/devnet/ledger/api.ts';
import {
	COIN,
	payment,
	tokenCreation,
	tokenTransfer
} from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, BOB, MINER, NOTARIES } from '../../../src/devnet/ledger/testkit/keys.ts';
import {
	approve,
	blockProof,
	coinBurn,
	importOf,
	newNetwork,
	notarize,
	type Network
} from '../../../src/devnet/ledger/testkit/network.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { clear, dump, follow, freshDump } from './support.ts';

/** A small generator of numbers below a limit, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

const SHARES = [ALICE, BOB];

/** A burn on ALPHA, approved and imported on BETA: both chains' rows name each other. */
function carry({ alpha, beta }: Network, amount: bigint): void {
	const burn = coinBurn(alpha, MINER, BOB, amount, { symbol: 'BETA', ccid: 777 });
	const burnTxid = alpha.submit(burn.burnTx);
	alpha.mine();
	const proof = blockProof(alpha, burnTxid);
	const txids = NOTARIES.slice(0, 5).map((notary) => approve(beta, notary, proof));
	beta.mine();
	beta.submit(importOf(burn, { kind: 'approvals', txids }));
	beta.mine();
}

/** Does something with the chain where it is ready for it; what the chain refuses was worth a try. */
function act(network: Network, ledger: Ledger, pick: (limit: number) => number): void {
	const steps = [
		() => ledger.submit(payment(ledger, MINER, [{ value: 5n * COIN, script: p2pk(ALICE.pub) }])),
		() => ledger.submit(payment(ledger, ALICE, [{ value: COIN, script: p2pk(BOB.pub) }])),
		() => ledger.submit(tokenCreation(ledger, ALICE, BigInt(100 + pick(900)))),
		() => {
			const tokenid = ledger.tokenList()[pick(3)];
			const coin = tokenid && ledger.tokenCoins(tokenid, ALICE.pub)[0];
			if (!tokenid || !coin || coin.value < 2n) return;
			const outs = SHARES.map(({ pub }, at) => ({
				value: at === 0 ? coin.value - coin.value / 2n : coin.value / 2n,
				script: tokenScript(pub)
			}));
			ledger.submit(tokenTransfer(ledger, tokenid, ALICE, [coin], outs, SHARES));
		},
		() => carry(network, BigInt(1 + pick(300)) * 1_000_000n),
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

const NETWORKS = 20;
const REORGS = 25;

describeOnBothDatabases('the index after reorganisations', (database) => {
	it(`equals a fresh one after each of ${NETWORKS * REORGS}`, { timeout: 300_000 }, async () => {
		const index = await openIndex(database.options);
		let crossings = 0;
		let seen = 0;
		try {
			for (let seed = 1; seed <= NETWORKS; seed++) {
				await clear(index);
				const pick = numbers(seed);
				const network = newNetwork();
				const ledgers = [network.kmd, network.alpha, network.beta];
				const syncs = await follow(index, ledgers);
				carry(network, 2n * COIN);
				for (let turn = 0; turn < REORGS; turn++) {
					const ledger = ledgers[pick(3)]!;
					for (let n = pick(4); n >= 0; n--) act(network, ledgers[pick(3)]!, pick);
					if (pick(2) === 0) ledger.mine();
					for (const sync of syncs) await sync.catchUp();
					const depth = 1 + pick(Math.max(1, Math.min(8, ledger.height - 4)));
					if (pick(4) === 0) ledger.disconnect(depth);
					else ledger.reorg(depth, { empty: pick(3) === 0 });
					for (const sync of syncs) await sync.catchUp();
					const now = await dump(index);
					expect(now, `seed ${seed}, turn ${turn}`).toEqual(await freshDump(ledgers));
					crossings += now['ix_imports']!.length;
				}
				const reorgs = await index.selectFrom('ix_chains').select('reorgs').execute();
				seen += reorgs.reduce((sum, row) => sum + Number(row.reorgs), 0);
			}
		} finally {
			await index.close();
		}
		expect(crossings).toBeGreaterThan(0);
		expect(seen).toBe(NETWORKS * REORGS);
	});
});
