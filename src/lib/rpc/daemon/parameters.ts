/**
 * What is known of each parameter beside its type: how long or large it may be, and what the daemon takes when it
 * is left out. Forms and the description of the interface read it, with the words of `lib/messages/methods`; the RPC
 * API forwards what a caller wrote. Defaults are those of release 0.9.0.
 */
import { daemonMethods, type DaemonMethod } from './index.ts';

interface ParamFacts {
	/** The form of a text. */
	format?: 'hex' | 'hash' | 'pubkey' | 'address';
	/** Smallest and largest whole number. */
	min?: number;
	max?: number;
	/** The longest text, in bytes of UTF-8. */
	maxBytes?: number;
	/** JSON text of what the daemon takes when the parameter is left out. */
	default?: string;
	/** It may be a password or a private key: it is shown and kept nowhere. */
	secret?: boolean;
}

const HASH: ParamFacts = { format: 'hash' };
const HEX: ParamFacts = { format: 'hex' };
/** Satoshi of a fee: the daemon takes 64 bits. */
const MOST_DELTA = 999_999_999_999_999;
const whole = (more: ParamFacts = {}): ParamFacts => ({ min: 0, max: 2_147_483_647, ...more });

/** By the parameter's name, where all methods mean the same with it. */
const byName: Readonly<Record<string, ParamFacts>> = {
	account: { default: '""' },
	address: { format: 'address' },
	blockhash: HASH,
	burntx: HEX,
	burntxid: HASH,
	comment: { default: '""' },
	'comment-to': { default: '""' },
	destAddress: { format: 'address' },
	destChain: { maxBytes: 64 },
	hash: HASH,
	height: whole(),
	hexstring: HEX,
	includeWatchonly: { default: 'false' },
	minconf: whole({ default: '1' }),
	pubkey: { format: 'pubkey' },
	symbol: { maxBytes: 64 },
	tokenid: HASH,
	txid: HASH
};

type ByMethod = Readonly<Partial<Record<DaemonMethod, Readonly<Record<string, ParamFacts>>>>>;

/** Where a method means something of its own: nothing is known of it from its name. */
const byMethod: ByMethod = {
	tokencreate: {
		name: { maxBytes: 32 },
		description: { maxBytes: 4096, default: '""' },
		data: HEX
	},
	tokentransfer: { destpubkey: { format: 'pubkey' } },
	migrate_createburntransaction: { destAddress: {}, tokenid: HASH },
	migrate_createimporttransaction: { payouts: HEX, notaryTxid: HASH },
	migrate_completeimporttransaction: { importtx: HEX, offset: whole({ default: '0' }) },
	migrate_createnotaryapprovaltransaction: { txoutproof: HEX },
	getwalletburntransactions: { count: whole({ default: '"10"' }) },
	calc_MoM: { height: whole(), MoMdepth: whole({ min: 1 }) },
	MoMoMdata: { kmdheight: whole(), ccid: whole({ max: 65_535 }) },
	scanNotarisationsDB: { blockHeight: whole(), blocksLimit: whole({ min: 1, default: '"1440"' }) },
	notaries: {
		height: whole({ min: -1 }),
		timestamp: whole({ max: 4_294_967_295, default: '"0"' })
	},
	getrawtransaction: { verbose: whole({ max: 1, default: '0' }) },
	sendrawtransaction: { hexstring: HEX, allowhighfees: { default: 'false' } },
	createrawtransaction: {
		locktime: whole({ max: 4_294_967_295, default: '0' }),
		expiryheight: whole({ max: 499_999_999 })
	},
	signrawtransaction: {
		prevtxs: { default: '[]' },
		privatekeys: { secret: true },
		sighashtype: { default: '"ALL"', maxBytes: 20 },
		branchid: { maxBytes: 8 }
	},
	decodescript: { hex: HEX },
	decodeccopret: { hex: HEX },
	gettxout: { n: whole(), includemempool: { default: 'true' } },
	verifytxoutproof: { proof: HEX },
	getrawmempool: { verbose: { default: 'false' } },
	createmultisig: { nrequired: whole({ min: 1, max: 16 }) },
	signmessage: { address: { format: 'address' } },
	prioritisetransaction: { feedelta: whole({ min: -MOST_DELTA, max: MOST_DELTA }) },
	estimatefee: { nblocks: whole({ min: 1 }) },
	estimatepriority: { nblocks: whole({ min: 1 }) },
	kvsearch: { key: { maxBytes: 8192 } },
	kvupdate: {
		key: { maxBytes: 8192 },
		value: { maxBytes: 8192 },
		days: whole({ min: 1 }),
		passphrase: { secret: true }
	},
	getblock: { verbosity: whole({ max: 2, default: '1' }) },
	getblockheader: { verbose: { default: 'true' } },
	getblockhashes: { high: whole({ max: 4_294_967_295 }), low: whole({ max: 4_294_967_295 }) },
	getchaintxstats: { nblocks: whole(), blockhash: HASH },
	coinsupply: { height: whole() },
	verifychain: {
		checklevel: whole({ max: 4, default: '3' }),
		numblocks: whole({ default: '288' })
	},
	minerids: { height: whole() },
	getlastsegidstakes: { depth: whole({ min: 1 }) },
	listunspent: {
		minconf: whole({ default: '1' }),
		maxconf: whole({ default: '9999999' }),
		addresses: {}
	},
	listtransactions: {
		account: { default: '"*"' },
		count: whole({ default: '10' }),
		from: whole({ default: '0' })
	},
	listsinceblock: { blockhash: HASH, 'target-confirmations': whole({ min: 1, default: '1' }) },
	// It is asked about any text; a script of an output is watched, too.
	validateaddress: { address: {} },
	sendtoaddress: { subtractfeefromamount: { default: 'false' } },
	keypoolrefill: { newsize: whole({ min: 1, default: '100' }) },
	importaddress: { address: {}, label: { default: '""' }, rescan: { default: 'true' } },
	setpubkey: { pubkey: { format: 'pubkey' } },
	importprivkey: { key: { secret: true }, label: { default: '""' }, rescan: { default: 'true' } },
	walletpassphrase: { passphrase: { secret: true }, timeout: whole() },
	encryptwallet: { passphrase: { secret: true } },
	help: { command: { maxBytes: 80 } },
	setgenerate: { genproclimit: whole({ min: -1, default: '-1' }) },
	generate: { numblocks: whole({ min: 1 }) },
	setstakingsplit: { split_percentage: whole({ max: 100 }) },
	getblocksubsidy: { height: whole() },
	getnetworksolps: {
		blocks: whole({ min: -1, default: '120' }),
		height: whole({ min: -1, default: '-1' })
	},
	getnetworkhashps: {
		blocks: whole({ min: -1, default: '120' }),
		height: whole({ min: -1, default: '-1' })
	}
};

/** What is known of a parameter; undefined when there is nothing. */
export function paramFacts(method: DaemonMethod, name: string): ParamFacts | undefined {
	return byMethod[method]?.[name] ?? (Object.hasOwn(byName, name) ? byName[name] : undefined);
}

/** Whether a parameter of the method may hold a password or a private key. */
export function hasSecrets(method: DaemonMethod): boolean {
	return Object.values(byMethod[method] ?? {}).some(({ secret }) => secret === true);
}

/** Nothing was given. */
const EMPTY = /^(?:null|""|\[\s*\])$/;

/**
 * Whether a call holds a password or a private key.
 * @param params JSON texts
 */
export function holdsSecret(method: DaemonMethod, params: readonly string[]): boolean {
	return daemonMethods[method].params.some(
		({ name }, at) => paramFacts(method, name)?.secret === true && !EMPTY.test(params[at] ?? 'null')
	);
}
