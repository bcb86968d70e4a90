import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { p2pk } from '#lib/chain/script.ts';
import { Ledger } from './ledger.ts';
import {
	COIN,
	coinsOf,
	newLedger,
	paramsOf,
	payment,
	tokenCreation,
	tokenTransfer
} from './testkit/chain.ts';
import { ALICE, BOB, MINER, NOTARIES, type TestKey } from './testkit/keys.ts';
import { fundNotaries, notarizationTx } from './testkit/network.ts';
import { serializeNotarization } from '#lib/chain/notarization.ts';

type Step = 'mine' | 'pay' | 'pay back' | 'create' | 'move' | 'notarize' | 'reorg';
const STEPS: readonly Step[] = ['mine', 'pay', 'pay back', 'create', 'move', 'notarize', 'reorg'];

const SIGNERS = NOTARIES.slice(0, 11);
const toAlice = { value: COIN, script: p2pk(ALICE.pub) };

/** True when one coin of the key suffices for a small payment. */
const canPay = (ledger: Ledger, key: TestKey): boolean =>
	(coinsOf(ledger, key)[0]?.value ?? 0n) > 2n * COIN;

/** Performs a step if the chain allows it, otherwise does nothing. */
const act = (ledger: Ledger, step: Step, seed: number): void => {
	if (step === 'mine') ledger.mine();
	if (step === 'pay' && canPay(ledger, MINER)) {
		ledger.submit(payment(ledger, MINER, [toAlice]));
	}
	if (step === 'pay back' && coinsOf(ledger, ALICE).length > 1) {
		ledger.submit(payment(ledger, ALICE, [{ value: COIN / 2n, script: p2pk(BOB.pub) }]));
	}
	if (step === 'create' && coinsOf(ledger, ALICE).length > 0) {
		ledger.submit(tokenCreation(ledger, ALICE, BigInt(100 + seed)));
	}
	if (step === 'move' && coinsOf(ledger, ALICE).length > 0) {
		const tokenid = ledger.tokenList()[seed % 3];
		const coins = tokenid ? ledger.tokenCoins(tokenid, ALICE.pub).slice(0, 1) : [];
		if (tokenid && coins.length > 0) {
			const out = { value: coins[0]!.value, script: tokenScript(BOB.pub) };
			ledger.submit(tokenTransfer(ledger, tokenid, ALICE, coins, [out], [BOB]));
		}
	}
	// A notary whose coin is still pending cannot sign again before the next block.
	if (step === 'notarize' && SIGNERS.every((key) => coinsOf(ledger, key).length > 0)) {
		const data = {
			blockHash: ledger.tip.hash,
			height: ledger.height,
			kmdTxid: ledger.tip.hash,
			symbol: 'ALPHA',
			mom: new Uint8Array(32).fill(seed),
			momDepth: 1,
			ccid: 777
		};
		ledger.submit(notarizationTx(ledger, serializeNotarization(data, 'back')));
	}
	if (step === 'reorg') ledger.reorg(Math.min(seed % 5, ledger.height - 2));
};

const history = fc.array(fc.record({ step: fc.constantFrom(...STEPS), seed: fc.nat(50) }), {
	minLength: 5,
	maxLength: 25
});

const played = (steps: readonly { step: Step; seed: number }[]): Ledger => {
	const ledger = newLedger();
	fundNotaries(ledger);
	for (const { step, seed } of steps) act(ledger, step, seed);
	return ledger;
};

describe('whatever happened before', () => {
	it('disconnecting blocks restores each earlier state exactly', () => {
		fc.assert(
			fc.property(history, fc.nat(6), (steps, depth) => {
				const ledger = played(steps);
				const before = new Map([[ledger.height, ledger.stateDigest()]]);
				for (let n = 0; n < depth; n++) {
					act(ledger, STEPS[n % STEPS.length]!, n);
					if (canPay(ledger, MINER)) ledger.submit(payment(ledger, MINER, [toAlice]));
					ledger.mine();
					before.set(ledger.height, ledger.stateDigest());
				}
				while (before.has(ledger.height) && before.size > 1) {
					expect(ledger.stateDigest()).toBe(before.get(ledger.height));
					before.delete(ledger.height);
					ledger.disconnect(1);
				}
			}),
			{ numRuns: 12 }
		);
	});

	it('the chain after reorganisations equals a fresh one that only saw the blocks that stayed', () => {
		const dir = mkdtempSync(join(tmpdir(), 'reorg-'));
		try {
			let run = 0;
			fc.assert(
				fc.property(history, fc.integer({ min: 1, max: 6 }), (steps, depth) => {
					const ledger = played(steps);
					ledger.reorg(Math.min(depth, ledger.height - 1));
					const place = join(dir, String(run++));
					ledger.saveTo(place);
					const fresh = Ledger.loadFrom(place, paramsOf());
					expect(fresh.stateDigest()).toBe(ledger.stateDigest());
					expect(fresh.mempool.size).toBe(ledger.mempool.size);
				}),
				{ numRuns: 12 }
			);
		} finally {
			rmSync(dir, { recursive: true });
		}
	});
});

describe('a reorganisation', () => {
	it('replaces blocks by more blocks and mines their transactions again', () => {
		const ledger = newLedger();
		const txid = ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine({ count: 3 });
		const old = [...Array(3).keys()].map((n) => ledger.blockAt(ledger.height - n)!.hash);
		const { removed, added } = ledger.reorg(3);
		expect(removed.map((block) => block.hash)).toEqual(old);
		expect(added).toHaveLength(4);
		expect(added.some((block) => old.includes(block.hash))).toBe(false);
		expect(ledger.mined(txid)!.height).toBe(added[0]!.height);
		expect(ledger.blockByHash(old[0]!)!.hash).toBe(old[0]);
		expect(ledger.blockAt(removed[0]!.height)!.hash).not.toBe(old[0]);
	});

	it('makes other blocks even when the clock stands still', () => {
		const ledger = new Ledger(paramsOf(), { clock: () => 1_700_000_000 });
		ledger.mine({ count: 3 });
		const { removed, added } = ledger.reorg(2);
		expect(added[0]!.height).toBe(removed[1]!.height);
		expect(added[0]!.header.time).toBe(removed[1]!.header.time);
		expect(added[0]!.hash).not.toBe(removed[1]!.hash);
	});

	it('drops transactions whose coins are gone, with all that built on them', () => {
		const ledger = newLedger();
		ledger.mine({ pubkey: ALICE.hex });
		const tx = payment(ledger, ALICE, [{ value: COIN / 2n, script: p2pk(BOB.pub) }]);
		const txid = ledger.submit(tx);
		ledger.mine();
		const next = ledger.submit(
			payment(ledger, BOB, [{ value: COIN / 4n, script: p2pk(ALICE.pub) }])
		);
		ledger.reorg(2, { pubkey: MINER.hex });
		expect(ledger.mined(txid)).toBeUndefined();
		expect(ledger.mempool.has(txid)).toBe(false);
		expect(ledger.mempool.has(next)).toBe(false);
	});

	it('leaves no time for a payment of KMD whose lock time is too old before a block takes it again', () => {
		let now = 1_700_000_000;
		const kmd = new Ledger(paramsOf({ name: 'KMD', ccid: 0 }), { clock: () => ++now });
		kmd.mine({ count: 2 });
		const txid = kmd.submit(payment(kmd, MINER, [toAlice], { extra: { locktime: now } }));
		kmd.mine();
		kmd.reorg(1, { empty: true });
		now += 3600;
		// The median time of eleven blocks decides, which the first four do not move yet.
		kmd.mine({ count: 4, empty: true });
		expect(kmd.mempool.has(txid)).toBe(true);
		kmd.mine({ empty: true });
		expect(kmd.mempool.has(txid)).toBe(false);
		kmd.mine();
		expect(kmd.mined(txid)).toBeUndefined();
	});

	it('keeps the genesis block', () => {
		const ledger = newLedger();
		expect(() => ledger.disconnect(2)).toThrow(RangeError);
		ledger.disconnect(1);
		expect(ledger.height).toBe(0);
	});
});
