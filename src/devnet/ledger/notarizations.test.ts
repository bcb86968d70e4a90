import { describe, expect, it } from 'vitest';
import { newLedger, pay } from './testkit/chain.ts';
import { NOTARIES, keyOf, MINER } from './testkit/keys.ts';
import { fundNotaries, newNetwork, notarize, recordNotarization } from './testkit/network.ts';
import { p2pk } from '#lib/chain/script.ts';

const nota = (symbol = 'ALPHA', height = 5) => ({
	blockHash: 'ab'.repeat(32),
	height,
	symbol,
	mom: new Uint8Array(32).fill(7),
	momDepth: 3,
	ccid: 777
});

describe('a notarization', () => {
	it('counts with eleven different notaries', () => {
		const kmd = newLedger({ name: 'KMD', ccid: 0 });
		fundNotaries(kmd);
		const txid = recordNotarization(kmd, nota(), 'kmd');
		const [record] = kmd.notarizationsAt(kmd.height);
		expect(record).toMatchObject({ txid, notaries: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
		expect(record!.data).toMatchObject({ symbol: 'ALPHA', height: 5, ccid: 777, momDepth: 3 });
	});

	it('is mined but ignored with ten signers', () => {
		const kmd = newLedger({ name: 'KMD', ccid: 0 });
		fundNotaries(kmd);
		const txid = recordNotarization(kmd, nota(), 'kmd', NOTARIES.slice(0, 10));
		expect(kmd.mined(txid)).toBeDefined();
		expect(kmd.notarizationsAt(kmd.height)).toEqual([]);
	});

	it('is ignored when a notary signs twice', () => {
		const kmd = newLedger({ name: 'KMD', ccid: 0 });
		fundNotaries(kmd);
		pay(kmd, MINER, [{ value: 1_000_000n, script: p2pk(NOTARIES[0]!.pub) }]);
		const signers = [...NOTARIES.slice(0, 10), NOTARIES[0]!];
		recordNotarization(kmd, nota(), 'kmd', signers);
		expect(kmd.notarizationsAt(kmd.height)).toEqual([]);
	});

	it('is ignored when somebody else signs along', () => {
		const kmd = newLedger({ name: 'KMD', ccid: 0 });
		fundNotaries(kmd);
		const stranger = keyOf('stranger');
		pay(kmd, MINER, [{ value: 1_000_000n, script: p2pk(stranger.pub) }]);
		recordNotarization(kmd, nota(), 'kmd', [...NOTARIES.slice(0, 11), stranger]);
		expect(kmd.notarizationsAt(kmd.height)).toEqual([]);
	});

	it('needs no signatures for names that begin with TXSCL, and never counts for LABS names', () => {
		const kmd = newLedger({ name: 'KMD', ccid: 0 });
		fundNotaries(kmd);
		recordNotarization(kmd, nota('TXSCL001'), 'kmd', NOTARIES.slice(0, 6));
		expect(kmd.notarizationsAt(kmd.height)).toHaveLength(1);
		recordNotarization(kmd, nota('CFEKHOUND'), 'kmd');
		expect(kmd.notarizationsAt(kmd.height)).toEqual([]);
	});

	it('is read in the form with a KMD txid on an asset chain only', () => {
		const alpha = newLedger();
		fundNotaries(alpha);
		recordNotarization(alpha, nota('ALPHA', 2), 'kmd');
		expect(alpha.notarizationsAt(alpha.height)).toEqual([]);
		recordNotarization(alpha, { ...nota('ALPHA', 2), kmdTxid: 'cd'.repeat(32) }, 'back');
		expect(alpha.lastNotarized()).toMatchObject({ data: { kmdTxid: 'cd'.repeat(32), height: 2 } });
	});

	it('makes transactions below it final and leaves newer ones at one confirmation', () => {
		const { kmd, alpha } = newNetwork();
		expect(alpha.confirmations(1)).toBe(alpha.height);
		alpha.mine({ count: 5 });
		const notarized = alpha.height;
		notarize(kmd, alpha);
		alpha.mine({ count: 2 });
		expect(alpha.lastNotarizedHeight()).toBe(notarized);
		expect(alpha.prevMoMHeight()).toBe(notarized);
		expect(alpha.confirmations(notarized - 1)).toBe(alpha.rawConfirmations(notarized - 1));
		expect(alpha.confirmations(notarized)).toBe(1);
		expect(alpha.rawConfirmations(notarized)).toBe(4);
		expect(alpha.confirmations(alpha.height + 1)).toBe(0);
	});

	it('is undone with its block', () => {
		const { kmd, alpha } = newNetwork();
		const kmdTxid = notarize(kmd, alpha);
		expect(alpha.notarizationByKmdTxid(kmdTxid)).toBeDefined();
		alpha.disconnect(1);
		expect(alpha.notarizationByKmdTxid(kmdTxid)).toBeUndefined();
		expect(alpha.lastNotarizedHeight()).toBe(0);
		expect(alpha.mempool.size).toBe(1);
		alpha.mine();
		expect(alpha.notarizationByKmdTxid(kmdTxid)).toBeDefined();
	});

	it('is found by a scan downward within its limit', () => {
		const { kmd, alpha } = newNetwork();
		notarize(kmd, alpha);
		const at = kmd.height;
		kmd.mine({ count: 10 });
		expect(kmd.scanNotarizationsDown(at + 9, 'ALPHA', 10)?.recordedAt).toBe(at);
		expect(kmd.scanNotarizationsDown(at + 10, 'ALPHA', 10)).toBeUndefined();
		expect(kmd.scanNotarizationsDown(at + 11, 'ALPHA')).toBeUndefined();
		expect(kmd.scanNotarizationsDown(at - 1, 'ALPHA')).toBeUndefined();
	});
});
