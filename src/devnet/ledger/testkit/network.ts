import { burnPayload, burnScript, payoutsHash } from '#lib/chain/burn.ts';
import { ByteWriter, hexToBytes } from '#lib/chain/bytes.ts';
import { buildImport, type ImportProof } from '#lib/chain/importProof.ts';
import { serializeNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { opReturn, p2pk, p2pkh } from '#lib/chain/script.ts';
import { buildTxOutProof, serializeTxOutProof } from '#lib/chain/txOutProof.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { momAt } from '../cross-chain/mom.ts';
import { momomData } from '../cross-chain/proofRoot.ts';
import type { ChainParams } from '../api.ts';
import type { Ledger } from '../ledger.ts';
import { COIN, coinsOf, draft, newLedger, pay, payment, signed } from './chain.ts';
import { MINER, NOTARIES, type TestKey } from './keys.ts';

const NOTARY_VAULT = hexToBytes(
	'020e46e79a2a8d12b9b5d12c7a91adb4e454edfae43c0a0cb805427d2ac7613fd9'
);

/** Pays a P2PK output to each of the first twelve notaries. */
export const fundNotaries = (ledger: Ledger): void => {
	const outs = NOTARIES.slice(0, 12).map((key) => ({ value: COIN, script: p2pk(key.pub) }));
	pay(ledger, MINER, outs);
};

/** Builds a notarization transaction signed by the given notaries, who get their change back. */
export const notarizationTx = (
	ledger: Ledger,
	payload: Uint8Array,
	signers: readonly TestKey[] = NOTARIES.slice(0, 11)
): Transaction => {
	const used = new Map<string, number>();
	const inputs = signers.map((key) => {
		const nth = used.get(key.hex) ?? 0;
		used.set(key.hex, nth + 1);
		const coin = coinsOf(ledger, key)[nth];
		if (!coin) throw new Error('a test notary has no coin');
		return coin;
	});
	const outs = [
		{ value: 10_000n, script: p2pk(NOTARY_VAULT) },
		{ value: 0n, script: opReturn(payload) },
		...inputs.map((coin) => ({ value: coin.value - 2000n, script: coin.script }))
	];
	return signed(draft(inputs, outs), inputs, signers);
};

/** Mines a block with a notarization. */
export const recordNotarization = (
	ledger: Ledger,
	data: Notarization,
	form: 'kmd' | 'back',
	signers?: readonly TestKey[]
): string => {
	const txid = ledger.submit(notarizationTx(ledger, serializeNotarization(data, form), signers));
	ledger.mine();
	return txid;
};

/** A main chain and two asset chains whose notaries are funded. */
export interface Network {
	kmd: Ledger;
	alpha: Ledger;
	beta: Ledger;
}

export const newNetwork = (overrides: Partial<ChainParams> = {}): Network => {
	const kmd = newLedger({ name: 'KMD', ccid: 0, ...overrides });
	const alpha = newLedger({ name: 'ALPHA', ...overrides });
	const beta = newLedger({ name: 'BETA', ...overrides });
	for (const ledger of [kmd, alpha, beta]) fundNotaries(ledger);
	return { kmd, alpha, beta };
};

/**
 * Notarizes an asset chain once: its tip on KMD with a MoM since the previous notarization, then the
 * back-notarization with KMD's MoMoM for the chain. Returns the KMD txid.
 */
export const notarize = (kmd: Ledger, chain: Ledger, signers?: readonly TestKey[]): string => {
	const height = chain.height;
	const depth = height - chain.prevMoMHeight();
	const base = {
		blockHash: chain.blockAt(height)!.hash,
		height,
		symbol: chain.symbol,
		mom: momAt(chain, height, depth),
		momDepth: depth,
		ccid: chain.params.ccid
	};
	const kmdTxid = recordNotarization(kmd, base, 'kmd', signers);
	const { root } = momomData(kmd, chain.symbol, kmd.height, chain.params.ccid);
	const momom = root ? { momom: root.momom, momomDepth: 0 } : {};
	recordNotarization(chain, { ...base, kmdTxid, ...momom }, 'back', signers);
	return kmdTxid;
};

/** Builds payouts and the coin burn that pays them on another chain. `named`: what it claims to be its source. */
export const coinBurn = (
	source: Ledger,
	from: TestKey,
	to: TestKey,
	amount: bigint,
	target: { symbol: string; ccid: number; named?: string | Uint8Array }
): { burnTx: Transaction; payouts: TxOut[] } => {
	const payouts = [{ value: amount, script: p2pkh(hash160(to.pub)) }];
	const { named = source.symbol } = target;
	const facts = {
		targetCcid: target.ccid,
		targetSymbol: target.symbol,
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: ''
	};
	const script =
		typeof named === 'string'
			? burnScript({ ...facts, sourceSymbol: named })
			: // The description is empty in these bytes: one byte for its length, which is the last.
				opReturn(new ByteWriter().bytes(burnPayload(facts).slice(0, -1)).varSlice(named).finish());
	const burn = { value: amount + 10_000n, script };
	return { burnTx: payment(source, from, [burn], { keepLast: true, fee: 0n }), payouts };
};

/** Builds the import of a burn with a given proof. */
export const importOf = (
	burn: { burnTx: Transaction; payouts: TxOut[] },
	proof: ImportProof
): Transaction => buildImport(burn.burnTx, burn.payouts, proof);

/** Returns the result of `gettxoutproof` for one transaction. */
export const blockProof = (ledger: Ledger, txid: string): Uint8Array => {
	const block = ledger.blockAt(ledger.mined(txid)!.height)!;
	return serializeTxOutProof(buildTxOutProof(block, [txid]));
};

/** Sends a notary approval with a proof; returns its txid. */
export const approve = (ledger: Ledger, notary: TestKey, proof: Uint8Array): string =>
	ledger.submit(
		payment(
			ledger,
			notary,
			[
				{ value: 10_000n, script: p2pk(notary.pub) },
				{ value: 0n, script: opReturn(new ByteWriter().varSlice(proof).finish()) }
			],
			{ keepLast: true }
		)
	);
