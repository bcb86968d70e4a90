import {
	decodeAddress,
	encodeAddress,
	isScriptAddress,
	isValidAddress
} from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { scriptOfAddress } from '#lib/chain/script.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_WALLET_ERROR } from '#lib/rpc/errorCodes.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { int } from './coins.ts';
import { RpcError, UsageError } from './error.ts';
import { asArray, asInteger, asString, member, type Params } from './params.ts';
import { base58AddressOf } from '../ledger/addressOf.ts';
import type { AddressKind } from '../ledger/api.ts';
import type { DaemonContext, Handler } from './context.ts';
import { publicKey } from '../wallet/keys.ts';

const refused = (text: string): RpcError => new RpcError(RPC_INVALID_ADDRESS_OR_KEY, text);

/** Without the address index the daemon has no data and returns this error for every address. */
const needsIndex = ({ addressIndex }: DaemonContext): void => {
	if (!addressIndex) {
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'No information available for address');
	}
};

/** An address of an address index call, and the index that has its entries. */
interface Place {
	address: string;
	kind: AddressKind;
}

/**
 * Returns the addresses of an address index call. A second parameter selects crypto-condition outputs only for
 * P2PKH addresses (type 3 instead of 1). P2SH is type 2 with and without it: `GetIndexKey` in src/base58.cpp of
 * KomodoPlatform/komodo, called by `getAddressesFromParams` in src/rpc/misc.cpp.
 */
const asked = (params: Params): { places: Place[]; chainInfo: boolean } => {
	params.between(1, 2);
	const first = params.at(0);
	const isConditions = params.has(1);
	const placeOf = (address: string): Place => ({
		address,
		kind: isConditions && !isScriptAddress(address) ? 'cc' : 'normal'
	});
	if (typeof first === 'string') {
		if (!isValidAddress(first)) throw refused('Invalid address');
		return { places: [placeOf(first)], chainInfo: false };
	}
	if (!isJsonObject(first)) throw refused('Invalid addresse');
	const list = member(first, 'addresses');
	if (!Array.isArray(list)) throw refused('Addresses is expected to be an array');
	const addresses = asArray(list).map(asString);
	if (addresses.some((address) => !isValidAddress(address))) throw refused('Invalid addresses');
	return {
		places: addresses.map(placeOf),
		chainInfo: member(first, 'chainInfo') === true
	};
};

/** Returns the requested height range, for which both ends must be given; null for all heights. */
const rangeOf = (params: Params): { start: number; end: number } | null => {
	const first = params.at(0);
	if (!isJsonObject(first)) return null;
	const [start, end] = [member(first, 'start'), member(first, 'end')];
	if (!(start instanceof JsonNumber && end instanceof JsonNumber)) return null;
	return { start: asInteger(start), end: asInteger(end) };
};

const getaddressutxos: Handler = (context, params) => {
	const { ledger } = context;
	const { places, chainInfo } = asked(params);
	needsIndex(context);
	const utxos: JsonValue[] = places
		.flatMap(({ address, kind }) =>
			ledger.addressCoins(address, kind).map((coin) => ({ address, coin }))
		)
		.sort((a, b) => a.coin.height - b.coin.height)
		.map(({ address, coin }) => ({
			address,
			txid: coin.txid,
			outputIndex: int(coin.vout),
			script: bytesToHex(coin.script),
			satoshis: int(coin.value),
			height: int(coin.height)
		}));
	return chainInfo ? { utxos, hash: ledger.tip.hash, height: int(ledger.height) } : utxos;
};

const getaddressbalance: Handler = (context, params) => {
	const { ledger } = context;
	const { places } = asked(params);
	needsIndex(context);
	let balance = 0n;
	let received = 0n;
	for (const { address, kind } of places) {
		const one = ledger.addressBalance(address, kind);
		balance += one.balance;
		received += one.received;
	}
	return { balance: int(balance), received: int(received) };
};

const getaddresstxids: Handler = (context, params) => {
	const { ledger } = context;
	const { places } = asked(params);
	needsIndex(context);
	const range = rangeOf(params);
	// A range with an end that is not positive is ignored.
	const { start, end } =
		range && range.start > 0 && range.end > 0 ? range : { start: 0, end: Infinity };
	const found = new Map<string, { height: number; position: number }>();
	for (const { address, kind } of places) {
		for (const delta of ledger.addressHistory(address, kind)) {
			if (delta.height < start || delta.height > end) continue;
			found.set(delta.txid, { height: delta.height, position: delta.position });
		}
	}
	const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
	return [...found]
		.sort(
			([one, a], [other, b]) =>
				a.height - b.height || (places.length > 1 ? byId(one, other) : a.position - b.position)
		)
		.map(([txid]) => txid);
};

/** Returns pending inputs and outputs of the addresses; inputs as negative satoshi. */
const getaddressmempool: Handler = ({ ledger }, params) => {
	const kinds = new Map(asked(params).places.map(({ address, kind }) => [address, kind]));
	const owner = (script: Uint8Array): string | undefined => {
		const found = base58AddressOf(script);
		return found && kinds.get(found.address) === found.kind ? found.address : undefined;
	};
	return [...ledger.mempool.entries()].flatMap(({ txid, tx, time }) => [
		...tx.vin.flatMap((input, index) => {
			const spent = ledger.output(input.txid, input.vout);
			const address = spent && owner(spent.script);
			if (!spent || address === undefined) return [];
			return [
				{
					address,
					txid,
					index: int(index),
					satoshis: int(-spent.value),
					timestamp: int(time),
					prevtxid: input.txid,
					prevout: int(input.vout)
				}
			];
		}),
		...tx.vout.flatMap((out, index) => {
			const address = owner(out.script);
			if (address === undefined) return [];
			return [{ address, txid, index: int(index), satoshis: int(out.value), timestamp: int(time) }];
		})
	]);
};

/** Returns every confirmed input and output of the addresses in chain order. */
const getaddressdeltas: Handler = (context, params) => {
	const { ledger } = context;
	params.between(1, 2);
	if (!isJsonObject(params.at(0))) throw new UsageError();
	const range = rangeOf(params);
	if (range && (range.start <= 0 || range.end <= 0)) {
		throw refused('Start and end is expected to be greater than zero');
	}
	if (range && range.end < range.start) {
		throw refused('End value is expected to be greater than start');
	}
	const { places, chainInfo } = asked(params);
	needsIndex(context);
	const { start, end } = range ?? { start: 0, end: Infinity };
	const deltas = places
		.flatMap(({ address, kind }) =>
			ledger.addressHistory(address, kind).map((delta) => ({ address, delta }))
		)
		.filter(({ delta }) => delta.height >= start && delta.height <= end)
		.map(({ address, delta }) => ({
			satoshis: int(delta.satoshis),
			txid: delta.txid,
			index: int(delta.index),
			blockindex: int(delta.position),
			height: int(delta.height),
			address
		}));
	if (!chainInfo || !range) return deltas;
	const blockAt = (height: number): JsonValue => {
		const block = ledger.blockAt(height);
		if (!block) throw refused('Start or end is outside chain range');
		return { hash: block.hash, height: int(height) };
	};
	return { deltas, start: blockAt(start), end: blockAt(end) };
};

const segmentOf = (hash: Uint8Array): number => hash[0]! & 0x3f;

const validateaddress: Handler = ({ wallet, hasWallet }, params) => {
	params.between(1, 1);
	const text = params.string(0);
	if (!isValidAddress(text)) return { isvalid: false };
	const { kind, hash } = decodeAddress(text);
	const key = hasWallet ? wallet.key(text) : undefined;
	return {
		isvalid: true,
		address: encodeAddress(hash, kind === 'p2pkh' ? 60 : 85),
		scriptPubKey: bytesToHex(scriptOfAddress(text)),
		segid: int(segmentOf(hash)),
		ismine: key !== undefined,
		iswatchonly: hasWallet && wallet.watches(text),
		isscript: kind === 'p2sh',
		...(key ? { pubkey: key.pubkeyHex, iscompressed: true, account: '' } : {})
	};
};

/** Watches an address, or that of a script. The address index has its history, so no rescan is needed. */
const importaddress: Handler = (context, params): JsonValue => {
	params.between(1, 3);
	const text = params.string(0);
	const ofScript = /^([0-9a-fA-F]{2})+$/.test(text)
		? base58AddressOf(hexToBytes(text.toLowerCase()))?.address
		: undefined;
	const address = isValidAddress(text) ? text : ofScript;
	if (address === undefined) {
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid Komodo address or script');
	}
	if (context.wallet.key(address)) {
		throw new RpcError(
			RPC_WALLET_ERROR,
			'The wallet already contains the private key for this address or script'
		);
	}
	context.keepWatch(address);
	return null;
};

const setpubkey: Handler = (context, params): JsonValue => {
	params.between(0, 1);
	const { wallet } = context;
	const current = wallet.pubkey;
	if (current) {
		return {
			error: 'Can only set pubkey once, to change it you need to restart your daemon.',
			address: current.address,
			pubkey: current.pubkeyHex
		};
	}
	const text = params.string(0);
	if (text.length !== 66) {
		return { error: 'pubkey is wrong length, must be 66 char hex string.' };
	}
	if (!isValidPubkey(text)) return { error: 'pubkey entered is invalid.' };
	const key = publicKey(hexToBytes(text));
	wallet.pubkey = key;
	context.keepPubkey(key);
	return {
		...(wallet.key(key.address) === undefined
			? { WARNING: 'privkey for this pubkey is not imported to wallet!' }
			: { ismine: 'true' }),
		address: key.address,
		pubkey: key.pubkeyHex
	};
};

export const addressHandlers = {
	getaddressutxos,
	getaddressbalance,
	getaddresstxids,
	getaddressmempool,
	getaddressdeltas,
	validateaddress,
	importaddress,
	setpubkey
};
