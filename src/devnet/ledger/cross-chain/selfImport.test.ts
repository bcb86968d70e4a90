import { describe, expect, it } from 'vitest';
import { p2pk, p2pkh } from '#lib/chain/script.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { buildSelfImport, selfImportSourceScript } from '#lib/chain/selfImport.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import type { Ledger } from '../ledger.ts';
import { COIN, newLedger, pay, payment, refusal } from '../testkit/chain.ts';
import { ALICE, BOB, MINER, type TestKey } from '../testkit/keys.ts';

const AMOUNT = 1234n * COIN;
const payout = { value: AMOUNT, script: p2pkh(hash160(BOB.pub)) };

const selfChain = (): Ledger => {
	const ledger = newLedger({ name: 'SELF', ccid: 0, acImport: 'PUBKEY', acPubkey: ALICE.hex });
	for (const key of [ALICE, BOB]) {
		pay(ledger, MINER, [{ value: 10n * COIN, script: p2pk(key.pub) }]);
	}
	return ledger;
};

const source = (ledger: Ledger, issuer: TestKey) =>
	payment(
		ledger,
		issuer,
		[
			{ value: 10_000n, script: payout.script },
			{ value: 0n, script: selfImportSourceScript(AMOUNT) }
		],
		{ keepLast: true, extra: { expiryHeight: 200 } }
	);

const FAILED = { code: -26, message: '0: invalid-coin-import', reason: 'PUBKEY-import-failure' };

describe('an import out of nothing', () => {
	it('is accepted while its source still waits, and pays without a fee', () => {
		const ledger = selfChain();
		const from = source(ledger, ALICE);
		const importTx = buildSelfImport(from, [payout]);
		expect(refusal(() => ledger.submit(importTx))).toEqual(FAILED);
		ledger.submit(from);
		const txid = ledger.submit(importTx);
		expect(ledger.mempool.get(txid)!.fee).toBe(0n);
		ledger.mine();
		expect(ledger.coin(txid, 0)?.value).toBe(AMOUNT);
		expect(ledger.tip.totals.imported).toBe(AMOUNT);
		expect(txidOf(importTx)).toBe(txid);
	});

	it('is refused to another key than the issuing one', () => {
		const ledger = selfChain();
		const from = source(ledger, BOB);
		ledger.submit(from);
		expect(refusal(() => ledger.submit(buildSelfImport(from, [payout])))).toEqual(FAILED);
	});

	it('is refused for another amount than the source names', () => {
		const ledger = selfChain();
		const from = source(ledger, ALICE);
		ledger.submit(from);
		const more = buildSelfImport(from, [{ ...payout, value: AMOUNT + COIN }]);
		expect(refusal(() => ledger.submit(more))).toEqual(FAILED);
	});

	it('is refused on chains without ac_import=PUBKEY', () => {
		const ledger = newLedger({ name: 'PLAIN' });
		pay(ledger, MINER, [{ value: 10n * COIN, script: p2pk(ALICE.pub) }]);
		const from = source(ledger, ALICE);
		ledger.submit(from);
		expect(refusal(() => ledger.submit(buildSelfImport(from, [payout])))).toEqual({
			...FAILED,
			reason: 'PUBKEY-import-when-not PUBKEY'
		});
	});
});
