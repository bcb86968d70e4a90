import { describe, expect, it } from 'vitest';
import { p2pk } from '#lib/chain/script.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import { COIN, pay, refusal } from '../testkit/chain.ts';
import { ALICE, BOB, MINER, NOTARIES, keyOf } from '../testkit/keys.ts';
import { approve, blockProof, coinBurn, importOf, newNetwork } from '../testkit/network.ts';

const setUp = () => {
	const { alpha, beta } = newNetwork();
	pay(alpha, MINER, [{ value: 100n * COIN, script: p2pk(ALICE.pub) }]);
	const burn = coinBurn(alpha, ALICE, BOB, COIN, { symbol: 'BETA', ccid: 777 });
	const burnTxid = alpha.submit(burn.burnTx);
	alpha.mine();
	const proof = blockProof(alpha, burnTxid);
	return { alpha, beta, ...burn, burnTxid, proof };
};

const importBy = (run: ReturnType<typeof setUp>, txids: string[]) =>
	importOf(run, { kind: 'approvals', txids });

const NOT_APPROVED = {
	code: -26,
	message: '0: invalid-coin-import',
	reason: 'notaries-approval-check-fail'
};

describe('the approval route', () => {
	it('takes an import that five notaries approved', () => {
		const run = setUp();
		const txids = NOTARIES.slice(0, 5).map((notary) => approve(run.beta, notary, run.proof));
		run.beta.mine();
		const tx = importBy(run, txids);
		expect(run.beta.submit(tx)).toBe(txidOf(tx));
		run.beta.mine();
		expect(run.beta.addressBalance(BOB.address, 'normal').balance).toBe(COIN);
	});

	it('refuses four, four and a repeated one, four and a stranger, four and one unmined', () => {
		const run = setUp();
		const four = NOTARIES.slice(0, 4).map((notary) => approve(run.beta, notary, run.proof));
		const stranger = keyOf('no notary');
		pay(run.beta, MINER, [{ value: COIN, script: p2pk(stranger.pub) }]);
		const again = approve(run.beta, NOTARIES[0]!, run.proof);
		const foreign = approve(run.beta, stranger, run.proof);
		run.beta.mine();
		const waiting = approve(run.beta, NOTARIES[4]!, run.proof);
		for (const txids of [
			four,
			[...four, four[0]!],
			[...four, again],
			[...four, foreign],
			[...four, waiting]
		]) {
			expect(refusal(() => run.beta.submit(importBy(run, txids)))).toEqual(NOT_APPROVED);
		}
		run.beta.mine();
		expect(run.beta.submit(importBy(run, [...four, waiting]))).toHaveLength(64);
	});

	it('refuses proofs of another transaction and proofs that do not fit their header', () => {
		const run = setUp();
		const other = blockProof(run.alpha, run.alpha.tip.txids[0]!);
		const bent = run.proof.slice();
		bent[40] = bent[40]! ^ 1;
		for (const proof of [other, bent]) {
			const txids = NOTARIES.slice(0, 5).map((notary) => approve(run.beta, notary, proof));
			run.beta.mine();
			expect(refusal(() => run.beta.submit(importBy(run, txids)))).toEqual(NOT_APPROVED);
		}
	});
});
