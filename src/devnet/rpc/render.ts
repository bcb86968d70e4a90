import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { ccAddress } from '#lib/chain/cryptocondition.ts';
import { classify, scriptAsm, scriptSigAsm } from '#lib/chain/script.ts';
import { serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import { isCoinbase, type Transaction, type TxIn, type TxOut } from '#lib/chain/transaction.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import type { LedgerApi } from '../ledger/api.ts';
import { isImport } from '../ledger/txKind.ts';
import { burnInside, exportTarget } from './burnView.ts';

type JsonObject = { [key: string]: JsonValue };

/** Returns the address that the daemon shows for an output, including crypto-conditions. */
export const addressOfScript = (script: Uint8Array): string | undefined => {
	const kind = classify(script);
	return kind.type === 'cryptocondition' ? ccAddress(script) : kind.address;
};

const scriptPubKey = (script: Uint8Array, ccid: number): JsonObject => {
	const kind = classify(script);
	const type = kind.type === 'cryptocondition' && ccid === 0 ? 'nonstandard' : kind.type;
	const shown: JsonObject = { asm: scriptAsm(script), hex: bytesToHex(script) };
	const address = addressOfScript(script);
	const keys = kind.pubkeys?.map((key) => addressOfPubkey(key));
	const addresses = keys ?? (address === undefined ? [] : [address]);
	const plain = type === 'nulldata' || type === 'nonstandard' || addresses.length === 0;
	if (!plain) shown.reqSigs = int(kind.required ?? 1);
	shown.type = type;
	if (!plain) shown.addresses = addresses;
	return shown;
};

const scriptSig = (script: Uint8Array): JsonObject => ({
	asm: scriptSigAsm(script),
	hex: bytesToHex(script)
});

const shielded = (tx: Transaction): JsonObject => ({
	vjoinsplit: [],
	...(tx.overwintered && tx.version >= 4
		? { valueBalance: coins(tx.valueBalance), vShieldedSpend: [], vShieldedOutput: [] }
		: {})
});

const groupId = (tx: Transaction): JsonObject =>
	tx.overwintered ? { versiongroupid: tx.versionGroupId.toString(16).padStart(8, '0') } : {};

const expiry = (tx: Transaction): JsonObject =>
	tx.overwintered ? { expiryheight: int(tx.expiryHeight) } : {};

/** Formats a transaction like `decoderawtransaction` and `getblock` with verbosity 2. */
export const decodedTransaction = (tx: Transaction, ccid: number): JsonObject => ({
	txid: txidOf(tx),
	overwintered: tx.overwintered,
	version: int(tx.version),
	...groupId(tx),
	locktime: int(tx.locktime),
	...expiry(tx),
	vin: tx.vin.map((input): JsonObject =>
		isCoinbase(tx)
			? { coinbase: bytesToHex(input.scriptSig), sequence: int(input.sequence) }
			: {
					txid: input.txid,
					vout: int(input.vout),
					scriptSig: scriptSig(input.scriptSig),
					sequence: int(input.sequence)
				}
	),
	vout: tx.vout.map((out, n) => ({
		value: coins(out.value),
		valueZat: int(out.value),
		n: int(n),
		scriptPubKey: scriptPubKey(out.script, ccid)
	})),
	...shielded(tx)
});

const verboseInput = (
	ledger: LedgerApi,
	tx: Transaction,
	input: TxIn,
	spentIndex: boolean
): JsonObject => {
	if (isCoinbase(tx)) {
		return { coinbase: bytesToHex(input.scriptSig), sequence: int(input.sequence) };
	}
	if (isImport(tx)) return importInput(tx, input);
	const spent = ledger.output(input.txid, input.vout);
	const address = spent && addressOfScript(spent.script);
	return {
		txid: input.txid,
		vout: int(input.vout),
		...(address === undefined ? {} : { address }),
		scriptSig: scriptSig(input.scriptSig),
		...(spent && spentIndex ? { value: coins(spent.value), valueSat: int(spent.value) } : {}),
		sequence: int(input.sequence)
	};
};

/** Formats the input of an import; `address` is absent when the burn names no source chain. */
const importInput = (tx: Transaction, input: TxIn): JsonObject => {
	const burnTx = burnInside(tx);
	const burn = burnTx && parseBurn(burnTx);
	const value = burnTx?.vout.at(-1)?.value ?? 0n;
	return {
		is_import: '1',
		txid: input.txid,
		value: coins(value),
		valueSat: int(value),
		...(burn?.sourceSymbol ? { address: `IMP-${burn.sourceSymbol}-${input.txid}` } : {}),
		sequence: int(input.sequence)
	};
};

const verboseOutput = (
	ledger: LedgerApi,
	txid: string,
	out: TxOut,
	n: number,
	spentIndex: boolean
): JsonObject => {
	const target = exportTarget(out);
	const spent = spentIndex ? ledger.spentBy(txid, n) : undefined;
	return {
		value: coins(out.value),
		valueSat: int(out.value),
		n: int(n),
		...(target === null ? {} : { target }),
		scriptPubKey: scriptPubKey(out.script, ledger.params.ccid),
		...(spent
			? { spentTxId: spent.txid, spentIndex: int(spent.index), spentHeight: int(spent.height) }
			: {})
	};
};

/**
 * Formats a transaction like `getrawtransaction` with verbosity 1.
 * @param spentIndex whether the daemon has the spent index (values and spenders of outputs)
 */
export const verboseTransaction = (
	ledger: LedgerApi,
	tx: Transaction,
	spentIndex: boolean
): JsonObject => {
	const txid = txidOf(tx);
	const mined = ledger.mined(txid);
	const block = mined && ledger.blockAt(mined.height);
	const outlived = ledger.outlived(txid);
	return {
		hex: bytesToHex(serializeTransaction(tx)),
		txid,
		overwintered: tx.overwintered,
		version: int(tx.version),
		last_notarized_height: int(ledger.lastNotarizedHeight()),
		...groupId(tx),
		locktime: int(tx.locktime),
		...expiry(tx),
		vin: tx.vin.map((input) => verboseInput(ledger, tx, input, spentIndex)),
		vout: tx.vout.map((out, n) => verboseOutput(ledger, txid, out, n, spentIndex)),
		...shielded(tx),
		...(mined && block
			? {
					blockhash: mined.blockHash,
					height: int(mined.height),
					confirmations: int(ledger.confirmations(mined.height)),
					rawconfirmations: int(ledger.rawConfirmations(mined.height)),
					time: int(block.header.time),
					blocktime: int(block.header.time)
				}
			: {}),
		...(outlived
			? {
					blockhash: outlived.blockHash,
					height: int(-1),
					confirmations: int(0),
					rawconfirmations: int(0)
				}
			: {})
	};
};
