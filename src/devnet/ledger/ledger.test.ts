import { describe, expect, it } from 'vitest';
import { hexToBytes, internalHash, internalHash as internal } from '#lib/chain/bytes.ts';
import { blockHash } from '#lib/chain/block.ts';
import { merkleRoot } from '#lib/chain/merkle.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { opReturn, p2pk, p2pkh } from '#lib/chain/script.ts';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import {
	BAD_SCRIPT,
	COIN,
	FEE,
	coinsOf,
	draft,
	newLedger,
	pay,
	payment,
	refusal,
	signed
} from './testkit/chain.ts';
import { ALICE, BOB, MINER } from './testkit/keys.ts';

const toAlice = { value: COIN, script: p2pk(ALICE.pub) };
const toBob = { value: COIN, script: p2pkh(hash160(BOB.pub)) };

describe('blocks', () => {
	it('start at the genesis block that all chains share', () => {
		const ledger = newLedger();
		expect(ledger.blockAt(0)!.hash).toBe(
			'027e3758c3a65b12aa1046462b486d0a63bfa1beae327897f56c5cfb7daaae71'
		);
		expect(ledger.blockAt(0)!.size).toBe(1692);
	});

	it('are linked by real hashes and carry the real merkle root', () => {
		const ledger = newLedger();
		pay(ledger, MINER, [toAlice, toBob]);
		const [before, tip] = [ledger.blockAt(1)!, ledger.blockAt(2)!];
		expect(tip.header.previousHash).toBe(before.hash);
		expect(blockHash(tip.header)).toBe(tip.hash);
		expect(internalHash(tip.header.merkleRoot)).toEqual(merkleRoot(tip.txids.map(internal)));
		expect(ledger.blockByHash(tip.hash)).toBe(tip);
	});

	it('pay the premine once, the reward always, and the fees of their transactions', () => {
		const ledger = newLedger();
		pay(ledger, MINER, [toAlice]);
		expect(ledger.blockAt(1)!.transactions[0]!.vout[0]!.value).toBe(1_000_001n * COIN);
		expect(ledger.blockAt(2)!.transactions[0]!.vout[0]!.value).toBe(COIN + FEE);
		expect(ledger.tip.totals.minted).toBe(1_000_002n * COIN);
	});

	it('can pay another miner and leave the mempool alone', () => {
		const ledger = newLedger();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		ledger.mine({ pubkey: BOB.hex, empty: true });
		expect(ledger.mempool.size).toBe(1);
		expect(ledger.addressBalance(BOB.address, 'normal').balance).toBe(COIN);
	});

	it('take their times from the request, one block time apart', () => {
		const ledger = newLedger();
		const [a, b] = ledger.mine({ count: 2, time: 1_800_000_000 });
		expect([a!.header.time, b!.header.time]).toEqual([1_800_000_000, 1_800_000_060]);
	});

	it('use version 1 transactions before Sapling and version 4 after', () => {
		const ledger = newLedger({ saplingHeight: 3 });
		ledger.mine({ count: 2 });
		expect(ledger.blockAt(2)!.transactions[0]!.version).toBe(1);
		expect(ledger.blockAt(3)!.transactions[0]!.version).toBe(4);
	});
});

describe('coins', () => {
	it('move with real signatures and show up at the address of their key', () => {
		const ledger = newLedger();
		const txid = pay(ledger, MINER, [toAlice, toBob]);
		expect(ledger.addressCoins(ALICE.address, 'normal').map((coin) => coin.value)).toEqual([COIN]);
		expect(ledger.addressBalance(BOB.address, 'normal')).toEqual({ balance: COIN, received: COIN });
		const next = pay(ledger, BOB, [{ value: COIN - FEE, script: p2pk(ALICE.pub) }]);
		expect(ledger.spentBy(txid, 1)).toEqual({ txid: next, index: 0, height: 3 });
		expect(ledger.addressBalance(BOB.address, 'normal')).toEqual({ balance: 0n, received: COIN });
		expect(ledger.addressHistory(BOB.address, 'normal').map((delta) => delta.satoshis)).toEqual([
			COIN,
			-COIN
		]);
	});

	it('count burned outputs as burned and keep no coin for them', () => {
		const ledger = newLedger();
		const txid = pay(ledger, MINER, [{ value: COIN, script: opReturn(Uint8Array.of(1)) }, toAlice]);
		expect(ledger.coin(txid, 0)).toBeUndefined();
		expect(ledger.coin(txid, 1)?.value).toBe(COIN);
		expect(ledger.tip.totals.burned).toBe(COIN);
	});

	it('chain through the mempool and are mined parents first', () => {
		const ledger = newLedger();
		const parent = payment(ledger, MINER, [toAlice]);
		ledger.submit(parent);
		const coin = { txid: txidOf(parent), vout: 0, ...toAlice };
		const child = signed(
			draft([coin], [{ value: COIN - FEE, script: p2pk(BOB.pub) }]),
			[coin],
			ALICE
		);
		ledger.submit(child);
		expect(ledger.mempool.get(txidOf(child))!.depends).toEqual([txidOf(parent)]);
		expect(ledger.spentBy(coin.txid, 0)).toEqual({ txid: txidOf(child), index: 0, height: -1 });
		ledger.mine();
		expect(ledger.tip.txids.slice(1)).toEqual([txidOf(parent), txidOf(child)]);
		expect(ledger.mempool.size).toBe(0);
	});
});

describe('refusals on submission', () => {
	it('name a parent that nobody knows', () => {
		const ledger = newLedger();
		const coin = { txid: 'ab'.repeat(32), vout: 0, ...toAlice };
		const tx = signed(draft([coin], [toBob]), [coin], ALICE);
		expect(refusal(() => ledger.submit(tx))).toEqual({ code: -25, message: 'Missing inputs' });
	});

	it('tell a spent output apart from an unknown one', () => {
		const ledger = newLedger();
		pay(ledger, MINER, [toAlice, toBob]);
		const [coin] = coinsOf(ledger, ALICE);
		pay(ledger, ALICE, [{ value: COIN - FEE, script: p2pk(BOB.pub) }]);
		const again = signed(draft([coin!], [{ value: 5000n, script: toBob.script }]), [coin!], ALICE);
		expect(refusal(() => ledger.submit(again))).toEqual({
			code: -26,
			message: '18: bad-txns-inputs-spent'
		});
		const parent = coinsOf(ledger, BOB).find((one) => one.txid === coin!.txid)!;
		const spendRest = coinsOf(ledger, MINER).find((one) => one.txid === coin!.txid)!;
		for (const [rest, key] of [
			[parent, BOB],
			[spendRest, MINER]
		] as const) {
			ledger.submit(
				signed(draft([rest], [{ value: rest.value - FEE, script: toBob.script }]), [rest], key),
				{ allowHighFees: true }
			);
		}
		ledger.mine();
		expect(refusal(() => ledger.submit(again)).message).toBe('Missing inputs');
	});

	it('stop a double spend in the mempool', () => {
		const ledger = newLedger();
		ledger.submit(payment(ledger, MINER, [toAlice]));
		const [coin] = ledger.addressCoins(MINER.address, 'normal');
		const rival = signed(
			draft([coin!], [{ value: coin!.value - FEE, script: toBob.script }]),
			[coin!],
			MINER
		);
		expect(refusal(() => ledger.submit(rival))).toEqual({
			code: -26,
			message: '16: mempool conflict'
		});
	});

	it('stop an overspend', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const tx = signed(
			draft([coin!], [{ value: coin!.value + 1n, script: toBob.script }]),
			[coin!],
			MINER
		);
		expect(refusal(() => ledger.submit(tx))).toEqual({
			code: -26,
			message: '16: bad-txns-in-belowout'
		});
	});

	it('stop a signature of another key', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const out = { value: coin!.value - FEE, script: toBob.script };
		const posing = { ...coin!, script: p2pk(ALICE.pub) };
		const tx = signed(draft([coin!], [out]), [posing], ALICE);
		expect(refusal(() => ledger.submit(tx))).toMatchObject({ code: -26, message: BAD_SCRIPT });
	});

	it('stop a P2PKH input signed by a key with another address', () => {
		const ledger = newLedger();
		pay(ledger, MINER, [toBob]);
		const [coin] = coinsOf(ledger, BOB);
		const out = { value: COIN - FEE, script: toAlice.script };
		const right = signed(draft([coin!], [out]), [coin!], BOB);
		const posing = { ...coin!, script: p2pkh(hash160(ALICE.pub)) };
		const wrong = signed(draft([coin!], [out]), [posing], ALICE);
		expect(refusal(() => ledger.submit(wrong)).message).toBe(
			'16: mandatory-script-verify-flag-failed (Script failed an OP_EQUALVERIFY operation)'
		);
		expect(ledger.submit(right)).toBe(txidOf(right));
	});

	it('stop a signature over other outputs', () => {
		const ledger = newLedger();
		const tx = payment(ledger, MINER, [toAlice]);
		const changed = { ...tx, vout: [{ ...tx.vout[0]!, value: COIN - 1n }, ...tx.vout.slice(1)] };
		expect(refusal(() => ledger.submit(changed)).message).toBe(BAD_SCRIPT);
	});

	it('answer an unsigned transaction with an empty message', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const tx = draft([coin!], [{ value: coin!.value - FEE, script: toBob.script }]);
		expect(refusal(() => ledger.submit(tx))).toEqual({ code: -25, message: '' });
	});

	it('stop empty lists, the same input twice, and scripts above 10001 bytes', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const out = { value: COIN, script: toBob.script };
		const huge = { value: 0n, script: opReturn(new Uint8Array(10_001)) };
		const message = (tx: Parameters<typeof ledger.submit>[0]) =>
			refusal(() => ledger.submit(tx)).message;
		expect(message(draft([], [out]))).toBe('16: bad-txns-vin-empty');
		expect(message(draft([coin!], []))).toBe('16: bad-txns-vout-empty');
		expect(message(draft([coin!, coin!], [out]))).toBe('16: bad-txns-inputs-duplicate');
		expect(message(draft([coin!], [huge]))).toBe('16: bad-txns-opret-too-big');
		const many = Array.from({ length: 6000 }, () => out);
		expect(message(draft([coin!], many))).toBe('16: bad-txns-oversize');
		expect(message(draft([coin!], [{ ...out, value: -1n }]))).toBe('16: bad-txns-vout-negative');
	});

	it('hold a coinbase back until it is deep enough', () => {
		const ledger = newLedger({ name: 'KMD', ccid: 0, maturity: 100 });
		const [coin] = ledger.addressCoins(MINER.address, 'normal');
		const tx = signed(
			draft([coin!], [{ value: coin!.value - FEE, script: toBob.script }]),
			[coin!],
			MINER
		);
		ledger.mine({ count: 98 });
		expect(refusal(() => ledger.submit(tx)).message).toBe(
			'16: bad-txns-premature-spend-of-coinbase'
		);
		ledger.mine();
		expect(ledger.submit(tx)).toBe(txidOf(tx));
	});

	it('stop an expired transaction and drop one that expires while it waits', () => {
		const ledger = newLedger();
		const late = payment(ledger, MINER, [toAlice], { extra: { expiryHeight: 1 } });
		expect(refusal(() => ledger.submit(late)).message).toBe('16: tx-overwinter-expired');
		ledger.submit(payment(ledger, MINER, [toAlice], { extra: { expiryHeight: 2 } }));
		ledger.mine({ empty: true });
		expect(ledger.mempool.size).toBe(0);
	});

	it('want the version of the height', () => {
		const ledger = newLedger({ saplingHeight: 5 });
		const old = { overwintered: false, version: 1, versionGroupId: 0 };
		const message = (extra: object) =>
			refusal(() => ledger.submit(payment(ledger, MINER, [toAlice], { extra }))).message;
		expect(message({})).toBe('16: tx-overwinter-not-active');
		const early = payment(ledger, MINER, [toAlice], { extra: old });
		ledger.mine({ count: 4 });
		expect(refusal(() => ledger.submit(early)).message).toBe('16: tx-overwinter-active');
		expect(message({ versionGroupId: 0x03c48270, version: 3 })).toBe(
			'16: bad-sapling-tx-version-group-id'
		);
	});

	it('apply the relay rules for outputs', () => {
		const ledger = newLedger({ dataCarrierSize: 208 });
		const message = (...outs: Parameters<typeof payment>[2]) =>
			refusal(() => ledger.submit(payment(ledger, MINER, outs))).message;
		const data = (length: number) => ({ value: 0n, script: opReturn(new Uint8Array(length)) });
		expect(data(205).script.length).toBe(208);
		expect(message(data(206))).toBe('64: scriptpubkey');
		expect(message({ value: 1n, script: hexToBytes('51') })).toBe('64: scriptpubkey');
		expect(message({ value: 53n, script: toBob.script })).toBe('64: dust');
		expect(message(data(3), data(4))).toBe('64: multi-op-return');
		expect(ledger.submit(payment(ledger, MINER, [data(205)]))).toMatch(/^[0-9a-f]{64}$/);
	});

	it('know no crypto-conditions where ac_cc is 0', () => {
		const ledger = newLedger({ ccid: 0 });
		const tx = payment(ledger, MINER, [{ value: COIN, script: tokenScript(ALICE.pub) }]);
		expect(refusal(() => ledger.submit(tx)).message).toBe('64: scriptpubkey');
	});

	it('ask before paying an absurd fee', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const tx = signed(draft([coin!], [toBob]), [coin!], MINER);
		const told = refusal(() => ledger.submit(tx));
		expect(told.code).toBe(-25);
		expect(told.message).toMatch(
			new RegExp(`^AcceptToMemoryPool: absurdly high fees ${txidOf(tx)}, \\d+ > \\d+$`)
		);
		expect(ledger.submit(tx, { allowHighFees: true })).toBe(txidOf(tx));
	});

	it('answer with the txid while it waits and with -27 once it is mined', () => {
		const ledger = newLedger();
		const tx = payment(ledger, MINER, [toAlice]);
		expect(ledger.submit(tx)).toBe(txidOf(tx));
		expect(ledger.submit(tx)).toBe(txidOf(tx));
		ledger.mine();
		expect(refusal(() => ledger.submit(tx))).toEqual({
			code: -27,
			message: 'transaction already in block chain'
		});
	});

	it('keep a lock time in the future out', () => {
		const ledger = newLedger();
		const [coin] = coinsOf(ledger, MINER);
		const tx = draft([coin!], [{ value: coin!.value - FEE, script: toBob.script }], {
			locktime: 50
		});
		tx.vin[0]!.sequence = 0xfffffffe;
		const ready = signed(tx, [coin!], MINER);
		expect(refusal(() => ledger.submit(ready)).message).toBe('64: non-final');
		ledger.mine({ count: 49 });
		expect(ledger.submit(ready)).toBe(txidOf(ready));
	});
});
