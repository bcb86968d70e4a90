import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { p2pk } from '#lib/chain/script.ts';
import { Ledger } from './ledger.ts';
import { COIN, newLedger, paramsOf, payment, tokenCreation } from './testkit/chain.ts';
import { ALICE, MINER } from './testkit/keys.ts';
import { newNetwork, notarize } from './testkit/network.ts';

let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const toAlice = { value: COIN, script: p2pk(ALICE.pub) };

describe('a chain on disk', () => {
	it('comes back with the same coins, tokens, notarizations and mempool', () => {
		const { kmd, alpha } = newNetwork();
		notarize(kmd, alpha);
		const tokenid = alpha.submit(tokenCreation(alpha, MINER, 500n));
		alpha.mine();
		alpha.submit(payment(alpha, MINER, [toAlice]));
		alpha.saveTo(dir);
		const back = Ledger.loadFrom(dir, paramsOf());
		expect(back.stateDigest()).toBe(alpha.stateDigest());
		expect(back.tokenBalance(tokenid, MINER.pub)).toBe(500n);
		expect([...back.mempool.entries()].map((entry) => entry.txid)).toEqual(
			[...alpha.mempool.entries()].map((entry) => entry.txid)
		);
		expect(back.lastNotarizedHeight()).toBe(alpha.lastNotarizedHeight());
	});

	it('is appended to, and cut back after a reorganisation', () => {
		const ledger = newLedger();
		ledger.mine({ count: 20 });
		ledger.saveTo(dir);
		const before = statSync(join(dir, 'blocks.dat')).size;
		ledger.mine();
		ledger.saveTo(dir);
		expect(statSync(join(dir, 'blocks.dat')).size).toBeGreaterThan(before);
		ledger.reorg(5);
		ledger.saveTo(dir);
		const back = Ledger.loadFrom(dir, paramsOf());
		expect(back.stateDigest()).toBe(ledger.stateDigest());
		back.mine();
		back.saveTo(dir);
		expect(Ledger.loadFrom(dir, paramsOf()).tip.hash).toBe(back.tip.hash);
	});

	it('loses only the blocks that a crash cut off', () => {
		const ledger = newLedger();
		ledger.mine({ count: 9 });
		ledger.saveTo(dir);
		const file = join(dir, 'blocks.dat');
		truncateSync(file, statSync(file).size - 10);
		expect(Ledger.loadFrom(dir, paramsOf()).height).toBe(9);
	});

	it('of another name or id is refused', () => {
		newLedger().saveTo(dir);
		expect(() => Ledger.loadFrom(dir, paramsOf({ name: 'BETA' }))).toThrow(
			expect.objectContaining({ code: 'other-chain' })
		);
		expect(() => Ledger.loadFrom(join(dir, 'nothing'), paramsOf())).toThrow(
			expect.objectContaining({ code: 'damaged' })
		);
	});

	it('of a thousand blocks opens at its tip', () => {
		const ledger = newLedger();
		for (let n = 0; n < 1000; n++) {
			if (n % 5 === 0) ledger.submit(payment(ledger, MINER, [toAlice]));
			ledger.mine();
		}
		ledger.saveTo(dir);
		const back = Ledger.loadFrom(dir, paramsOf());
		expect(back.height).toBe(ledger.height);
	});
});
