/** The outputs of a wallet: what it has, and what it keeps from being spent. */
import { decodeAddress, isValidAddress } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { invalidParameter, RpcError } from './error.ts';
import { asArray, asInteger, asObject, asString } from './params.ts';
import { interestOf } from '../ledger/interest.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Handler } from './context.ts';

const redeemScriptOf = (wallet: Wallet, address: string): { [key: string]: JsonValue } => {
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
				throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Invalid Komodo address: ${address}`);
			}
			if (wanted.has(address)) {
				throw invalidParameter(`duplicated address: ${address}`);
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
		throw invalidParameter('expected object');
	}
	const { txid, vout } = asObject(item);
	const id = asString(txid);
	if (!/^(?:[0-9a-f]{2})+$/i.test(id)) {
		throw invalidParameter('expected hex txid');
	}
	const index = asInteger(vout);
	if (index < 0) {
		throw invalidParameter('vout must be positive');
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

export const walletOutputHandlers = { listunspent, lockunspent };
