import { describe, expect, it } from 'vitest';
import {
	BURN_PUBKEY,
	TOKENS_GLOBAL_PUBKEY,
	ccScript,
	nftScript,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import { compareBytes, internalHash } from '#lib/chain/bytes.ts';
import { p2pk } from '#lib/chain/script.ts';
import { tokenTransferScript } from '#lib/chain/token.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import type { Coin } from './api.ts';
import type { Ledger } from './ledger.ts';
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
	signed,
	tokenCreation,
	tokenTransfer
} from './testkit/chain.ts';
import { ALICE, BOB, MINER, type TestKey } from './testkit/keys.ts';

const funded = (): Ledger => {
	const ledger = newLedger();
	for (const key of [ALICE, BOB]) {
		pay(
			ledger,
			MINER,
			Array.from({ length: 8 }, () => ({ value: COIN, script: p2pk(key.pub) }))
		);
	}
	return ledger;
};

const create = (ledger: Ledger, owner: TestKey, supply: bigint, data?: Uint8Array): string => {
	const txid = ledger.submit(tokenCreation(ledger, owner, supply, data));
	ledger.mine();
	return txid;
};

const toToken = (key: TestKey, value: bigint) => ({ value, script: tokenScript(key.pub) });

const markerOf = (ledger: Ledger, tokenid: string): Coin => {
	const mined = ledger.mined(tokenid)!.tx;
	const vout = mined.vout.findIndex(
		(out) => compareBytes(out.script, tokenScript(TOKENS_GLOBAL_PUBKEY)) === 0
	);
	return ledger.coin(tokenid, vout)!;
};

describe('a token', () => {
	it('comes into being with its supply, and is listed once mined', () => {
		const ledger = funded();
		const tx = tokenCreation(ledger, ALICE, 1000n);
		const tokenid = ledger.submit(tx);
		expect(ledger.tokenInfo(tokenid)).toBe('mempool');
		expect(ledger.tokenList()).toEqual([]);
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(0n);
		ledger.mine();
		expect(ledger.tokenInfo(tokenid)).toMatchObject({
			tokenid,
			owner: ALICE.hex,
			name: 'TOK',
			description: 'a token',
			supply: 1000n
		});
		expect(ledger.tokenList()).toEqual([tokenid]);
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(1000n);
	});

	it('moves to another key with change, and back', () => {
		const ledger = funded();
		const tokenid = create(ledger, ALICE, 1000n);
		const coins = ledger.tokenCoins(tokenid, ALICE.pub);
		ledger.submit(
			tokenTransfer(
				ledger,
				tokenid,
				ALICE,
				coins,
				[toToken(BOB, 300n), toToken(ALICE, 700n)],
				[BOB]
			)
		);
		ledger.mine();
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(700n);
		expect(ledger.tokenBalance(tokenid, BOB.pub)).toBe(300n);
		const back = ledger.tokenCoins(tokenid, BOB.pub);
		ledger.submit(tokenTransfer(ledger, tokenid, BOB, back, [toToken(ALICE, 300n)], [ALICE]));
		ledger.mine();
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(1000n);
	});

	it('can go to the burn key, where it stays', () => {
		const ledger = funded();
		const tokenid = create(ledger, ALICE, 10n);
		const coins = ledger.tokenCoins(tokenid, ALICE.pub);
		const burn = { ...BOB, pub: BURN_PUBKEY };
		ledger.submit(tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(burn, 10n)], [burn]));
		ledger.mine();
		expect(ledger.tokenBalance(tokenid, BURN_PUBKEY)).toBe(10n);
		expect(ledger.tokenInfo(tokenid)).toMatchObject({ supply: 10n });
	});

	it('is listed in the order of the internal bytes of its id, and no longer once its marker is spent', () => {
		const ledger = funded();
		const ids = [create(ledger, ALICE, 5n), create(ledger, BOB, 6n), create(ledger, ALICE, 7n)];
		const sorted = [...ids].sort((a, b) => compareBytes(internalHash(a), internalHash(b)));
		expect(ledger.tokenList()).toEqual(sorted);
		const gone = ids[0]!;
		const marker = markerOf(ledger, gone);
		const coins = ledger.tokenCoins(gone, ALICE.pub);
		const all = [coinsOf(ledger, ALICE)[0]!, coins[0]!, marker];
		const tx = draft(all, [
			toToken(BOB, 5n),
			{ value: all[0]!.value, script: p2pk(ALICE.pub) },
			{
				value: 0n,
				script: tokenTransferScript({ tokenid: gone, destPubkeys: [BOB.pub], blobs: [] })
			}
		]);
		const global = globalKey();
		ledger.submit(signed(tx, all, [ALICE, ALICE, global]));
		ledger.mine();
		expect(ledger.tokenList()).toEqual(sorted.filter((id) => id !== gone));
		expect(refusal(() => spendMarkerAgain(ledger, marker, gone))).toMatchObject({ code: -26 });
	});

	it('made without covering inputs has no supply', () => {
		const ledger = funded();
		const right = tokenCreation(ledger, ALICE, 1000n);
		// The payload names Alice as creator, but Bob pays.
		const outs = right.vout.filter((out) => compareBytes(out.script, p2pk(ALICE.pub)) !== 0);
		const tokenid = ledger.submit(payment(ledger, BOB, outs, { keepLast: true }));
		ledger.mine();
		expect(ledger.tokenInfo(tokenid)).toMatchObject({ supply: 0n });
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(0n);
	});
});

/** The global token key; its private key is public, as part of the daemon's source. */
const globalKey = (): TestKey => ({
	...MINER,
	pub: TOKENS_GLOBAL_PUBKEY,
	priv: GLOBAL_PRIVATE_KEY
});
const GLOBAL_PRIVATE_KEY = Uint8Array.of(
	0x1d,
	0x0d,
	0x0d,
	0xce,
	0x2d,
	0xd2,
	0xe1,
	0x9d,
	0xf5,
	0xb6,
	0x26,
	0xd5,
	0xad,
	0xa0,
	0xf0,
	0x0a,
	0xdd,
	0x7a,
	0x72,
	0x7d,
	0x17,
	0x35,
	0xb5,
	0xe3,
	0x2c,
	0x6c,
	0xa9,
	0xa2,
	0x03,
	0x16,
	0x4b,
	0xcf
);

const spendMarkerAgain = (ledger: Ledger, marker: Coin, tokenid: string): void => {
	const coins = ledger.tokenCoins(tokenid, BOB.pub);
	const all = [coinsOf(ledger, BOB)[0]!, coins[0]!, marker];
	const tx = draft(all, [
		toToken(ALICE, 5n),
		{ value: all[0]!.value, script: p2pk(BOB.pub) },
		{ value: 0n, script: tokenTransferScript({ tokenid, destPubkeys: [ALICE.pub], blobs: [] }) }
	]);
	ledger.submit(signed(tx, all, [BOB, BOB, globalKey()]));
};

describe('token rules refuse', () => {
	const setUp = () => {
		const ledger = funded();
		const tokenid = create(ledger, ALICE, 1000n);
		return { ledger, tokenid, coins: ledger.tokenCoins(tokenid, ALICE.pub) };
	};

	it('sums that do not fit', () => {
		const { ledger, tokenid, coins } = setUp();
		for (const value of [999n, 1001n]) {
			const tx = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(BOB, value)], [BOB]);
			expect(refusal(() => ledger.submit(tx))).toEqual({
				code: -26,
				message: BAD_SCRIPT,
				reason: 'token inputs and outputs do not balance'
			});
		}
	});

	it('an unknown token id', () => {
		const { ledger, tokenid, coins } = setUp();
		const unknown = 'cd'.repeat(32);
		const tx = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(BOB, 1000n)], [BOB], {
			payloadId: unknown
		});
		expect(refusal(() => ledger.submit(tx))).toMatchObject({
			message: BAD_SCRIPT,
			reason: 'unknown tokenid'
		});
	});

	it('the id of another token', () => {
		const { ledger, tokenid, coins } = setUp();
		const other = create(ledger, BOB, 1000n);
		const tx = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(BOB, 1000n)], [BOB], {
			payloadId: other
		});
		expect(refusal(() => ledger.submit(tx)).message).toBe(BAD_SCRIPT);
	});

	it('token inputs without a token payload, and in a creation', () => {
		const { ledger, tokenid, coins } = setUp();
		const fee = coinsOf(ledger, ALICE)[0]!;
		const all = [fee, ...coins];
		const plain = signed(draft(all, [{ value: fee.value, script: p2pk(ALICE.pub) }]), all, ALICE);
		expect(refusal(() => ledger.submit(plain)).reason).toBe('no token payload in last output');
		const creation = tokenCreation(ledger, ALICE, 1000n);
		const mixed = signed(
			draft(all, creation.vout.slice(0, 2).concat(creation.vout.at(-1)!)),
			all,
			ALICE
		);
		expect(refusal(() => ledger.submit(mixed, { allowHighFees: true }))).toMatchObject({
			message: BAD_SCRIPT,
			reason: 'token inputs in a creation'
		});
		expect(ledger.tokenBalance(tokenid, ALICE.pub)).toBe(1000n);
	});

	it('a token output signed by another key', () => {
		const { ledger, tokenid, coins } = setUp();
		const right = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(BOB, 1000n)], [BOB]);
		const posing = signed(
			draft(coins, right.vout),
			coins.map((coin) => ({ ...coin, script: tokenScript(BOB.pub) })),
			BOB
		);
		const stolen = {
			...right,
			vin: [right.vin[0]!, { ...right.vin[1]!, scriptSig: posing.vin[0]!.scriptSig }]
		};
		expect(refusal(() => ledger.submit(stolen)).message).toBe(BAD_SCRIPT);
	});

	it('a fulfillment that is no fulfillment', () => {
		const { ledger, tokenid, coins } = setUp();
		const right = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(BOB, 1000n)], [BOB]);
		const broken = {
			...right,
			vin: [right.vin[0]!, { ...right.vin[1]!, scriptSig: Uint8Array.of(2, 0xff, 1) }]
		};
		expect(refusal(() => ledger.submit(broken)).message).toBe(
			'16: mandatory-script-verify-flag-failed (Crypto-Condition payload is invalid)'
		);
	});

	it('outputs to keys that the payload does not name', () => {
		const { ledger, tokenid, coins } = setUp();
		const tx = tokenTransfer(ledger, tokenid, ALICE, coins, [toToken(MINER, 1000n)], [BOB]);
		expect(refusal(() => ledger.submit(tx)).message).toBe(BAD_SCRIPT);
	});

	it('a marker that is not there', () => {
		const { ledger, tokenid, coins } = setUp();
		const fee = coinsOf(ledger, ALICE)[0]!;
		const ghost = { txid: tokenid, vout: 7, value: FEE, script: tokenScript(TOKENS_GLOBAL_PUBKEY) };
		const all = [fee, ...coins, ghost];
		const tx = draft(all, [
			toToken(BOB, 1000n),
			{ value: 0n, script: tokenTransferScript({ tokenid, destPubkeys: [BOB.pub], blobs: [] }) }
		]);
		const ready = signed(tx, all, [ALICE, ALICE, globalKey()]);
		expect(refusal(() => ledger.submit(ready, { allowHighFees: true }))).toEqual({
			code: -26,
			message: '18: bad-txns-inputs-spent'
		});
	});

	it('a marker spent in the burn of a fungible token', () => {
		const { ledger, tokenid, coins } = setUp();
		const fee = coinsOf(ledger, ALICE)[0]!;
		const all = [fee, ...coins, markerOf(ledger, tokenid)];
		const tx = draft(all, [
			{ value: 1000n, script: tokenScript(BURN_PUBKEY) },
			{ value: fee.value, script: p2pk(ALICE.pub) },
			{ value: 0n, script: tokenTransferScript({ tokenid, destPubkeys: [BURN_PUBKEY], blobs: [] }) }
		]);
		const ready = signed(tx, all, [ALICE, ALICE, globalKey()]);
		expect(refusal(() => ledger.submit(ready)).reason).toBe(
			'marker spent in the burn of a fungible token'
		);
	});

	it('nothing when no token is spent, but such outputs count for nothing', () => {
		const { ledger, tokenid } = setUp();
		const tx = payment(
			ledger,
			BOB,
			[
				toToken(BOB, 50n),
				{ value: 0n, script: tokenTransferScript({ tokenid, destPubkeys: [BOB.pub], blobs: [] }) }
			],
			{ keepLast: true }
		);
		ledger.submit(tx);
		ledger.mine();
		expect(ledger.mined(txidOf(tx))).toBeDefined();
		expect(ledger.tokenBalance(tokenid, BOB.pub)).toBe(0n);
	});

	it('an output with a condition that no module validates', () => {
		const { ledger } = setUp();
		const script = ccScript([ALICE.pub], [0xe4]);
		const txid = pay(ledger, ALICE, [{ value: 50_000n, script }]);
		const coin = ledger.coin(txid, 0)!;
		const tx = signed(draft([coin], [{ value: 40_000n, script: p2pk(ALICE.pub) }]), [coin], ALICE);
		expect(refusal(() => ledger.submit(tx)).message).toBe(BAD_SCRIPT);
	});
});

describe('non-fungible tokens', () => {
	const moves = (code: number): { balance: bigint; moved: bigint | string } => {
		const ledger = funded();
		const data = Uint8Array.of(code, 1, 2);
		const tokenid = create(ledger, ALICE, 1n, data);
		const coins = ledger.tokenCoins(tokenid, ALICE.pub);
		const balance = ledger.tokenBalance(tokenid, ALICE.pub);
		if (coins.length === 0) return { balance, moved: 'nothing to move' };
		const out = { value: 1n, script: nftScript(BOB.pub, code) };
		try {
			ledger.submit(
				tokenTransfer(ledger, tokenid, ALICE, coins, [out], [BOB], { evals: [code, 0xf2] })
			);
		} catch (error) {
			return { balance, moved: (error as Error).message };
		}
		ledger.mine();
		return { balance, moved: ledger.tokenBalance(tokenid, BOB.pub) };
	};

	it('move when their code is f1 or f3', () => {
		for (const code of [0xf1, 0xf3]) expect(moves(code)).toEqual({ balance: 1n, moved: 1n });
	});

	it('have no balance with data 00 or f2', () => {
		for (const code of [0x00, 0xf2]) expect(moves(code).balance).toBe(0n);
	});

	it('are stuck with any other code', () => {
		for (const code of [0x01, 0xe2, 0xe3, 0xe4, 0xe5, 0xea, 0xeb, 0xec, 0xf0, 0xf7]) {
			expect(moves(code)).toEqual({ balance: 1n, moved: BAD_SCRIPT });
		}
	});
});
