import type { Kind } from './kinds.ts';

/**
 * Values that differ between chains: they depend on time, options and coins, and are compared by type and form
 * only. All other values must be equal. `*` matches any method, `[]` any index of a list, `.*` a member whose
 * name is an id.
 */
const TABLE: Partial<Record<Kind, readonly string[]>> = {
	integer: [
		// The length of the chain, and the size of its transactions.
		'* result.blocks',
		'* result.height',
		'* result.confirmations',
		'* result.rawconfirmations',
		'* result.size',
		'calc_MoM result.height',
		'getaddressutxos result[].height',
		'getblockchaininfo result.headers',
		'getblockchaininfo result.softforks[].enforce.found',
		'getblockchaininfo result.softforks[].reject.found',
		'getblockcount result',
		'getchaintips result[].height',
		'getinfo result.longestchain',
		'getpeerinfo result[].bytesrecv',
		'getpeerinfo result[].bytessent',
		'getpeerinfo result[].startingheight',
		'getpeerinfo result[].synced_blocks',
		'getpeerinfo result[].synced_headers',
		'getrawmempool result.*.height',
		'getrawmempool result.*.size',
		'getrawtransaction result.vout[].spentHeight',
		'getrawtransaction result.vout[own].spentHeight',
		'gettransaction result.details[].size',
		'gettransaction result.details[own].size',
		'getwalletinfo result.txcount',
		'listtransactions result[].confirmations',
		'listtransactions result[].rawconfirmations',
		'listtransactions result[].size',
		'listtransactions result[own].size',
		'listunspent result[own].confirmations',
		'listunspent result[own].rawconfirmations',
		// The wallet's selection of coins.
		'getrawtransaction result.vin[own].valueSat',
		'getrawtransaction result.vin[own].vout',
		'getrawtransaction result.vout[own].valueSat',
		'getblock result.tx[].vout[own].valueZat',
		'getblock result.chainSupply.chainValueZat',
		'getblock result.valuePools[].chainValueZat',
		'getblockchaininfo result.chainSupply.chainValueZat',
		'getblockchaininfo result.valuePools[].chainValueZat',
		// A number that is derived from the address.
		'listunspent result[own].segid',
		'validateaddress result.segid',
		// Options of the daemons and their chains, and their peers.
		'getconnectioncount result',
		'getinfo result.CCid',
		'getinfo result.connections',
		'getinfo result.magic',
		'getinfo result.p2pport',
		'getinfo result.premine',
		'getinfo result.rpcport',
		'getnetworkinfo result.connections'
	],
	'positive integer': [
		'getrawtransaction result.expiryheight',
		'gettransaction result.expiryheight',
		'listtransactions result[].expiryheight',
		'listtransactions result[own].expiryheight'
	],
	time: [
		'* result.time',
		'* result.blocktime',
		'getblock result.tx[].locktime',
		'getinfo result.keypoololdest',
		'getinfo result.tiptime',
		'getpeerinfo result[].conntime',
		'getpeerinfo result[].lastrecv',
		'getpeerinfo result[].lastsend',
		'getrawmempool result.*.time',
		'getrawtransaction result.locktime',
		'gettransaction result.timereceived',
		'getwalletinfo result.keypoololdest',
		'listtransactions result[].blocktime',
		'listtransactions result[].time',
		'listtransactions result[].timereceived',
		'listtransactions result[own].blocktime',
		'listtransactions result[own].time',
		'listtransactions result[own].timereceived'
	],
	// Proof of work: a development network has none.
	number: [
		'* result.difficulty',
		'getblockchaininfo result.verificationprogress',
		'getmininginfo result.localsolps',
		'getpeerinfo result[].pingtime'
	],
	hex: [
		'* result.nonce',
		'* result.solution',
		'* result.chainwork',
		'getblock result',
		'getblock result.bits',
		'getblock result.tx[].vin[].coinbase',
		'getrawtransaction result.vin[].coinbase'
	],
	'signed script': [
		'getblock result.tx[].vin[].scriptSig.asm',
		'getblock result.tx[].vin[].scriptSig.hex',
		'getrawtransaction result.vin[].scriptSig.asm',
		'getrawtransaction result.vin[].scriptSig.hex',
		'getrawtransaction result.vin[own].scriptSig.asm',
		'getrawtransaction result.vin[own].scriptSig.hex'
	],
	'migration data': [
		'getblock result.tx[].vout[].scriptPubKey.asm',
		'getblock result.tx[].vout[].scriptPubKey.hex',
		'getrawtransaction result.vout[].scriptPubKey.asm',
		'getrawtransaction result.vout[].scriptPubKey.hex'
	],
	coins: [
		// The wallet's coins, and its selection of them.
		'getbalance result',
		'getinfo result.balance',
		'getrawtransaction result.vin[own].value',
		'getrawtransaction result.vout[own].value',
		'getblock result.tx[].vout[own].value',
		'gettransaction result.details[own].amount',
		'getwalletinfo result.balance',
		'listtransactions result[own].amount',
		'listunspent result[own].amount',
		'tokenaddress result.mybalance',
		// Coins that the chain has issued.
		'coinsupply result.supply',
		'coinsupply result.total',
		'getblock result.chainSupply.chainValue',
		'getblock result.valuePools[].chainValue',
		'getblockchaininfo result.chainSupply.chainValue',
		'getblockchaininfo result.valuePools[].chainValue'
	],
	flag: ['* result.synced'],
	neighbour: ['getpeerinfo result[].addr'],
	// Lists in the order of ids, and lists of the wallet's history.
	list: ['listtransactions result', 'listunspent result', 'tokenlist result'],
	id: [
		'getblockchaininfo result.bestblockhash',
		'getrawtransaction result.vin[own].txid',
		'getrawtransaction result.vout[own].spentTxId',
		'getwalletinfo result.seedfp'
	],
	proof: ['gettxoutproof result', 'migrate_checkburntransactionsource result.TxOutProof'],
	'too high a fee': ['sendrawtransaction error.message'],
	// Methods that devnet does not have are not listed.
	excerpt: ['help result']
};

const VARIES: ReadonlyMap<string, Kind> = new Map(
	(Object.keys(TABLE) as Kind[]).flatMap((kind) => TABLE[kind]!.map((place) => [place, kind]))
);

const used = new Set<string>();

/** The form of a value that may differ; undefined for one that must be equal. */
export function varyingAt(method: string, path: string): Kind | undefined {
	for (const place of [`${method} ${path}`, `* ${path}`]) {
		const kind = VARIES.get(place);
		if (kind === undefined) continue;
		used.add(place);
		return kind;
	}
	return undefined;
}

/** Whether the value at this place may be another of its form; a list's entries may differ, too. */
export const isVarying = (method: string, path: string): boolean => {
	const plain = (place: string): string =>
		place.replaceAll('[own]', '[]').replace(/\.[0-9a-f]{64}/g, '.*');
	const places = new Set([`${method} ${plain(path)}`, `* ${plain(path)}`]);
	return [...VARIES.keys()].some((place) => places.has(plain(place)));
};

/** Unused lines of the table. */
export const unusedVaries = (): string[] => [...VARIES.keys()].filter((place) => !used.has(place));
