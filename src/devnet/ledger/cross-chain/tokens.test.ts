import { describe, expect, it } from 'vitest';
import { payoutsHash, burnPayload } from '#lib/chain/burn.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { buildImport } from '#lib/chain/importProof.ts';
import { p2pk } from '#lib/chain/script.ts';
import {
	BLOB,
	parseTokenPayload,
	tokenCreateScript,
	tokenTransferScript
} from '#lib/chain/token.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { ChainParams } from '../api.ts';
import type { Ledger } from '../ledger.ts';
import {
	COIN,
	FEE,
	coinsOf,
	draft,
	newLedger,
	pay,
	refusal,
	signed,
	tokenCreation,
	tokenTransfer
} from '../testkit/chain.ts';
import { ALICE, BOB, MINER, NOTARIES } from '../testkit/keys.ts';
import { approve, blockProof, fundNotaries } from '../testkit/network.ts';
import { tokenOutputScript } from '#lib/chain/tokenEffect.ts';

interface TokenBurn {
	alpha: Ledger;
	tokenid: string;
	burnTx: Transaction;
	payouts: TxOut[];
}

/** Creates a token on ALPHA and burns all of it for a destination. */
const burnToken = (
	target: string,
	supply: bigint,
	data?: Uint8Array,
	arrives = supply
): TokenBurn => {
	const alpha = newLedger({ name: 'ALPHA' });
	pay(alpha, MINER, [
		{ value: COIN, script: p2pk(ALICE.pub) },
		{ value: COIN, script: p2pk(ALICE.pub) }
	]);
	const tokenid = alpha.submit(tokenCreation(alpha, ALICE, supply, data));
	alpha.mine();
	const creation = alpha.mined(tokenid)!.tx;
	const told = parseTokenPayload(creation.vout.at(-1)!.script);
	if (told?.kind !== 'create') throw new Error('no creation');
	const payouts = [
		{ value: FEE, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
		{ value: arrives, script: tokenOutputScript(BOB.pub, data) },
		{ value: 0n, script: tokenCreateScript({ ...told, owner: BOB.pub }) }
	];
	const burn = burnPayload({
		targetCcid: 777,
		targetSymbol: target,
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: 'ALPHA',
		tokenCreationTx: creation
	});
	const fee = coinsOf(alpha, ALICE)[0]!;
	const inputs = [fee, ...alpha.tokenCoins(tokenid, ALICE.pub)];
	const vout = [
		{ value: supply, script: tokenOutputScript(BURN_PUBKEY, data) },
		{ value: fee.value - 2n * FEE, script: p2pk(ALICE.pub) },
		{
			value: FEE,
			script: tokenTransferScript({
				tokenid,
				destPubkeys: [BURN_PUBKEY],
				blobs: [{ id: BLOB.burn, data: burn }]
			})
		}
	];
	const burnTx = signed(draft(inputs, vout), inputs, ALICE);
	alpha.submit(burnTx);
	alpha.mine();
	return { alpha, tokenid, burnTx, payouts };
};

/** Creates a destination with five notary approvals of the burn, and its import. */
const approved = (burn: TokenBurn, overrides: Partial<ChainParams> = {}) => {
	const dest = newLedger({ name: 'BETA', ...overrides });
	fundNotaries(dest);
	const proof = blockProof(burn.alpha, txidOf(burn.burnTx));
	const txids = NOTARIES.slice(0, 5).map((notary) => approve(dest, notary, proof));
	dest.mine();
	return { dest, importTx: buildImport(burn.burnTx, burn.payouts, { kind: 'approvals', txids }) };
};

describe('a token that migrates', () => {
	it('is the same on the destination: fungible', () => {
		const burn = burnToken('BETA', 250n);
		const { dest, importTx } = approved(burn);
		const tokenid = dest.submit(importTx);
		dest.mine();
		expect(dest.tokenInfo(tokenid)).toMatchObject({
			name: 'TOK',
			supply: 250n,
			imported: { sourceChain: 'ALPHA', sourceTokenId: burn.tokenid }
		});
		expect(dest.tokenList()).toEqual([tokenid]);
		expect(dest.tokenBalance(tokenid, BOB.pub)).toBe(250n);
		expect(burn.alpha.tokenBalance(burn.tokenid, BURN_PUBKEY)).toBe(250n);
	});

	it('is the same on the destination: non-fungible, and moves there', () => {
		const data = Uint8Array.of(0xf1, 7, 7);
		const burn = burnToken('BETA', 1n, data);
		const { dest, importTx } = approved(burn);
		const tokenid = dest.submit(importTx);
		dest.mine();
		expect(dest.tokenInfo(tokenid)).toMatchObject({ supply: 1n, data });
		pay(dest, MINER, [{ value: COIN, script: p2pk(BOB.pub) }]);
		const coins = dest.tokenCoins(tokenid, BOB.pub);
		const out = { value: 1n, script: tokenOutputScript(ALICE.pub, data) };
		dest.submit(tokenTransfer(dest, tokenid, BOB, coins, [out], [ALICE]));
		dest.mine();
		expect(dest.tokenBalance(tokenid, ALICE.pub)).toBe(1n);
	});

	it('never arrives on a chain named LABS', () => {
		const { dest, importTx } = approved(burnToken('LABS', 5n), { name: 'LABS' });
		expect(refusal(() => dest.submit(importTx)).reason).toBe('no-tokens-migrate-on-LABS');
	});

	it('must not become more or less on the way', () => {
		for (const arrives of [249n, 251n]) {
			const { dest, importTx } = approved(burnToken('BETA', 250n, undefined, arrives));
			expect(refusal(() => dest.submit(importTx))).toEqual({
				code: -26,
				message: '0: invalid-coin-import',
				reason: 'token-cc-burned-output-not-equal-cc-imported-output'
			});
		}
	});

	it('must come from a burn that spends tokens', () => {
		const burn = burnToken('BETA', 250n);
		const plain = { ...burn.burnTx, vin: burn.burnTx.vin.slice(0, 1) };
		const { dest } = approved(burn);
		const forged = buildImport(plain, burn.payouts, { kind: 'approvals', txids: [] });
		expect(refusal(() => dest.submit(forged)).reason).toBe('burn-tx-has-no-token-vins');
	});
});
