/** Parameters for each read method of the registry, from items of the chain. */
import { JsonNumber } from '#lib/rpc/json.ts';
import { changesNothing } from '#lib/rpc/method.ts';
import { daemonMethods, type DaemonMethod, type DaemonParams } from '#lib/rpc/daemon/index.ts';

/** Items of a chain as parameters. */
export interface Subjects {
	/** Chain whose notarizations are requested. */
	symbol: string;
	ccid: number;
	height: number;
	hash: string;
	/** Unix seconds of the tip. */
	time: number;
	/** A transaction of the wallet. */
	txid: string;
	hex: string;
	/** Script of its first output. */
	script: string;
	/** A transaction with an answer of `gettxoutproof`. */
	proof: string;
	address: string;
	pubkey: string;
	signature: string;
	message: string;
	tokenid: string;
}

/** The methods that change nothing. */
export const readMethods = (Object.keys(daemonMethods) as DaemonMethod[]).filter((method) =>
	changesNothing(daemonMethods[method].access)
);

type Calls = { readonly [M in DaemonMethod]?: readonly DaemonParams<M>[] };

const number = (value: number): JsonNumber => new JsonNumber(String(value));

/** Decoded parameters by method; each call covers one form of the response. */
export function readCalls(on: Subjects): Calls {
	const { symbol, ccid, height, hash, txid, address, pubkey, tokenid } = on;
	const at = String(height);
	const addresses = { addresses: [address] };
	return {
		tokenaddress: [[], [pubkey]],
		tokenbalance: [[tokenid], [tokenid, pubkey]],
		tokeninfo: [[tokenid], [txid]],
		tokenlist: [[]],
		getimports: [[at], [hash]],
		getwalletburntransactions: [[], ['3']],
		calc_MoM: [[at, '5']],
		MoMoMdata: [[symbol, at, String(ccid)]],
		getNotarisationsForBlock: [[height]],
		scanNotarisationsDB: [
			['0', symbol],
			[at, symbol, '1440']
		],
		height_MoM: [[at]],
		assetchainproof: [[txid]],
		crosschainproof: [[]],
		notaries: [[at]],
		getrawtransaction: [[txid], [txid, 0], [txid, 1]],
		decoderawtransaction: [[on.hex]],
		decodescript: [[on.script]],
		decodeccopret: [[on.script], ['6a']],
		gettxout: [
			[txid, 0],
			[txid, 0, false]
		],
		gettxoutproof: [[[txid]]],
		verifytxoutproof: [[on.proof]],
		getrawmempool: [[], [true]],
		getmempoolinfo: [[]],
		getspentinfo: [[{ txid, index: number(0) }]],
		txnotarizedconfirmed: [[txid]],
		createmultisig: [[1, [pubkey]]],
		verifymessage: [[address, on.signature, on.message]],
		estimatefee: [[2]],
		estimatepriority: [[2]],
		kvsearch: [['komodeck']],
		getblockcount: [[]],
		getbestblockhash: [[]],
		getblockhash: [[height]],
		getblock: [[hash], [at, 0], [at, 1], [at, 2]],
		getblockheader: [[hash], [hash, false]],
		getblockhashes: [
			[on.time + 1, on.time - 86_400],
			[on.time + 1, on.time - 86_400, { noOrphans: true, logicalTimes: true }]
		],
		getblockchaininfo: [[]],
		getchaintips: [[]],
		getchaintxstats: [[], [5]],
		getdifficulty: [[]],
		gettxoutsetinfo: [[]],
		coinsupply: [[], [at], ['0']],
		minerids: [[at]],
		getlastsegidstakes: [[10]],
		getaddressbalance: [[addresses]],
		getaddressutxos: [[addresses], [{ ...addresses, chainInfo: true }]],
		getaddresstxids: [[addresses]],
		getaddressdeltas: [
			[addresses],
			[{ ...addresses, start: number(1), end: number(height), chainInfo: true }]
		],
		getaddressmempool: [[addresses]],
		getbalance: [[], ['', 1]],
		getunconfirmedbalance: [[]],
		getreceivedbyaddress: [[address], [address, 6]],
		getwalletinfo: [[]],
		listunspent: [[], [0, 9_999_999, [address]]],
		listtransactions: [[], ['*', 5]],
		listsinceblock: [[], [hash, 1]],
		gettransaction: [[txid]],
		validateaddress: [[address], ['nobody']],
		getinfo: [[]],
		help: [[], ['getinfo']],
		getconnectioncount: [[]],
		getpeerinfo: [[]],
		getnetworkinfo: [[]],
		getnettotals: [[]],
		getaddednodeinfo: [[true]],
		listbanned: [[]],
		getdeprecationinfo: [[]],
		getmininginfo: [[]],
		getgenerate: [[]],
		getblocksubsidy: [[], [height]],
		getblocktemplate: [[]],
		getlocalsolps: [[]],
		getnetworksolps: [[], [5]],
		getnetworkhashps: [[]],
		getnotarypayinfo: [[]]
	};
}
