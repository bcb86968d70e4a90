import { addressOfPubkey } from '#lib/chain/address.ts';
import { daemonReads } from '#lib/chain/amount.ts';
import { bytesToHex, hexToBytes, internalHash } from '#lib/chain/bytes.ts';
import {
	EVAL,
	TOKENS_GLOBAL_PUBKEY,
	ccAddress,
	ccNode,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import type { ConditionNode } from '#lib/chain/cryptocondition/node.ts';
import { opReturn } from '#lib/chain/script.ts';
import { tokenCreateScript, tokenTransferScript } from '#lib/chain/token.ts';
import { unsignedInput, type TxOut } from '#lib/chain/transaction.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { atoll, isHexText, isZeroId, looseTxid } from './ctext.ts';
import { RpcError } from './error.ts';
import type { LedgerApi, TokenCoin } from '../ledger/api.ts';
import { nftDataOf, tokenOutputScript } from '#lib/chain/tokenEffect.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import { draftTransaction } from '../wallet/draft.ts';
import type { PublicKey } from '../wallet/keys.ts';
import { selectCoins } from '../wallet/select.ts';
import { changeOf, finish } from './build.ts';
import type { DaemonContext, Handler } from './context.ts';

/** Satoshi of the marker output, which lists a token; the fee of token transactions is the same. */
export const MARKER = 10_000n;
const TOKEN_FEE = 10_000n;
const NFT_BLOB = 0x11;
const MAX_NAME = 32;
const MAX_DESCRIPTION = 4096;
const MAX_DATA = 10_001;
const MOST_TOKEN_INPUTS = 60;

/**
 * What Komodo daemon 0.9.0 builds for a destination that is not a 33-byte key: a crypto-condition that can
 * never be fulfilled.
 */
const GARBAGE_SCRIPT = hexToBytes(
	'2ea22c80209a7efefee42c763cae28dbb9dcea0d320578ed1125533f8b8a4579318a7a91548103120c008203000401cc'
);

type Failure = { result: 'error'; error: string };

const soft = (error: string): Failure => ({ result: 'error', error });

/**
 * Returns the `-pubkey`. Like the daemon, it refuses to go on without `-pubkey`, `-addressindex` or `-spentindex`.
 * @param refusal the method's error text, which does not say which option is missing
 * @throws RpcError -1 with this text
 */
export const requireCc = (
	{ wallet, addressIndex, spentIndex }: DaemonContext,
	refusal: string
): PublicKey => {
	if (!wallet.pubkey || !addressIndex || !spentIndex) throw new RpcError(RPC_MISC_ERROR, refusal);
	return wallet.pubkey;
};

/** Returns the `-pubkey` for a token method, which also needs a chain with crypto-conditions. */
const requireTokens = (context: DaemonContext): PublicKey => {
	const refusal =
		'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet\n';
	if (context.ledger.params.ccid === 0) throw new RpcError(RPC_MISC_ERROR, refusal);
	return requireCc(context, refusal);
};

/** Compressed keys begin with 02 or 03; the daemon checks no more than that. */
const looksLikeKey = (pubkey: Uint8Array | null): pubkey is Uint8Array =>
	pubkey !== null && (pubkey[0] === 2 || pubkey[0] === 3);

/** Returns the 33 bytes of a key parameter; null for anything else. */
const keyParameter = (text: string): Uint8Array | null =>
	isHexText(text) && text.length === 66 ? hexToBytes(text) : null;

/** As in the daemon, the global key replaces a key that is missing or invalid. */
const tokenAddressOf = (pubkey: Uint8Array | null): string =>
	ccAddress(tokenScript(looksLikeKey(pubkey) ? pubkey : TOKENS_GLOBAL_PUBKEY));

const balanceOf = (ledger: LedgerApi, address: string, kind: 'normal' | 'cc'): JsonValue =>
	coins(ledger.addressBalance(address, kind).balance);

const tokenaddress: Handler = (context, params) => {
	params.between(0, 1);
	const own = requireTokens(context);
	const { ledger } = context;
	const given = params.has(0) ? keyParameter(params.string(0)) : null;
	const globalCc = tokenAddressOf(null);
	const globalNormal = addressOfPubkey(TOKENS_GLOBAL_PUBKEY);
	const mine = tokenAddressOf(own.pubkey);
	return {
		result: 'success',
		TokensCCAddress: globalCc,
		TokensCCBalance: balanceOf(ledger, globalCc, 'cc'),
		TokensNormalAddress: globalNormal,
		TokensNormalBalance: balanceOf(ledger, globalNormal, 'normal'),
		...(given
			? {
					'PubkeyCCaddress(Tokens)': tokenAddressOf(given),
					// The daemon queries the index of normal addresses here, so the balance is always 0.
					'PubkeyCCbalance(Tokens)': balanceOf(ledger, tokenAddressOf(given), 'normal')
				}
			: {}),
		'myCCAddress(Tokens)': mine,
		'myCCbalance(Tokens)': balanceOf(ledger, mine, 'cc'),
		myaddress: own.address,
		mybalance: balanceOf(ledger, own.address, 'normal')
	};
};

const tokenbalance: Handler = (context, params) => {
	if (params.count > 2) params.between(1, 2);
	const own = requireTokens(context);
	const { ledger } = context;
	const text = params.string(0);
	const tokenid = looseTxid(text);
	const pubkey = params.has(1) ? keyParameter(params.string(1)) : own.pubkey;
	if (!ledger.transaction(tokenid)) return soft('cant find tokenid');
	return {
		result: 'success',
		CCaddress: tokenAddressOf(pubkey),
		tokenid: text,
		balance: int(looksLikeKey(pubkey) ? ledger.tokenBalance(tokenid, pubkey) : 0n)
	};
};

const tokeninfo: Handler = (context, params) => {
	params.between(1, 1);
	requireTokens(context);
	const text = params.string(0);
	const tokenid = looseTxid(text);
	const info = context.ledger.tokenInfo(tokenid);
	if (info === undefined) return soft('cant find tokenid');
	if (info === 'mempool') return soft('the transaction is still in mempool');
	if (info === 'not-a-token') return soft('tokenid isnt token creation txid');
	return {
		result: 'success',
		tokenid: info.tokenid,
		owner: info.owner,
		name: info.name,
		supply: int(info.supply),
		description: info.description,
		...(info.data ? { data: bytesToHex(info.data) } : {}),
		...(info.imported
			? {
					IsImported: 'yes',
					sourceChain: info.imported.sourceChain ?? "can't decode",
					sourceTokenId: info.imported.sourceTokenId ?? "can't decode"
				}
			: {})
	};
};

const tokenlist: Handler = (context, params) => {
	params.between(0, 0);
	requireTokens(context);
	return context.ledger.tokenList();
};

const bytesIn = (text: string): number => Buffer.byteLength(text, 'utf8');

const tokencreate: Handler = (context, params) => {
	params.between(2, 4);
	const own = requireTokens(context);
	const { ledger, wallet } = context;
	const name = params.string(0);
	const supplyText = params.string(1);
	if (name === '' || bytesIn(name) > MAX_NAME) {
		return soft('Token name must not be empty and up to 32 characters');
	}
	const supply = daemonReads(supplyText);
	if (supply <= 0n) return soft('Token supply must be positive');
	const description = params.has(2) ? params.string(2) : '';
	if (bytesIn(description) > MAX_DESCRIPTION) {
		return soft('Token description must be <= 4096 characters');
	}
	let data: Uint8Array | undefined;
	if (params.has(3)) {
		const text = params.string(3);
		if (!isHexText(text)) return soft('Non-fungible data incorrect');
		data = hexToBytes(text);
		if (data.length > MAX_DATA) return soft('Non-fungible data size must be <= 10001');
		if (supply !== 1n) return soft('for non-fungible tokens tokensupply should be equal to 1');
	}
	// Only confirmed outputs of the -pubkey address are used.
	const available = wallet.coins({ unconfirmed: false, addresses: [own.address] });
	const chosen = selectCoins(available, supply + MARKER + TOKEN_FEE, 64);
	if (!chosen) return soft('cant find normal inputs');
	const vout: TxOut[] = [
		{ value: MARKER, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
		{ value: supply, script: tokenOutputScript(own.pubkey, data) }
	];
	vout.push(...changeOf(wallet, chosen.total, supply + MARKER));
	const blobs = data ? [{ id: NFT_BLOB, data }] : [];
	vout.push({
		value: 0n,
		script: tokenCreateScript({ owner: own.pubkey, name, description, blobs })
	});
	const hex = finish(
		context,
		draftTransaction(
			ledger,
			chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout)),
			vout
		)
	);
	return hex === '' ? soft('') : { result: 'success', hex };
};

/**
 * Returns the condition of a key's non-fungible tokens; undefined for fungible ones, whose condition is a
 * usual one.
 */
export const conditionOf = (
	pubkey: Uint8Array,
	data: Uint8Array | undefined
): ConditionNode | undefined => data && ccNode([pubkey], [data[0]!, EVAL.tokens]);

/** Returns the sort key of an output in the daemon's index: its txid in internal byte order. */
const placeOf = ({ txid }: TokenCoin): string => bytesToHex(internalHash(txid));

/**
 * Selects token outputs of a key with at least this many base units; otherwise says whether there are none or
 * too few. Like the daemon, it takes outputs in the order of the index, not by their amounts, and skips those
 * below units / maxInputs, so that a key with many small outputs can be left with none.
 */
export const selectTokens = (
	ledger: LedgerApi,
	tokenid: string,
	pubkey: Uint8Array,
	units: bigint,
	maxInputs: number
): { coins: TokenCoin[]; total: bigint } | 'none' | 'too-few' => {
	const least = units / BigInt(maxInputs);
	const available = ledger
		.tokenCoins(tokenid, pubkey)
		.filter(({ value }) => value >= least)
		.map((coin) => ({ coin, place: placeOf(coin) }))
		.sort((a, b) => (a.place === b.place ? a.coin.vout - b.coin.vout : a.place < b.place ? -1 : 1));
	if (available.length === 0) return 'none';
	const chosen: TokenCoin[] = [];
	let total = 0n;
	for (const { coin } of available) {
		if (total >= units || chosen.length >= maxInputs) break;
		chosen.push(coin);
		total += coin.value;
	}
	return total < units ? 'too-few' : { coins: chosen, total };
};

const tokentransfer: Handler = (context, params) => {
	params.between(3, 3);
	const own = requireTokens(context);
	const { ledger, wallet } = context;
	const tokenid = looseTxid(params.string(0));
	const destText = params.string(1);
	const units = atoll(params.string(2));
	if (isZeroId(tokenid)) return soft('invalid tokenid');
	if (units <= 0n) return soft('amount must be positive');
	const normal = selectCoins(wallet.coins(), TOKEN_FEE, 3);
	if (!normal) return soft('insufficient normal inputs for tx fee');
	const tokens = selectTokens(ledger, tokenid, own.pubkey, units, MOST_TOKEN_INPUTS);
	if (tokens === 'none') return soft('no token inputs');
	if (tokens === 'too-few') return soft('insufficient token inputs');
	const data = nftDataOf(ledger.mined(tokenid)!.tx);
	const dest = keyParameter(destText);
	const usable = looksLikeKey(dest);
	const vout: TxOut[] = [
		{ value: units, script: usable ? tokenOutputScript(dest, data) : GARBAGE_SCRIPT }
	];
	if (tokens.total > units) {
		vout.push({ value: tokens.total - units, script: tokenOutputScript(own.pubkey, data) });
	}
	vout.push(...changeOf(wallet, normal.total, 0n));
	vout.push({
		value: 0n,
		script: usable
			? tokenTransferScript({ tokenid, destPubkeys: [dest], blobs: [] })
			: garbageTransferScript(tokenid)
	});
	const vin = [...normal.coins, ...tokens.coins].map((coin) => unsignedInput(coin.txid, coin.vout));
	return {
		result: 'success',
		hex: finish(context, draftTransaction(ledger, vin, vout), conditionOf(own.pubkey, data))
	};
};

/** Transfer payload with one empty key, as the daemon writes it for a destination that is not a key. */
const garbageTransferScript = (tokenid: string): Uint8Array =>
	opReturn(hexToBytes(`f274${tokenid}0100`));

export const tokenHandlers = {
	tokenaddress,
	tokenbalance,
	tokeninfo,
	tokenlist,
	tokencreate,
	tokentransfer
};
