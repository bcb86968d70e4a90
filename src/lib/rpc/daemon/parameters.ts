/**
 * Facts about parameters beyond their type: length, range, and the daemon's default. Forms and the OpenRPC
 * description use them, with the texts of `lib/messages/methods`; the RPC API forwards calls without checking
 * them. Defaults are those of release 0.9.0.
 */
import { daemonMethods, type DaemonMethod } from './index.ts';

interface ParamFacts {
	/** Expected format of a string. */
	format?: 'hex' | 'hash' | 'pubkey' | 'address';
	/** Range of an integer. */
	min?: number;
	max?: number;
	/** Maximum length of a string in UTF-8 bytes. */
	maxBytes?: number;
	/** JSON text of the daemon's default when the parameter is omitted. */
	default?: string;
	/** May be a password or a private key: must never be displayed or stored. */
	secret?: boolean;
}

const HASH: ParamFacts = { format: 'hash' };
const HEX: ParamFacts = { format: 'hex' };
/** Largest `feedelta`, in satoshi; the daemon itself accepts any 64-bit integer. */
const MOST_DELTA = 999_999_999_999_999;
const whole = (more: ParamFacts = {}): ParamFacts => ({ min: 0, max: 2_147_483_647, ...more });

/** Facts by parameter name, for names that mean the same in all methods. */
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

/** Facts by method, for parameters that mean something else there; they replace those by name entirely. */
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
	// No address format: `validateaddress` accepts any text, and `importaddress` also an output script.
	validateaddress: { address: {} },
	sendtoaddress: { subtractfeefromamount: { default: 'false' } },
	keypoolrefill: { newsize: whole({ min: 1, default: '100' }) },
	importaddress: { address: {}, label: { default: '""' }, rescan: { default: 'true' } },
	setpubkey: { pubkey: { format: 'pubkey' } },
	importprivkey: {
		key: { secret: true },
		label: { default: '""' },
		rescan: { default: 'true' },
		height: whole({ default: '0' })
	},
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

/** Returns the facts about a parameter; undefined when there are none. */
export function paramFacts(method: DaemonMethod, name: string): ParamFacts | undefined {
	return byMethod[method]?.[name] ?? (Object.hasOwn(byName, name) ? byName[name] : undefined);
}

/** Tells whether a parameter of the method may be a password or a private key. */
export function hasSecrets(method: DaemonMethod): boolean {
	return Object.values(byMethod[method] ?? {}).some(({ secret }) => secret === true);
}

/** JSON texts that count as no value. */
const EMPTY = /^(?:null|""|\[\s*\])$/;

/**
 * Tells whether a call contains a password or a private key.
 * @param params JSON texts
 */
export function holdsSecret(method: DaemonMethod, params: readonly string[]): boolean {
	return daemonMethods[method].params.some(
		({ name }, at) => paramFacts(method, name)?.secret === true && !EMPTY.test(params[at] ?? 'null')
	);
}
