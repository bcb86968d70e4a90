import { describe, expect, it } from 'vitest';
import { serializeNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { opReturn, p2pk } from '#lib/chain/script.ts';
import { buildImport } from '#lib/chain/importProof.ts';
import { COIN, newLedger, pay, payment } from '../testkit/chain.ts';
import { ALICE, BOB, MINER } from '../testkit/keys.ts';
import { coinBurn } from '../testkit/network.ts';
import type { Ledger } from '../ledger.ts';
import { completeImport } from './completion.ts';
import { knowsMoMoM } from './momomCheck.ts';
import { proofRootAt } from './proofRoot.ts';

const MOMOM = new Uint8Array(32).fill(5);

/** Mines a block with a notarization, on a chain that requires no notary signatures. */
const record = (ledger: Ledger, data: Partial<Notarization>): { txid: string; height: number } => {
	const whole = {
		blockHash: 'ab'.repeat(32),
		height: ledger.height,
		symbol: 'BETA',
		mom: new Uint8Array(32).fill(ledger.height % 251),
		momDepth: 1,
		ccid: 777,
		...data
	};
	const form = whole.kmdTxid === undefined ? 'kmd' : 'back';
	const outs = [
		{ value: 10_000n, script: p2pk(MINER.pub) },
		{ value: 0n, script: opReturn(serializeNotarization(whole, form)) }
	];
	const txid = ledger.submit(payment(ledger, MINER, outs));
	ledger.mine();
	return { txid, height: ledger.height };
};

const mineTo = (ledger: Ledger, height: number): void => {
	ledger.mine({ count: height - ledger.height });
};

const newKmd = (): Ledger => newLedger({ name: 'KMD', ccid: 0, requireNotarySignatures: false });
const newBeta = (): Ledger => newLedger({ name: 'BETA', requireNotarySignatures: false });

describe('windows of 1440 blocks', () => {
	it('hold the seven notarizations of a MoMoM', () => {
		for (const [distance, found] of [
			[1439, true],
			[1440, false]
		] as const) {
			const kmd = newKmd();
			const first = record(kmd, {});
			for (let n = 0; n < 5; n++) record(kmd, {});
			mineTo(kmd, first.height + distance - 1);
			const last = record(kmd, {});
			expect(last.height - first.height).toBe(distance);
			expect(proofRootAt(kmd, 'BETA', 777, kmd.height) !== null).toBe(found);
		}
	});

	it('are searched on KMD for the destination after the source', () => {
		for (const [distance, message] of [
			[1439, 'No MoMs found'],
			[1440, 'Cannot find notarisation for target inclusive of source']
		] as const) {
			const kmd = newKmd();
			const alpha = newLedger();
			pay(alpha, MINER, [{ value: 9n * COIN, script: p2pk(ALICE.pub) }]);
			const { burnTx, payouts } = coinBurn(alpha, ALICE, BOB, COIN, { symbol: 'BETA', ccid: 777 });
			const source = record(kmd, { symbol: 'ALPHA' });
			mineTo(kmd, source.height + distance - 1);
			record(kmd, {});
			kmd.mine();
			const proof = { kind: 'txproof' as const, txid: source.txid, index: 0, branch: [] };
			expect(() => completeImport(kmd, buildImport(burnTx, payouts, proof))).toThrow(message);
		}
	});

	it('are searched on the destination from 100 blocks before the named record', () => {
		const kmdTxid = 'cd'.repeat(32);
		for (const [distance, found] of [
			[1439, true],
			[1440, false]
		] as const) {
			const beta = newBeta();
			mineTo(beta, 150);
			const named = record(beta, { kmdTxid });
			mineTo(beta, named.height - 100 + distance - 1);
			const holder = record(beta, { kmdTxid: 'ef'.repeat(32), momom: MOMOM, momomDepth: 0 });
			expect(holder.height).toBe(named.height - 100 + distance);
			// The tip is never searched.
			expect(knowsMoMoM(beta, kmdTxid, MOMOM)).toBe(false);
			beta.mine();
			expect(knowsMoMoM(beta, kmdTxid, MOMOM)).toBe(found);
		}
	});

	it('never lead to the all-zero hash that stands for none', () => {
		const beta = newBeta();
		const kmdTxid = 'cd'.repeat(32);
		record(beta, { kmdTxid, momom: new Uint8Array(32), momomDepth: 0 });
		beta.mine();
		expect(knowsMoMoM(beta, kmdTxid, new Uint8Array(32))).toBe(false);
		expect(knowsMoMoM(beta, 'ef'.repeat(32), MOMOM)).toBe(false);
	});
});
