import { decodeAddress } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes, internalHash } from '#lib/chain/bytes.ts';
import { serializeHeader } from '#lib/chain/block.ts';
import { privateKeyFromWif } from '#lib/chain/key.ts';
import { classify, opReturn, p2pkh } from '#lib/chain/script.ts';
import {
	HASH_TYPES,
	SIGHASH_ALL,
	SIGHASH_ANYONECANPAY,
	SIGHASH_SINGLE
} from '#lib/chain/sighash.ts';
import { verifyInput } from '#lib/chain/sign.ts';
import { unsignedInput, type Transaction, type TxIn, type TxOut } from '#lib/chain/transaction.ts';
import {
	buildTxOutProof,
	parseTxOutProof,
	provenTxids,
	serializeTxOutProof
} from '#lib/chain/txOutProof.ts';
import { exactInteger } from '#lib/rpc/exact.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { isHexText } from './ctext.ts';
import {
	RPC_ADDRESS_OR_KEY,
	RPC_DESERIALIZATION,
	RPC_MISC,
	RPC_PARAMETER,
	RPC_TYPE,
	RPC_UNLOCK_NEEDED,
	RpcError,
	UsageError
} from './error.ts';
import { asArray, asInteger, asObject, asString, expectKind, member } from './params.ts';
import { Reject, type LedgerApi, type LedgerBlock } from '../ledger/api.ts';
import { interestOf } from '../ledger/interest.ts';
import { isImport } from '../ledger/txKind.ts';
import { keyOf } from '../wallet/keys.ts';
import { Wallet } from '../wallet/wallet.ts';
import type { DaemonContext, Handler } from './context.ts';
import { hexOf, hexParameter, leadingTransaction, strictId } from './hex.ts';
import { decodedTransaction, verboseTransaction } from './render.ts';
import { draftTransaction } from '../wallet/draft.ts';

/** Submits a transaction like `sendrawtransaction`; errors have the daemon's codes. */
export const send = (ledger: LedgerApi, tx: Transaction, allowHighFees = false): string => {
	try {
		return ledger.submit(tx, { allowHighFees });
	} catch (cause) {
		if (!(cause instanceof Reject)) throw cause;
		throw new RpcError(cause.code, cause.message);
	}
};

const sendrawtransaction: Handler = ({ ledger }, params) => {
	params.between(1, 2);
	expectKind(params.at(0), 'string');
	if (params.has(1)) expectKind(params.at(1), 'bool');
	return send(ledger, leadingTransaction(params.string(0)), params.at(1) === true);
};

const decoderawtransaction: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	expectKind(params.at(0), 'string');
	return decodedTransaction(leadingTransaction(params.string(0)), ledger.params.ccid);
};

/** Without the transaction index a confirmed transaction is found only while it has unspent outputs. */
const isFound = ({ ledger, txIndex }: DaemonContext, txid: string): boolean =>
	txIndex ||
	ledger.mempool.has(txid) ||
	(ledger.mined(txid)?.tx.vout.some((_, n) => ledger.coin(txid, n) !== undefined) ?? false);

const getrawtransaction: Handler = (context, params) => {
	const { ledger, spentIndex } = context;
	params.between(1, 2);
	const txid = strictId(params.string(0), 'parameter 1');
	const verbose = params.has(1) && params.integer(1) !== 0;
	const known = ledger.transaction(txid) ?? ledger.outlived(txid)?.tx;
	const tx = isFound(context, txid) ? known : undefined;
	if (!tx) throw new RpcError(RPC_ADDRESS_OR_KEY, 'No information available about transaction');
	return verbose ? verboseTransaction(ledger, tx, spentIndex) : hexOf(tx);
};

const getspentinfo: Handler = ({ ledger, spentIndex }, params) => {
	params.between(1, 1);
	const output = params.at(0);
	if (!isJsonObject(output)) throw new UsageError();
	const [id, index] = [member(output, 'txid'), member(output, 'index')];
	if (typeof id !== 'string' || !(index instanceof JsonNumber)) {
		throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid txid or index');
	}
	const txid = strictId(id, 'txid');
	const vout = asInteger(index);
	const spent = spentIndex ? ledger.spentBy(txid, vout) : undefined;
	if (!spent) throw new RpcError(RPC_ADDRESS_OR_KEY, 'Unable to get spent info');
	return { txid: spent.txid, index: int(spent.index), height: int(spent.height) };
};

/** Number of blocks whose rewards the daemon sums up to find the largest possible amount of a chain. */
const REWARDED_BLOCKS = 10_000_000n;
const COIN = 100_000_000n;
const MAIN_MAX_MONEY = 200_000_000n * COIN;

/** MAX_MONEY of release 0.9.0: no given amount may exceed it. */
const maxMoney = ({ isMain, params: { premine, reward } }: LedgerApi): bigint =>
	isMain ? MAIN_MAX_MONEY : premine + COIN + REWARDED_BLOCKS * reward;

/**
 * Numbers as the daemon's `ParseFixedPoint` accepts them: JSON, with exponents (Python writes 0.00001 as
 * `1e-05`).
 */
const FIXED_POINT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Amounts of at least this value are invalid on every chain. */
const FIXED_POINT_END = 10n ** 18n;

/** Parses an amount strictly: a number, or a string with one, in whole satoshi. */
export const strictAmount = (ledger: LedgerApi, value: JsonValue | undefined): bigint => {
	if (typeof value !== 'string' && !(value instanceof JsonNumber)) {
		throw new RpcError(RPC_TYPE, 'Amount is not a number or string');
	}
	const text = typeof value === 'string' ? value : value.source;
	const amount = FIXED_POINT.test(text) ? exactInteger(text, 8) : null;
	if (amount === null || amount >= FIXED_POINT_END || amount <= -FIXED_POINT_END) {
		throw new RpcError(RPC_TYPE, 'Invalid amount');
	}
	if (amount < 0n || amount > maxMoney(ledger)) {
		throw new RpcError(RPC_TYPE, 'Amount out of range');
	}
	return amount;
};

const destinationScript = (text: string): Uint8Array => {
	try {
		const { kind, hash } = decodeAddress(text);
		if (kind === 'p2pkh') return p2pkh(hash);
		return hexToBytes(`a914${bytesToHex(hash)}87`);
	} catch {
		if (isHexText(text)) {
			const script = hexToBytes(text);
			if (['pubkey', 'pubkeyhash', 'scripthash'].includes(classify(script).type)) return script;
			throw new RpcError(
				RPC_ADDRESS_OR_KEY,
				`Invalid script: ${text} (only P2PKH, P2PK and P2SH scripts are allowed)`
			);
		}
		throw new RpcError(RPC_ADDRESS_OR_KEY, `Invalid Komodo address or script: ${text}`);
	}
};

const invalid = (what: string): RpcError =>
	new RpcError(RPC_PARAMETER, `Invalid parameter, ${what}`);

const rawInput = (item: JsonValue, defaultSequence: number): TxIn => {
	const object = asObject(item);
	const txid = member(object, 'txid');
	const id = strictId(typeof txid === 'string' ? txid : asString(txid), 'txid');
	const vout = member(object, 'vout');
	if (!(vout instanceof JsonNumber)) {
		throw invalid('missing vout key');
	}
	const index = asInteger(vout);
	if (index < 0) throw invalid('vout must be positive');
	const sequence = member(object, 'sequence');
	return unsignedInput(
		id,
		index,
		sequence instanceof JsonNumber ? Number(sequence.source) : defaultSequence
	);
};

/** Reads an optional 64-bit integer; null when it is omitted or null. */
const wholeOrNull = (value: JsonValue | undefined): number | null => {
	if (!(value instanceof JsonNumber)) return null;
	if (!/^-?\d+$/.test(value.source)) throw new RpcError(RPC_MISC, 'JSON integer out of range');
	return Number(value.source);
};

const createrawtransaction: Handler = ({ ledger }, params) => {
	params.between(2, 4);
	for (const [index, kind] of ['array', 'object', 'number', 'number'].entries()) {
		if (params.has(index) && params.at(index) !== null) expectKind(params.at(index), kind);
	}
	if (params.at(0) === null || params.at(1) === null) {
		throw invalid('arguments 1 and 2 must be non-null');
	}
	const inputs = asArray(params.at(0));
	const outputs = asObject(params.at(1));
	const locktime = wholeOrNull(params.at(2)) ?? 0;
	if (locktime < 0 || locktime > 0xffffffff) throw invalid('locktime out of range');
	const expiry = wholeOrNull(params.at(3));
	if (expiry !== null && !ledger.isSaplingAt(ledger.height + 1)) {
		throw invalid(
			'expiryheight can only be used if Overwinter is active when the transaction is mined'
		);
	}
	if (expiry !== null && (expiry < 0 || expiry >= 500_000_000)) {
		throw invalid('expiryheight must be nonnegative and less than 500000000.');
	}
	const sequence = locktime === 0 ? 0xffffffff : 0xfffffffe;
	const vin = inputs.map((item) => rawInput(item, sequence));
	const seen = new Set<string>();
	const vout: TxOut[] = Object.entries(outputs).map(([name, value]) => {
		if (name === 'data') {
			return { value: 0n, script: opReturn(hexParameter(asString(value), 'Data')) };
		}
		const script = destinationScript(name);
		const key = bytesToHex(script);
		if (seen.has(key)) {
			throw invalid(`duplicated destination: ${name}`);
		}
		seen.add(key);
		return { value: strictAmount(ledger, value), script };
	});
	const tx = { ...draftTransaction(ledger, vin, vout), locktime };
	if (expiry !== null) tx.expiryHeight = expiry;
	return hexOf(tx);
};

const previousOutputs = (ledger: LedgerApi, value: JsonValue | undefined): Map<string, TxOut> => {
	const found = new Map<string, TxOut>();
	if (value === undefined || value === null) return found;
	for (const item of asArray(value)) {
		const object = asObject(item);
		const txid = strictId(asString(member(object, 'txid')), 'txid');
		const vout = asInteger(member(object, 'vout'));
		if (vout < 0) throw new RpcError(RPC_DESERIALIZATION, 'vout must be positive');
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
			throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid private key');
		}
	});
	return new Wallet(ledger, keys, keys[0] ?? null);
};

const signrawtransaction: Handler = ({ ledger, wallet }, params) => {
	params.between(1, 5);
	const bytes = hexParameter(params.string(0), 'argument 1');
	const tx = leadingTransaction(bytesToHex(bytes));
	const extra = previousOutputs(ledger, params.at(1));
	const given = givenKeys(ledger, params.at(2));
	const named = params.at(3) ?? null;
	const hashType = named === null ? SIGHASH_ALL : HASH_TYPES.get(params.string(3));
	if (hashType === undefined) throw new RpcError(RPC_PARAMETER, 'Invalid sighash param');
	if (!given && wallet.locked) {
		throw new RpcError(
			RPC_UNLOCK_NEEDED,
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

/** Returns the block that contains all of the transactions, or throws the daemon's errors. */
const commonBlock = (ledger: LedgerApi, txids: readonly string[], hash?: string): LedgerBlock => {
	let block: LedgerBlock | undefined;
	if (hash !== undefined) {
		block = ledger.blockByHash(hash);
		if (!block) throw new RpcError(RPC_ADDRESS_OR_KEY, 'Block not found');
	} else {
		const mined = ledger.mined(txids.at(-1) ?? '');
		block = mined && ledger.blockAt(mined.height);
		if (!block) throw new RpcError(RPC_ADDRESS_OR_KEY, 'Transaction not yet in block');
	}
	if (txids.some((txid) => !block.txids.includes(txid))) {
		throw new RpcError(RPC_ADDRESS_OR_KEY, '(Not all) transactions not found in specified block');
	}
	return block;
};

/** Returns the `gettxoutproof` proof that transactions are in their block. */
export const txOutProof = (
	ledger: LedgerApi,
	txids: readonly string[],
	hash?: string
): Uint8Array => {
	const block = commonBlock(ledger, txids, hash);
	return serializeTxOutProof(buildTxOutProof(block, txids));
};

const gettxoutproof: Handler = ({ ledger }, params) => {
	params.between(1, 2);
	const txids = asArray(params.at(0)).map((item) => {
		const text = asString(item);
		if (!/^[0-9a-fA-F]{64}$/.test(text)) {
			throw new RpcError(RPC_PARAMETER, `Invalid txid ${text}`);
		}
		return text.toLowerCase();
	});
	const twice = txids.find((txid, at) => txids.indexOf(txid) < at);
	if (twice !== undefined) throw invalid(`duplicated txid: ${twice}`);
	const hash = params.has(1) ? params.string(1).toLowerCase() : undefined;
	return bytesToHex(txOutProof(ledger, txids, hash));
};

const verifytxoutproof: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const bytes = hexParameter(params.string(0), 'proof');
	try {
		const proof = parseTxOutProof(bytes);
		const { root, matches } = provenTxids(proof);
		if (bytesToHex(root) !== bytesToHex(internalHash(proof.header.merkleRoot))) return [];
		const header = bytesToHex(serializeHeader(proof.header));
		const known = matches.every((txid) => {
			const mined = ledger.mined(txid);
			const block = mined && ledger.blockAt(mined.height);
			return block !== undefined && bytesToHex(serializeHeader(block.header)) === header;
		});
		if (!known) throw new RpcError(RPC_ADDRESS_OR_KEY, 'Block not found in chain');
		return matches;
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw new RpcError(RPC_DESERIALIZATION, 'proof decode failed');
	}
};

const gettxout: Handler = ({ ledger }, params) => {
	params.between(2, 3);
	const txid = strictId(params.string(0), 'txid');
	const n = params.integer(1);
	const withMempool = params.has(2) ? params.bool(2) : true;
	const tx = ledger.transaction(txid);
	const out = tx?.vout[n];
	const mined = ledger.mined(txid);
	if (!tx || !out || (!mined && !withMempool)) return null;
	const spent = ledger.spentBy(txid, n);
	if (spent && (spent.height >= 0 || withMempool)) return null;
	if (mined && !ledger.coin(txid, n)) return null;
	const decoded = decodedTransaction(tx, ledger.params.ccid).vout as { [key: string]: JsonValue }[];
	const interest = mined
		? interestOf(ledger, { txid, value: out.value, height: mined.height })
		: 0n;
	return {
		bestblock: ledger.tip.hash,
		confirmations: int(mined ? ledger.confirmations(mined.height) : 0),
		rawconfirmations: int(mined ? ledger.rawConfirmations(mined.height) : 0),
		value: coins(out.value),
		...(interest === 0n ? {} : { interest: coins(interest) }),
		scriptPubKey: decoded[n]!.scriptPubKey!,
		version: int(tx.version),
		coinbase: mined?.position === 0
	};
};

const getrawmempool: Handler = ({ ledger }, params) => {
	params.between(0, 1);
	const verbose = params.has(0) && params.bool(0);
	const entries = [...ledger.mempool.entries()];
	if (!verbose) return entries.map((entry) => entry.txid);
	return Object.fromEntries(
		entries.map((entry) => {
			const priority = isImport(entry.tx) ? new JsonNumber('1e+16') : int(0);
			return [
				entry.txid,
				{
					size: int(entry.size),
					fee: coins(entry.fee),
					time: int(entry.time),
					height: int(entry.height),
					startingpriority: priority,
					currentpriority: priority,
					depends: entry.depends
				}
			];
		})
	);
};

const getmempoolinfo: Handler = ({ ledger }, params) => {
	params.between(0, 0);
	const bytes = [...ledger.mempool.entries()].reduce((sum, entry) => sum + entry.size, 0);
	return { size: int(ledger.mempool.size), bytes: int(bytes), usage: int(bytes * 4) };
};

export const rawTransactionHandlers = {
	sendrawtransaction,
	decoderawtransaction,
	getrawtransaction,
	getspentinfo,
	createrawtransaction,
	signrawtransaction,
	gettxoutproof,
	verifytxoutproof,
	gettxout,
	getrawmempool,
	getmempoolinfo
};
