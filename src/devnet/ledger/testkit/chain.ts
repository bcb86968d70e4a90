import { TOKENS_GLOBAL_PUBKEY, ccNode, tokenScript } from '#lib/chain/cryptocondition.ts';
import { p2pk } from '#lib/chain/script.ts';
import { signInput } from '#lib/chain/sign.ts';
import {
	transparent,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { tokenCreateScript, tokenTransferScript, type TokenBlob } from '#lib/chain/token.ts';
import { Reject, type ChainParams, type Coin } from '../api.ts';
import { Ledger } from '../ledger.ts';
import { tokenOutputScript } from '#lib/chain/tokenEffect.ts';
import { MINER, NOTARIES, type TestKey } from './keys.ts';

export const COIN = 100_000_000n;
export const FEE = 10_000n;
const EPOCH = 1_700_000_000;

/** Parameters of a test chain, with overrides. */
export const paramsOf = (overrides: Partial<ChainParams> = {}): ChainParams => ({
	name: 'ALPHA',
	ccid: 777,
	premine: 1_000_000n * COIN,
	reward: COIN,
	maturity: 1,
	saplingHeight: 1,
	dataCarrierSize: 10_001,
	requireNotarySignatures: true,
	notaries: NOTARY_KEYS,
	minerPubkey: MINER.hex,
	blockTime: 60,
	...overrides
});
const NOTARY_KEYS = NOTARIES.map((key) => key.hex);

/** Creates a chain with one mined block, whose clock advances by a second with each reading. */
export const newLedger = (overrides: Partial<ChainParams> = {}): Ledger => {
	let now = EPOCH;
	const ledger = new Ledger(paramsOf(overrides), { clock: () => ++now });
	ledger.mine();
	return ledger;
};

/** Builds an unsigned transaction with these outputs. */
export const draft = (
	inputs: readonly { txid: string; vout: number }[],
	vout: readonly TxOut[],
	extra: Partial<Transaction> = {}
): Transaction =>
	transparent({
		vin: inputs.map(({ txid, vout: index }) => unsignedInput(txid, index)),
		vout: [...vout],
		...extra
	});

/** Signs each input with the key at its index (or one key for all); `evals` for unusual conditions. */
export const signed = (
	tx: Transaction,
	spent: readonly TxOut[],
	keys: TestKey | readonly TestKey[],
	evals?: readonly number[]
): Transaction =>
	spent.reduce((done, out, index) => {
		const key = 'priv' in keys ? keys : keys[index]!;
		return signInput(done, index, out, key.priv, evals && ccNode([key.pub], evals));
	}, tx);

/** Confirmed spendable coins of a key that the mempool does not spend, largest first. */
export const coinsOf = (ledger: Ledger, key: TestKey): Coin[] =>
	ledger
		.addressCoins(key.address, 'normal')
		.filter(
			(coin) =>
				!ledger.mempool.spenderOf(coin.txid, coin.vout) &&
				(!coin.coinbase || ledger.height + 1 - coin.height >= ledger.params.maturity)
		)
		.sort((a, b) => (a.value > b.value ? -1 : a.value < b.value ? 1 : 0));

/**
 * Builds a signed payment; change goes back to the key in the last output, or (`keepLast`) in the one before
 * it.
 */
export const payment = (
	ledger: Ledger,
	from: TestKey,
	outs: readonly TxOut[],
	options: { keepLast?: boolean; fee?: bigint; extra?: Partial<Transaction> } = {}
): Transaction => {
	const want = outs.reduce((sum, out) => sum + out.value, options.fee ?? FEE);
	const inputs: Coin[] = [];
	let have = 0n;
	for (const coin of coinsOf(ledger, from)) {
		if (have >= want) break;
		inputs.push(coin);
		have += coin.value;
	}
	if (have < want) throw new Error(`test key has ${have}, needs ${want}`);
	const change = have > want ? [{ value: have - want, script: p2pk(from.pub) }] : [];
	const vout = options.keepLast
		? [...outs.slice(0, -1), ...change, ...outs.slice(-1)]
		: [...outs, ...change];
	return signed(draft(inputs, vout, options.extra), inputs, from);
};

/** Sends a payment and mines it; returns the txid. */
export const pay = (ledger: Ledger, from: TestKey, outs: readonly TxOut[]): string => {
	const txid = ledger.submit(payment(ledger, from, outs));
	ledger.mine();
	return txid;
};

/** Returns the error of a refused action; fails the test when it is not refused. */
export const refusal = (act: () => unknown): { code: number; message: string; reason?: string } => {
	try {
		act();
	} catch (error) {
		if (error instanceof Reject) {
			const { code, message, reason } = error;
			return reason === undefined ? { code, message } : { code, message, reason };
		}
		throw error;
	}
	throw new Error('nothing was refused');
};

export const BAD_SCRIPT =
	'16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)';

/** Builds a token creation. */
export const tokenCreation = (
	ledger: Ledger,
	owner: TestKey,
	supply: bigint,
	data?: Uint8Array,
	words: { name: string; description: string } = { name: 'TOK', description: 'a token' }
): Transaction =>
	payment(
		ledger,
		owner,
		[
			{ value: FEE, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
			{ value: supply, script: tokenOutputScript(owner.pub, data) },
			{
				value: 0n,
				script: tokenCreateScript({
					owner: owner.pub,
					...words,
					blobs: data ? [{ id: 0x11, data }] : []
				})
			}
		],
		{ keepLast: true }
	);

/** Builds a token transfer; `outs` are token outputs with their values. */
export const tokenTransfer = (
	ledger: Ledger,
	tokenid: string,
	from: TestKey,
	inputs: readonly Coin[],
	outs: readonly TxOut[],
	dest: readonly TestKey[],
	options: { payloadId?: string; evals?: readonly number[]; blobs?: TokenBlob[] } = {}
): Transaction => {
	const fee = coinsOf(ledger, from)[0]!;
	const units =
		inputs.reduce((sum, coin) => sum + coin.value, 0n) -
		outs.reduce((sum, out) => sum + out.value, 0n);
	const vout = [
		...outs,
		{ value: fee.value - FEE + units, script: p2pk(from.pub) },
		{
			value: 0n,
			script: tokenTransferScript({
				tokenid: options.payloadId ?? tokenid,
				destPubkeys: dest.map((key) => key.pub),
				blobs: options.blobs ?? []
			})
		}
	];
	const all = [fee, ...inputs];
	return signed(draft(all, vout), all, from, options.evals);
};
