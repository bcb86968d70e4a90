import { bytesToHex } from '#lib/chain/bytes.ts';
import { privateKeyFromWif } from '#lib/chain/key.ts';
import { classify } from '#lib/chain/script.ts';
import {
	HASH_TYPES,
	SIGHASH_ALL,
	SIGHASH_ANYONECANPAY,
	SIGHASH_SINGLE
} from '#lib/chain/sighash.ts';
import { verifyInput } from '#lib/chain/sign.ts';
import type { Transaction, TxIn, TxOut } from '#lib/chain/transaction.ts';
import {
	RPC_DESERIALIZATION_ERROR,
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_INVALID_PARAMETER,
	RPC_WALLET_UNLOCK_NEEDED
} from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from './coins.ts';
import { RpcError } from './error.ts';
import { asArray, asInteger, asObject, asString, member } from './params.ts';
import type { LedgerApi } from '../ledger/api.ts';
import { keyOf } from '../wallet/keys.ts';
import { Wallet } from '../wallet/wallet.ts';
import type { Handler } from './context.ts';
import { hexOf, hexParameter, leadingTransaction, strictId } from './hex.ts';
import { strictAmount } from './strictAmount.ts';

const previousOutputs = (ledger: LedgerApi, value: JsonValue | undefined): Map<string, TxOut> => {
	const found = new Map<string, TxOut>();
	if (value === undefined || value === null) return found;
	for (const item of asArray(value)) {
		const object = asObject(item);
		const txid = strictId(asString(member(object, 'txid')), 'txid');
		const vout = asInteger(member(object, 'vout'));
		if (vout < 0) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'vout must be positive');
		const script = hexParameter(asString(member(object, 'scriptPubKey')), 'scriptPubKey');
		const amount = member(object, 'amount');
		found.set(`${txid}:${vout}`, {
			value: amount === undefined ? 0n : strictAmount(ledger, amount),
			script
		});
	}
	return found;
};

const givenKeys = (ledger: LedgerApi, value: JsonValue | undefined): Wallet | null => {
	if (value === undefined || value === null) return null;
	const keys = asArray(value).map((item) => {
		try {
			return keyOf(privateKeyFromWif(asString(item)));
		} catch (cause) {
			if (cause instanceof RpcError) throw cause;
			throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid private key');
		}
	});
	return new Wallet(ledger, keys, keys[0] ?? null);
};

export const signrawtransaction: Handler = ({ ledger, wallet }, params) => {
	params.between(1, 5);
	const bytes = hexParameter(params.string(0), 'argument 1');
	const tx = leadingTransaction(bytesToHex(bytes));
	const extra = previousOutputs(ledger, params.at(1));
	const given = givenKeys(ledger, params.at(2));
	const named = params.at(3) ?? null;
	const hashType = named === null ? SIGHASH_ALL : HASH_TYPES.get(params.string(3));
	if (hashType === undefined) throw new RpcError(RPC_INVALID_PARAMETER, 'Invalid sighash param');
	if (!given && wallet.locked) {
		throw new RpcError(
			RPC_WALLET_UNLOCK_NEEDED,
			'Error: Please enter the wallet passphrase with walletpassphrase first.'
		);
	}
	const found = (input: TxIn): TxOut | undefined => {
		const known = extra.get(`${input.txid}:${input.vout}`);
		if (known) return known;
		return ledger.spentBy(input.txid, input.vout)
			? undefined
			: ledger.output(input.txid, input.vout);
	};
	const signed = signNormal(given ?? wallet, tx, extra, found, hashType);
	const errors = signed.vin.flatMap((input, index) => {
		const spent = found(input);
		if (spent && input.scriptSig.length > 0 && verifyInput(signed, index, spent)) return [];
		return [
			{
				txid: input.txid,
				vout: int(input.vout),
				scriptSig: bytesToHex(input.scriptSig),
				sequence: int(input.sequence),
				error: spent
					? 'Operation not valid with the current stack size'
					: 'Input not found or already spent'
			}
		];
	});
	const complete = errors.length === 0;
	return { hex: hexOf(signed), complete, ...(complete ? {} : { errors }) };
};

/** Signs normal inputs that have no valid signature yet; this method does not sign crypto-conditions. */
function signNormal(
	wallet: Wallet,
	tx: Transaction,
	extra: ReadonlyMap<string, TxOut>,
	found: (input: TxIn) => TxOut | undefined,
	hashType: number
): Transaction {
	const { tx: signed } = wallet.sign(tx, extra, undefined, hashType);
	const isSingle = (hashType & ~SIGHASH_ANYONECANPAY) === SIGHASH_SINGLE;
	return {
		...signed,
		vin: signed.vin.map((input, index) => {
			const before = tx.vin[index]!;
			// SINGLE signs the output at the same index, so without one there is nothing to sign.
			if (isSingle && index >= tx.vout.length) return before;
			const spent = found(before);
			if (!spent || classify(spent.script).type === 'cryptocondition') return before;
			return before.scriptSig.length > 0 && verifyInput(tx, index, spent) ? before : input;
		})
	};
}
