import { describe, expect, it } from 'vitest';
import { p2pk, p2pkh } from '#lib/chain/script.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import type { ChainParams } from '../api.ts';
import { COIN, pay, refusal, signed, draft, coinsOf } from '../testkit/chain.ts';
import { ALICE, BOB, MINER } from '../testkit/keys.ts';
import {
	coinBurn,
	importOf,
	newNetwork,
	notarize,
	recordNotarization,
	type Network
} from '../testkit/network.ts';
import { completeImport } from './completion.ts';
import { CrossChainError } from './error.ts';
import { momAt } from './mom.ts';
import { momomData, proofRootAt } from './proofRoot.ts';
import { sourceProof } from './sourceProof.ts';

const TO_BETA = { symbol: 'BETA', ccid: 777 };
const BAD_IMPORT = { code: -26, message: '0: invalid-coin-import' };

const failure = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		if (error instanceof CrossChainError) return error.message;
		throw error;
	}
	throw new Error('nothing failed');
};

/** Notarizes BETA seven times, then burns on ALPHA; the burn is notarized and back-notarized on BETA. */
const burned = (amount = 5n * COIN, target = TO_BETA, overrides: Partial<ChainParams> = {}) => {
	const network = newNetwork(overrides);
	const { kmd, alpha, beta } = network;
	for (let n = 0; n < 7; n++) {
		notarize(kmd, beta);
		beta.mine();
	}
	pay(alpha, MINER, [{ value: 100n * COIN, script: p2pk(ALICE.pub) }]);
	const burn = coinBurn(alpha, ALICE, BOB, amount, target);
	alpha.submit(burn.burnTx);
	alpha.mine();
	return { ...network, ...burn, burnTxid: txidOf(burn.burnTx) };
};

/** Notarizes until the destination knows the MoMoM of the import. */
const carry = ({ kmd, alpha, beta }: Network): void => {
	notarize(kmd, alpha);
	alpha.mine();
	kmd.mine();
	for (let n = 0; n < 3; n++) {
		notarize(kmd, beta);
		kmd.mine({ count: 6 });
	}
	notarize(kmd, beta);
	beta.mine();
	kmd.mine();
};

const completed = (run: ReturnType<typeof burned>): Transaction => {
	const first = importOf(run, sourceProof(run.alpha, run.burnTxid));
	return completeImport(run.kmd, first);
};

describe('the notarized route', () => {
	it('carries coins from chain to chain', () => {
		const run = burned();
		carry(run);
		const importTx = completed(run);
		const txid = run.beta.submit(importTx);
		expect(run.beta.mempool.get(txid)!.fee).toBe(10_000n);
		run.beta.mine();
		expect(run.beta.addressBalance(BOB.address, 'normal').balance).toBe(5n * COIN);
		expect(run.beta.importOf(run.burnTxid)).toBe(txid);
		expect(run.beta.tip.totals.imported).toBe(5n * COIN + 10_000n);
		expect(run.alpha.tip.totals.burned).toBe(5n * COIN + 10_000n);
		const [coin] = coinsOf(run.beta, BOB);
		const spend = signed(
			draft(
				[coin!],
				[
					{ value: COIN, script: p2pk(ALICE.pub) },
					{ value: 4n * COIN - 10_000n, script: coin!.script }
				]
			),
			[coin!],
			BOB
		);
		expect(run.beta.submit(spend)).toBe(txidOf(spend));
	});

	it('waits for the burn to be mined, notarized and buried by one block', () => {
		const { kmd, alpha } = newNetwork();
		pay(alpha, MINER, [{ value: 100n * COIN, script: p2pk(ALICE.pub) }]);
		const { burnTx } = coinBurn(alpha, ALICE, BOB, COIN, TO_BETA);
		const burnTxid = txidOf(burnTx);
		expect(failure(() => sourceProof(alpha, burnTxid))).toBe('cannot find transaction');
		alpha.submit(burnTx);
		expect(failure(() => sourceProof(alpha, burnTxid))).toBe('tx still in mempool');
		alpha.mine();
		expect(failure(() => sourceProof(alpha, burnTxid))).toBe('backnotarisation not yet confirmed');
		notarize(kmd, alpha);
		// The notarization is in the tip, which is never searched.
		expect(failure(() => sourceProof(alpha, burnTxid))).toBe('backnotarisation not yet confirmed');
		alpha.mine();
		expect(sourceProof(alpha, burnTxid).kind).toBe('txproof');
	});

	it('finds the record 1439 blocks on and not 1440', () => {
		for (const [distance, found] of [
			[1439, true],
			[1440, false]
		] as const) {
			const { kmd, alpha } = newNetwork();
			const txid = pay(alpha, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]);
			const height = alpha.height;
			alpha.mine({ count: distance - 1 });
			notarize(kmd, alpha);
			expect(alpha.height - height).toBe(distance);
			alpha.mine({ count: 3 });
			if (found) expect(sourceProof(alpha, txid).index).toBeGreaterThan(0);
			else
				expect(failure(() => sourceProof(alpha, txid))).toBe('backnotarisation not yet confirmed');
		}
	});

	it('fails for good when the MoM does not reach back to the burn', () => {
		const { kmd, alpha } = newNetwork();
		const txid = pay(alpha, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]);
		alpha.mine({ count: 5 });
		const short = {
			blockHash: alpha.tip.hash,
			height: alpha.height,
			symbol: 'ALPHA',
			mom: momAt(alpha, alpha.height, 2),
			momDepth: 2,
			ccid: 777
		};
		const kmdTxid = recordNotarization(kmd, short, 'kmd');
		recordNotarization(alpha, { ...short, kmdTxid }, 'back');
		alpha.mine();
		expect(failure(() => sourceProof(alpha, txid))).toBe('Failed merkle block->MoM');
	});

	it('passes over a record that is newer than the burn but notarizes an older block', () => {
		const { kmd, alpha } = newNetwork();
		const older = {
			blockHash: alpha.tip.hash,
			height: alpha.height,
			symbol: 'ALPHA',
			mom: momAt(alpha, alpha.height, 1),
			momDepth: 1,
			ccid: 777
		};
		const txid = pay(alpha, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]);
		const kmdTxid = recordNotarization(kmd, older, 'kmd');
		recordNotarization(alpha, { ...older, kmdTxid }, 'back');
		alpha.mine();
		expect(failure(() => sourceProof(alpha, txid))).toBe('backnotarisation not yet confirmed');
		const next = notarize(kmd, alpha);
		alpha.mine();
		expect(sourceProof(alpha, txid).txid).toBe(next);
	});

	it('is completed on KMD only, once the destination was notarized after the source', () => {
		const run = burned();
		notarize(run.kmd, run.alpha);
		run.alpha.mine();
		const first = importOf(run, sourceProof(run.alpha, run.burnTxid));
		expect(failure(() => completeImport(run.alpha, first))).toBe('Must be called on KMD');
		run.kmd.mine({ count: 2 });
		expect(failure(() => completeImport(run.kmd, first))).toBe(
			'Cannot find notarisation for target inclusive of source'
		);
		notarize(run.kmd, run.beta);
		// The tip of KMD is not searched either.
		expect(failure(() => completeImport(run.kmd, first))).toBe(
			'Cannot find notarisation for target inclusive of source'
		);
		run.kmd.mine();
		expect(parseImport(completeImport(run.kmd, first))).not.toBeNull();
		expect(failure(() => completeImport(run.kmd, first, -1000))).toBe('No MoMs found');
		expect(failure(() => completeImport(run.kmd, first, 1000))).toBe('No MoMs found');
	});

	it('can never be completed when the destination was first notarized after the burn', () => {
		const { kmd, alpha, beta } = newNetwork();
		pay(alpha, MINER, [{ value: 100n * COIN, script: p2pk(ALICE.pub) }]);
		const burn = coinBurn(alpha, ALICE, BOB, COIN, TO_BETA);
		alpha.submit(burn.burnTx);
		alpha.mine();
		notarize(kmd, alpha);
		alpha.mine();
		const first = importOf(burn, sourceProof(alpha, txidOf(burn.burnTx)));
		for (let n = 0; n < 9; n++) notarize(kmd, beta);
		kmd.mine();
		expect(failure(() => completeImport(kmd, first))).toBe('No MoMs found');
		for (const offset of [6, 7, 8]) {
			expect(failure(() => completeImport(kmd, first, offset))).toMatch(
				/^(No MoMs found|Couldn't find MoM within MoMoM set)$/
			);
		}
	});

	it('needs the notarization to be known on KMD and a proof of the right kind', () => {
		const run = burned();
		carry(run);
		const proof = sourceProof(run.alpha, run.burnTxid);
		const stranger = importOf(run, { ...proof, txid: 'ee'.repeat(32) });
		expect(failure(() => completeImport(run.kmd, stranger))).toBe('Notarisation not found');
		const approvals = importOf(run, { kind: 'approvals', txids: [run.burnTxid] });
		expect(failure(() => completeImport(run.kmd, approvals))).toBe('Incorrect import tx proof');
		const tampered = importOf(run, { ...proof, index: proof.index ^ 1 });
		expect(failure(() => completeImport(run.kmd, tampered))).toBe(
			"Couldn't find MoM within MoMoM set"
		);
	});

	it('does not mix ids: another CCid finds no MoM', () => {
		const run = burned(COIN, { symbol: 'BETA', ccid: 888 });
		carry(run);
		const first = importOf(run, sourceProof(run.alpha, run.burnTxid));
		expect(failure(() => completeImport(run.kmd, first))).toBe(
			"Couldn't find MoM within MoMoM set"
		);
	});
});

describe('the MoMoM', () => {
	it('needs seven notarizations of the destination', () => {
		const { kmd, beta } = newNetwork();
		for (let n = 0; n < 6; n++) notarize(kmd, beta);
		expect(proofRootAt(kmd, 'BETA', 777, kmd.height)).toBeNull();
		notarize(kmd, beta);
		const root = proofRootAt(kmd, 'BETA', 777, kmd.height)!;
		expect(root.moms).toHaveLength(6);
		expect(root.destNotarization).toBe(kmd.notarizationsAt(kmd.height)[0]!.txid);
		expect(proofRootAt(kmd, 'BETA', 1, kmd.height)).toBeNull();
		expect(proofRootAt(kmd, 'BETA', 777, kmd.height + 1)).toBeNull();
	});

	it('keeps other ids and other groups of notaries apart', () => {
		const { kmd, beta } = newNetwork();
		for (let n = 0; n < 8; n++) notarize(kmd, beta);
		const before = proofRootAt(kmd, 'BETA', 777, kmd.height)!.moms.length;
		const foreign = {
			blockHash: 'ab'.repeat(32),
			height: 3,
			mom: new Uint8Array(32).fill(9),
			momDepth: 2
		};
		recordNotarization(kmd, { ...foreign, symbol: 'ALPHA', ccid: 778 }, 'kmd');
		recordNotarization(kmd, { ...foreign, symbol: 'TXSCLA', ccid: 777 }, 'kmd');
		notarize(kmd, beta);
		expect(proofRootAt(kmd, 'BETA', 777, kmd.height)!.moms).toHaveLength(before);
		recordNotarization(kmd, { ...foreign, symbol: 'ALPHA', ccid: 777 }, 'kmd');
		notarize(kmd, beta);
		expect(proofRootAt(kmd, 'BETA', 777, kmd.height)!.moms).toHaveLength(before + 1);
	});

	it('is asked for five blocks below the given height', () => {
		const { kmd, beta } = newNetwork();
		for (let n = 0; n < 8; n++) notarize(kmd, beta);
		const { height, root } = momomData(kmd, 'BETA', kmd.height, 777);
		expect(height).toBe(kmd.height - 5);
		expect(root).toBeNull();
		kmd.mine({ count: 5 });
		expect(momomData(kmd, 'BETA', kmd.height, 777).root!.moms.length).toBeGreaterThan(0);
	});
});

describe('an import is refused', () => {
	it('before the MoMoM is known on the destination', () => {
		const run = burned();
		notarize(run.kmd, run.alpha);
		run.alpha.mine();
		notarize(run.kmd, run.beta);
		run.kmd.mine();
		run.beta.mine();
		expect(refusal(() => run.beta.submit(completed(run)))).toEqual({
			...BAD_IMPORT,
			reason: 'momom-check-fail'
		});
	});

	it('with a proof that was tampered with', () => {
		const run = burned();
		carry(run);
		const right = completed(run);
		const { proof } = parseImport(right)!;
		if (proof.kind !== 'txproof') throw new Error('wrong kind of proof');
		const branch = proof.branch.map((hash, at) => (at === 0 ? hash.map((byte) => byte ^ 1) : hash));
		for (const changed of [
			{ ...proof, branch },
			{ ...proof, index: proof.index ^ 2 },
			{ ...proof, txid: 'ee'.repeat(32) },
			{ ...proof, branch: [] }
		]) {
			expect(refusal(() => run.beta.submit(importOf(run, changed)))).toEqual({
				...BAD_IMPORT,
				reason: 'momom-check-fail'
			});
		}
		expect(run.beta.submit(right)).toBe(txidOf(right));
	});

	it('with payouts that do not fit the burn', () => {
		const run = burned();
		carry(run);
		const { proof } = parseImport(completed(run))!;
		const pays = (value: bigint, key = BOB) =>
			buildImport(run.burnTx, [{ value, script: p2pkh(hash160(key.pub)) }], proof);
		const reason = (tx: Transaction) => refusal(() => run.beta.submit(tx)).reason;
		expect(reason(pays(5n * COIN + 10_001n))).toBe('payout-too-high-or-too-low');
		expect(reason(pays(5n * COIN - 1n))).toBe('payout-too-high-or-too-low');
		expect(reason(pays(5n * COIN, ALICE))).toBe('wrong-payouts');
	});

	it('on a chain with another id or another name', () => {
		for (const target of [
			{ symbol: 'BETA', ccid: 888 },
			{ symbol: 'NOSUCH', ccid: 777 }
		]) {
			const run = burned(COIN, target);
			carry(run);
			const tx = importOf(run, sourceProof(run.alpha, run.burnTxid));
			expect(refusal(() => run.beta.submit(tx))).toEqual({
				...BAD_IMPORT,
				reason: 'importcoin-wrong-chain'
			});
		}
		const low = burned(COIN, { symbol: 'BETA', ccid: 99 });
		carry(low);
		const tx = importOf(low, sourceProof(low.alpha, low.burnTxid));
		expect(refusal(() => low.beta.submit(tx)).reason).toBe('chain-not-fungible');
	});

	it('on its own source chain, in the words for a used burn', () => {
		const run = burned();
		carry(run);
		expect(refusal(() => run.alpha.submit(completed(run)))).toEqual({
			code: -26,
			message: '18: import tombstone exists'
		});
	});

	it('when its shape is not the canonical one', () => {
		const run = burned();
		carry(run);
		const right = completed(run);
		const more = { ...right, vout: [right.vout[0]!, right.vout[0]!, right.vout[1]!] };
		expect(refusal(() => run.beta.submit(more)).code).toBe(-26);
		const odd = { ...right, locktime: 5, vin: [{ ...right.vin[0]!, sequence: 0xffffffff }] };
		expect(refusal(() => run.beta.submit(odd)).reason).toBe('non-canonical');
		const bare = { ...right, vout: right.vout.slice(0, 1) };
		expect(refusal(() => run.beta.submit(bare)).reason).toBe('too-few-vouts');
		const none = importOf(run, { kind: 'merkleblock', bytes: new Uint8Array(3) });
		expect(refusal(() => run.beta.submit(none)).reason).toBe('invalid-import-proof');
	});

	it('by the default relay limit of 208 bytes, which is no rule for blocks', () => {
		const run = burned(COIN, TO_BETA, { dataCarrierSize: 208 });
		carry(run);
		expect(refusal(() => run.beta.submit(completed(run)))).toEqual({
			code: -26,
			message: '64: scriptpubkey'
		});
	});

	it('a second time, in the mempool and after a block, whatever its expiry', () => {
		const run = burned();
		carry(run);
		const first = completed(run);
		const parts = parseImport(first)!;
		const second = buildImport(run.burnTx, parts.payouts, parts.proof, run.beta.height + 500);
		expect(txidOf(second)).not.toBe(txidOf(first));
		const tombstone = { code: -26, message: '18: import tombstone exists' };
		run.beta.submit(first);
		expect(refusal(() => run.beta.submit(second))).toEqual(tombstone);
		run.beta.mine();
		expect(refusal(() => run.beta.submit(second))).toEqual(tombstone);
		expect(refusal(() => run.beta.submit(first)).code).toBe(-27);
		run.beta.disconnect(1);
		expect(run.beta.mempool.has(txidOf(first))).toBe(true);
		run.beta.mine();
		expect(run.beta.importOf(run.burnTxid)).toBe(txidOf(first));
	});
});
