import { randomInt } from 'node:crypto';
import { decodeAddress, isValidAddress } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { privateKeyFromWif } from '#lib/chain/key.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { serializeTransaction, txidOf, unsignedInput } from '#lib/chain/transaction.ts';
import { isCoinbase, type Transaction } from '#lib/chain/transaction.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import {
	RPC_ADDRESS_OR_KEY,
	RPC_INTERNAL,
	RPC_PARAMETER,
	RPC_UNLOCK_NEEDED,
	RPC_WALLET,
	RpcError
} from './error.ts';
import { asArray, asInteger, asObject, asString } from './params.ts';
import { medianTimePast } from '../ledger/lockTime.ts';
import { isImport } from '../ledger/txKind.ts';
import { keyOf } from '../wallet/keys.ts';
import { selectCoins } from '../wallet/select.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { DaemonContext, Handler } from './context.ts';
import { interestOf } from '../ledger/interest.ts';
import { hexOf, leadingTransaction } from './hex.ts';
import { addressOfScript } from './render.ts';
import { send, strictAmount } from './rawTransactions.ts';
import { draftTransaction } from '../wallet/draft.ts';

type JsonObject = { [key: string]: JsonValue };

/** Fee of transactions that the wallet funds, in satoshi (observed: 5000 for one of average size). */
const WALLET_FEE = 5000n;
const MOST_INPUTS = 500;

const requireUnlocked = ({ wallet }: DaemonContext): void => {
	if (wallet.locked) {
		throw new RpcError(
			RPC_UNLOCK_NEEDED,
			'Error: Please enter the wallet passphrase with walletpassphrase first.'
		);
	}
};

const getbalance: Handler = ({ wallet }, params) => {
	params.between(0, 3);
	if (params.has(0)) params.string(0);
	const least = params.has(1) ? params.integer(1) : 1;
	return coins(wallet.balance(least));
};

const redeemScriptOf = (wallet: Wallet, address: string): JsonObject => {
	const lock = wallet.timeLock(address);
	return lock ? { redeemScript: bytesToHex(lock.script) } : {};
};

const listunspent: Handler = ({ ledger, wallet }, params) => {
	params.between(0, 3);
	const least = params.has(0) ? params.integer(0) : 1;
	const most = params.has(1) ? params.integer(1) : 9_999_999;
	let wanted: Set<string> | null = null;
	if (params.has(2)) {
		wanted = new Set();
		for (const item of asArray(params.at(2))) {
			const address = asString(item);
			if (!isValidAddress(address)) {
				throw new RpcError(RPC_ADDRESS_OR_KEY, `Invalid Komodo address: ${address}`);
			}
			if (wanted.has(address)) {
				throw new RpcError(RPC_PARAMETER, `Invalid parameter, duplicated address: ${address}`);
			}
			wanted.add(address);
		}
	}
	// Outputs of watched addresses are listed too.
	return wallet
		.coins({ addresses: [...wallet.addresses(), ...wallet.watchedAddresses()] })
		.filter(
			(coin) =>
				coin.rawConfirmations >= least &&
				coin.rawConfirmations <= most &&
				(wanted === null || wanted.has(coin.address))
		)
		.map((coin) => ({
			txid: coin.txid,
			vout: int(coin.vout),
			generated: coin.coinbase,
			address: coin.address,
			segid: int(decodeAddress(coin.address).hash[0]! & 0x3f),
			account: '',
			...redeemScriptOf(wallet, coin.address),
			amount: coins(coin.value),
			// Shown for every transaction with a lock time, such as a coinbase; the value is nonzero on KMD
			// only.
			...(ledger.transaction(coin.txid)?.locktime
				? { interest: coins(interestOf(ledger, coin)) }
				: {}),
			scriptPubKey: bytesToHex(coin.script),
			rawconfirmations: int(coin.rawConfirmations),
			confirmations: int(coin.height < 0 ? 0 : ledger.confirmations(coin.height)),
			// Whether the wallet has the key, even if it is locked.
			spendable: !wallet.watches(coin.address)
		}));
};

/** Parses an output of `lockunspent` to `txid:vout`. */
const namedOutput = (item: JsonValue): string => {
	if (typeof item !== 'object' || item === null || Array.isArray(item)) {
		throw new RpcError(RPC_PARAMETER, 'Invalid parameter, expected object');
	}
	const { txid, vout } = asObject(item);
	const id = asString(txid);
	if (!/^(?:[0-9a-f]{2})+$/i.test(id)) {
		throw new RpcError(RPC_PARAMETER, 'Invalid parameter, expected hex txid');
	}
	const index = asInteger(vout);
	if (index < 0) {
		throw new RpcError(RPC_PARAMETER, 'Invalid parameter, vout must be positive');
	}
	return `${id.toLowerCase()}:${index}`;
};

/** Outputs are not checked: even one that does not exist can be locked. */
const lockunspent: Handler = ({ wallet }, params) => {
	params.between(1, 2);
	const unlock = params.bool(0);
	if (!params.has(1)) {
		if (unlock) wallet.releaseCoins();
		return true;
	}
	for (const item of asArray(params.at(1))) {
		const name = namedOutput(item);
		if (unlock) wallet.releaseCoin(name);
		else wallet.keepCoin(name);
	}
	return true;
};

const getwalletinfo: Handler = ({ wallet, startedAt }, params) => {
	params.between(0, 0);
	const confirmed = wallet.balance(1);
	return {
		walletversion: int(60000),
		balance: coins(confirmed),
		unconfirmed_balance: coins(wallet.balance(0) - confirmed),
		immature_balance: coins(wallet.immatureBalance()),
		txcount: int(wallet.transactions().length),
		keypoololdest: int(startedAt),
		keypoolsize: int(101),
		...(wallet.locked ? { unlocked_until: int(0) } : {}),
		paytxfee: coins(0n),
		seedfp: '0'.repeat(64)
	};
};

const getnewaddress: Handler = (context, params) => {
	params.between(0, 1);
	if (params.has(0)) params.string(0);
	return context.newKey().address;
};

const importprivkey: Handler = (context, params) => {
	params.between(1, 5);
	try {
		const key = keyOf(privateKeyFromWif(params.string(0)));
		context.keepKey(key);
		return key.address;
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid private key encoding');
	}
};

/** Returns the position of the change output; release 0.9.0 inserts it before the last output. */
const placeOfChange = ({ rules }: DaemonContext, outputs: number): number =>
	rules.changeAnywhere ? randomInt(outputs + 1) : Math.max(0, outputs - 1);

/** Sequence of inputs that the wallet adds, which makes the lock time effective. */
const FUNDING_SEQUENCE = 0xfffffffe;

/** Adds inputs and change to a transaction. */
const fund = (
	context: DaemonContext,
	tx: Transaction
): { tx: Transaction; changeAt: number; fee: bigint } => {
	const { ledger, wallet } = context;
	const given = tx.vin.reduce(
		(sum, input) => sum + (ledger.output(input.txid, input.vout)?.value ?? 0n),
		0n
	);
	const out = tx.vout.reduce((sum, one) => sum + one.value, 0n);
	const missing = out + WALLET_FEE - given;
	// When the transaction has inputs, the wallet considers no others, although the options allow it. (Komodo
	// daemon 0.9.0: AvailableCoins does not read fAllowOtherInputs.)
	const available = tx.vin.length > 0 ? [] : wallet.coins();
	const chosen =
		missing > 0n ? selectCoins(available, missing, MOST_INPUTS) : { coins: [], total: 0n };
	if (!chosen) throw new RpcError(RPC_INTERNAL, 'Insufficient funds');
	// Interest of the inputs is added to the change (Komodo daemon 0.9.0: `CreateTransaction`).
	const earned = chosen.coins.reduce((sum, coin) => sum + interestOf(ledger, coin), 0n);
	const change = given + chosen.total + earned - out - WALLET_FEE;
	const vout = [...tx.vout];
	// Change that would cost more to spend than it is worth goes to the miner.
	const withChange = change > 1000n;
	const changeAt = withChange ? placeOfChange(context, vout.length) : -1;
	if (withChange) vout.splice(changeAt, 0, { value: change, script: wallet.changeScript() });
	return {
		tx: {
			...tx,
			vin: [
				...tx.vin,
				...chosen.coins.map(({ txid, vout: n }) => unsignedInput(txid, n, FUNDING_SEQUENCE))
			],
			vout
		},
		changeAt,
		fee: withChange ? WALLET_FEE : WALLET_FEE + change
	};
};

const fundrawtransaction: Handler = (context, params) => {
	params.between(1, 1);
	const tx = leadingTransaction(params.string(0));
	if (tx.vout.some((out) => out.value < 0n) || tx.vout.length === 0) {
		throw new RpcError(RPC_INTERNAL, 'Transaction amounts must be positive');
	}
	const funded = fund(context, tx);
	return { hex: hexOf(funded.tx), changepos: int(funded.changeAt), fee: coins(funded.fee) };
};

const sendtoaddress: Handler = (context, params) => {
	params.between(2, 5);
	const address = params.string(0);
	if (!isValidAddress(address)) throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid Komodo address');
	const amount = strictAmount(context.ledger, params.at(1));
	if (amount <= 0n) throw new RpcError(-3, 'Invalid amount for send');
	requireUnlocked(context);
	if (amount > context.wallet.balance(0)) throw new RpcError(-6, 'Insufficient funds');
	const { kind, hash } = decodeAddress(address);
	if (kind !== 'p2pkh') throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid Komodo address');
	const vout = [{ value: amount, script: p2pkh(hash) }];
	// Payments of the wallet have a lock time in the past.
	const locktime = medianTimePast(context.ledger);
	const draft = { ...draftTransaction(context.ledger, [], vout), locktime };
	const { tx, unsigned } = context.wallet.sign(fund(context, draft).tx);
	if (unsigned.length > 0) throw new RpcError(RPC_WALLET, 'Signing transaction failed');
	return send(context.ledger, tx);
};

/** Returns the effect of a transaction on the wallet in satoshi. */
const effectOf = (
	{ ledger, wallet }: DaemonContext,
	tx: Transaction
): { debit: bigint; credit: bigint; fee: bigint | null } => {
	let debit = 0n;
	for (const input of tx.vin) {
		const spent =
			isCoinbase(tx) || isImport(tx)
				? undefined
				: (ledger.output(input.txid, input.vout) ??
					ledger.outlived(input.txid)?.tx.vout[input.vout]);
		if (spent && wallet.owns(spent)) debit += spent.value;
	}
	const credit = tx.vout
		.filter((out) => wallet.owns(out))
		.reduce((sum, out) => sum + out.value, 0n);
	// Inputs of others and of crypto-conditions reduce the fee, even below zero (Komodo daemon 0.9.0:
	// `GetAmounts`).
	const fee = debit > 0n ? debit - tx.vout.reduce((sum, out) => sum + out.value, 0n) : null;
	return { debit, credit, fee };
};

const detailsOf = (context: DaemonContext, tx: Transaction): JsonObject[] => {
	const { wallet } = context;
	const { debit, fee } = effectOf(context, tx);
	const size = int(serializeTransaction(tx).length);
	const mined = context.ledger.mined(txidOf(tx));
	const { maturity } = context.ledger.params;
	const missing = mined ? maturity - context.ledger.rawConfirmations(mined.height) : 0;
	const generated = !mined ? 'orphan' : missing > 0 ? 'immature' : 'generate';
	const line = (vout: number, category: string, amount: bigint, withFee: boolean): JsonObject => {
		const address = addressOfScript(tx.vout[vout]!.script);
		return {
			account: '',
			...(address === undefined ? {} : { address }),
			category,
			...(category === 'immature' ? { blockstomaturity: int(missing) } : {}),
			amount: coins(amount),
			vout: int(vout),
			...(withFee && fee !== null ? { fee: coins(-fee) } : {}),
			size
		};
	};
	const sent = debit > 0n ? tx.vout.map((out, vout) => line(vout, 'send', -out.value, true)) : [];
	const category = isCoinbase(tx) ? generated : 'receive';
	const received = tx.vout.flatMap((out, vout) =>
		wallet.owns(out) ? [line(vout, category, out.value, false)] : []
	);
	return [...sent, ...received];
};

const placeOf = ({ ledger, clock }: DaemonContext, tx: Transaction): JsonObject => {
	const txid = txidOf(tx);
	const mined = ledger.mined(txid);
	const block = mined && ledger.blockAt(mined.height);
	const gone = ledger.blockByHash(ledger.outlived(txid)?.blockHash ?? '');
	const waiting = ledger.mempool.get(txid);
	const seen = waiting?.time ?? (block ?? gone)?.header.time ?? clock();
	/** Confirmations of an unconfirmed transaction: -1 when it is not in the mempool either. */
	const nowhere = waiting ? 0 : -1;
	return {
		rawconfirmations: int(mined ? ledger.rawConfirmations(mined.height) : nowhere),
		...(isCoinbase(tx) ? { generated: true } : {}),
		confirmations: int(mined ? ledger.confirmations(mined.height) : nowhere),
		...(mined && block
			? {
					blockhash: block.hash,
					blockindex: int(mined.position),
					blocktime: int(block.header.time),
					expiryheight: int(tx.expiryHeight)
				}
			: {}),
		txid,
		walletconflicts: [],
		time: int(seen),
		timereceived: int(seen),
		vjoinsplit: []
	};
};

const gettransaction: Handler = (context, params) => {
	params.between(1, 2);
	const txid = params.string(0).toLowerCase();
	const tx = context.ledger.transaction(txid) ?? context.ledger.outlived(txid)?.tx;
	if (!tx || !context.wallet.touches(tx)) {
		throw new RpcError(RPC_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
	}
	const { debit, credit, fee } = effectOf(context, tx);
	const net = credit - debit + (fee ?? 0n);
	return {
		amount: coins(net),
		...(fee === null ? {} : { fee: coins(-fee) }),
		...placeOf(context, tx),
		details: detailsOf(context, tx),
		hex: hexOf(tx)
	};
};

const listtransactions: Handler = (context, params) => {
	params.between(0, 4);
	if (params.has(0)) params.string(0);
	const count = params.has(1) ? params.integer(1) : 10;
	const from = params.has(2) ? params.integer(2) : 0;
	if (count < 0) throw new RpcError(RPC_PARAMETER, 'Negative count');
	if (from < 0) throw new RpcError(RPC_PARAMETER, 'Negative from');
	const lines = context.wallet.transactions().flatMap(({ tx }) => {
		const place = placeOf(context, tx);
		// The daemon reverses the whole list, including the lines of one transaction.
		return detailsOf(context, tx)
			.reverse()
			.map(({ size, ...rest }) => ({ ...rest, ...place, size: size! }));
	});
	const end = lines.length - from;
	return lines.slice(Math.max(0, end - count), Math.max(0, end));
};

export const walletHandlers = {
	getbalance,
	listunspent,
	lockunspent,
	getwalletinfo,
	getnewaddress,
	importprivkey,
	fundrawtransaction,
	sendtoaddress,
	gettransaction,
	listtransactions
};
