/**
 * What is known of each parameter beside its type: what it means, how long or large it may be, and what the
 * daemon takes when it is left out. Forms and the description of the interface read it; the RPC API forwards
 * what a caller wrote. Defaults are those of release 0.9.0.
 */
import type { DaemonMethod } from './index.ts';

interface ParamFacts {
	description: string;
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

const hash = (description: string): ParamFacts => ({ description, format: 'hash' });
const hex = (description: string): ParamFacts => ({ description, format: 'hex' });
const whole = (description: string, more: Partial<ParamFacts> = {}): ParamFacts => ({
	description,
	min: 0,
	max: 2_147_483_647,
	...more
});
const MIN_CONFIRMATIONS = whole('Only outputs with at least this many confirmations count.', {
	default: '1'
});
const WATCH_ONLY: ParamFacts = {
	description: 'Addresses that are only watched count, too.',
	default: 'false'
};

/** By the parameter's name, where all methods mean the same with it. */
const byName: Readonly<Record<string, ParamFacts>> = {
	account: { description: 'An account of the wallet’s old book-keeping.', default: '""' },
	address: { description: 'An address of the chain.', format: 'address' },
	addresses: { description: 'One address, or an object with a list of them.' },
	blockhash: hash('The hash of a block.'),
	burntx: hex('The burn transaction.'),
	burntxid: hash('The id of the burn transaction on its source chain.'),
	ccvout: {
		description: 'Any number: outputs of crypto-conditions are asked for, instead of ordinary ones.'
	},
	comment: {
		description: 'A note for the wallet’s own list; it is not on the chain.',
		default: '""'
	},
	'comment-to': { description: 'Whom it is for; it is not on the chain.', default: '""' },
	destAddress: { description: 'The address that receives the coins.', format: 'address' },
	destChain: { description: 'The name of the destination chain.', maxBytes: 64 },
	hash: hash('The hash of a block.'),
	height: whole('The height of a block.'),
	hexstring: hex('The transaction.'),
	includeWatchonly: WATCH_ONLY,
	minconf: MIN_CONFIRMATIONS,
	pubkey: {
		description: 'A public key; the daemon’s own when left out.',
		format: 'pubkey'
	},
	symbol: { description: 'The name of a chain.', maxBytes: 64 },
	tokenid: hash('The token: the id of the transaction that created it.'),
	txid: hash('The id of a transaction.')
};

type ByMethod = Readonly<Partial<Record<DaemonMethod, Readonly<Record<string, ParamFacts>>>>>;

/** Where a method means something of its own. */
const byMethod: ByMethod = {
	tokencreate: {
		name: { description: 'The token’s name.', maxBytes: 32 },
		supply: {
			description: 'How many coins become the token; one satoshi becomes one unit.'
		},
		description: { description: 'A text about the token.', maxBytes: 4096, default: '""' },
		data: hex(
			'Data of a non-fungible token, whose supply is one satoshi. The first byte names the module that checks it.'
		)
	},
	tokentransfer: {
		destpubkey: {
			description: 'The public key that receives the units. An address here would destroy them.',
			format: 'pubkey'
		},
		amount: { description: 'How many units.' }
	},
	migrate_createburntransaction: {
		destAddress: {
			description:
				'The address on the destination that receives the coins; for a token a public key.'
		},
		amount: { description: 'How many coins; for a token its units, of which only 1 can migrate.' },
		tokenid: hash('The token to migrate; left out, coins migrate.')
	},
	migrate_createimporttransaction: {
		payouts: hex('The payouts that came with the burn.'),
		notaryTxid: hash(
			'Approvals of notaries on the destination: only on the backup route, five or more.'
		)
	},
	migrate_completeimporttransaction: {
		importtx: hex('The import transaction of the first stage.'),
		offset: whole('Notarizations to step over when the proof is looked for.', { default: '0' })
	},
	migrate_createnotaryapprovaltransaction: {
		txoutproof: hex('The proof that the check on the source chain gave.')
	},
	selfimport: { amount: { description: 'How many coins are created.' } },
	getimports: { hashOrHeight: { description: 'A block, by its hash or height.' } },
	getwalletburntransactions: {
		count: whole('How many burns at most.', { default: '"10"', min: 1 })
	},
	calc_MoM: {
		height: whole('The last block of the range.'),
		MoMdepth: whole('How many blocks the range has.', { min: 2, max: 1440 })
	},
	MoMoMdata: {
		kmdheight: whole('A height of KMD.'),
		ccid: whole('The group of chains that can exchange coins (CCid).', { max: 65_535 })
	},
	scanNotarisationsDB: {
		blockHeight: whole('The height from which it is searched downwards; 0 is the tip.'),
		blocksLimit: whole('How many blocks are searched.', { min: 1, default: '"1440"' })
	},
	crosschainproof: { query: { description: 'The daemon ignores what it is given.' } },
	notaries: {
		height: whole('A height; -1 is the tip.', { min: -1 }),
		timestamp: whole('A time in Unix seconds, for chains whose notaries change by time.', {
			max: 4_294_967_295,
			default: '"0"'
		})
	},
	getrawtransaction: {
		verbose: whole('1 decodes the transaction, 0 gives its hex.', { max: 1, default: '0' })
	},
	sendrawtransaction: {
		hexstring: hex('The signed transaction. Once sent it cannot be taken back.'),
		allowhighfees: {
			description: 'Send it even when its fee looks like a mistake; burns look like one.',
			default: 'false'
		}
	},
	createrawtransaction: {
		inputs: { description: 'The outputs to spend: a list of {"txid": …, "vout": …}.' },
		outputs: { description: 'Who gets how many coins: {"address": amount, …}.' },
		locktime: whole('The height or time before which it is not valid.', {
			max: 4_294_967_295,
			default: '0'
		}),
		expiryheight: whole('The height from which it can no longer be mined.', { max: 499_999_999 })
	},
	signrawtransaction: {
		prevtxs: {
			description:
				'Outputs that the wallet does not know: a list of {"txid", "vout", "scriptPubKey", "amount"}.',
			default: '[]'
		},
		privatekeys: { description: 'Keys to sign with instead of the wallet’s.', secret: true },
		sighashtype: {
			description: 'What the signature covers: ALL, NONE or SINGLE, each also with |ANYONECANPAY.',
			default: '"ALL"',
			maxBytes: 20
		},
		branchid: { description: 'The rules to sign under, in hex.', maxBytes: 8 }
	},
	decodescript: { hex: hex('The script.') },
	decodeccopret: { hex: hex('The script of the output that carries the payload.') },
	gettxout: {
		n: whole('The number of the output.'),
		includemempool: {
			description: 'Transactions that wait for a block count, too.',
			default: 'true'
		}
	},
	gettxoutproof: {
		txids: { description: 'A list of transaction ids of one block.' }
	},
	verifytxoutproof: { proof: hex('A proof of gettxoutproof.') },
	getrawmempool: {
		verbose: { description: 'Facts of each transaction instead of its id.', default: 'false' }
	},
	getspentinfo: { output: { description: 'An output: {"txid": …, "index": …}.' } },
	createmultisig: {
		nrequired: whole('How many signatures are needed.', { min: 1, max: 16 }),
		keys: { description: 'A list of public keys, or of addresses of the wallet.' }
	},
	verifymessage: {
		signature: { description: 'The signature in base64.' },
		message: { description: 'The message as it was signed.' }
	},
	signmessage: {
		address: { description: 'An address whose key the wallet has.', format: 'address' },
		message: { description: 'The message.' }
	},
	prioritisetransaction: {
		prioritydelta: { description: 'What is added to its priority.' },
		feedelta: whole('Satoshi by which its fee counts as higher.', { min: -2_147_483_648 })
	},
	estimatefee: { nblocks: whole('Within how many blocks.', { min: 1 }) },
	estimatepriority: { nblocks: whole('Within how many blocks.', { min: 1 }) },
	kvsearch: { key: { description: 'The key.', maxBytes: 8192 } },
	kvupdate: {
		key: { description: 'The key.', maxBytes: 8192 },
		value: { description: 'The value; everybody can read it.', maxBytes: 8192 },
		days: whole('For how many days it is kept.', { min: 1 }),
		passphrase: { description: 'Who knows it may change the value later.', secret: true }
	},
	getblock: {
		hashOrHeight: { description: 'A block, by its hash or height.' },
		verbosity: whole('0: hex, 1: with ids, 2: with the transactions.', { max: 2, default: '1' })
	},
	getblockheader: {
		verbose: { description: 'Decoded; false gives hex.', default: 'true' }
	},
	getblockhashes: {
		high: whole('The later time, in Unix seconds.', { max: 4_294_967_295 }),
		low: whole('The earlier time, in Unix seconds.', { max: 4_294_967_295 }),
		options: { description: 'An object with noOrphans and logicalTimes, each true or false.' }
	},
	getchaintxstats: {
		nblocks: whole('Over how many blocks; a month when left out.', { min: 1 }),
		blockhash: hash('The last block of the window; the tip when left out.')
	},
	coinsupply: { height: whole('The height; the tip when left out.') },
	verifychain: {
		checklevel: whole('How thoroughly, 0 to 4.', { max: 4, default: '3' }),
		numblocks: whole('How many blocks; 0 is all.', { default: '288' })
	},
	minerids: { height: whole('The height up to which is counted.') },
	getlastsegidstakes: { depth: whole('How many blocks.', { min: 1 }) },
	listunspent: {
		minconf: MIN_CONFIRMATIONS,
		maxconf: whole('Only outputs with at most this many confirmations.', { default: '9999999' }),
		addresses: { description: 'Only outputs of these addresses: a list.' }
	},
	listtransactions: {
		account: { description: 'An account; * is all.', default: '"*"' },
		count: whole('How many.', { default: '10' }),
		from: whole('How many of the newest are stepped over.', { default: '0' })
	},
	listsinceblock: {
		blockhash: hash('The block after which it begins; all when left out.'),
		'target-confirmations': whole('Confirmations of the block that is named as the last.', {
			min: 1,
			default: '1'
		})
	},
	sendtoaddress: {
		amount: { description: 'How many coins, as a JSON number or text.' },
		subtractfeefromamount: {
			description: 'The recipient pays the fee.',
			default: 'false'
		}
	},
	lockunspent: {
		unlock: { description: 'True lets outputs go, false keeps them.' },
		transactions: { description: 'The outputs: a list of {"txid": …, "vout": …}.' }
	},
	keypoolrefill: { newsize: whole('How many keys.', { min: 1, default: '100' }) },
	importaddress: {
		label: { description: 'A name for it.', default: '""' },
		rescan: { description: 'Look through the whole chain; takes minutes.', default: 'true' }
	},
	setpubkey: {
		pubkey: { description: 'The key; left out, the present one is told.', format: 'pubkey' }
	},
	importprivkey: {
		key: { description: 'The private key.', secret: true },
		label: { description: 'A name for it.', default: '""' },
		rescan: { description: 'Look through the whole chain.', default: 'true' }
	},
	dumpwallet: { filename: { description: 'The file that is written.' } },
	walletpassphrase: {
		passphrase: { description: 'The passphrase of the wallet.', secret: true },
		timeout: whole('For how many seconds.')
	},
	encryptwallet: { passphrase: { description: 'The new passphrase.', secret: true } },
	help: { command: { description: 'One method; all are listed when left out.', maxBytes: 80 } },
	getaddednodeinfo: {
		dns: { description: 'With the state of the connections.' },
		node: { description: 'One peer; all when left out.' }
	},
	setgenerate: {
		generate: { description: 'True mines, false stops.' },
		genproclimit: whole('How many processors; -1 is all, 0 stakes.', { min: -1, default: '-1' })
	},
	generate: { numblocks: whole('How many blocks.', { min: 1 }) },
	setstakingsplit: {
		split_percentage: whole('The percentage; left out, the present one is told.', { max: 100 })
	},
	getblocksubsidy: { height: whole('The height; the next one when left out.') },
	getblocktemplate: { request: { description: 'An object with mode and capabilities.' } },
	getnetworksolps: {
		blocks: whole('Over how many blocks; -1 is since the difficulty changed.', {
			min: -1,
			default: '120'
		}),
		height: whole('The height at which is counted; -1 is the tip.', { min: -1, default: '-1' })
	},
	getnetworkhashps: {
		blocks: whole('Over how many blocks; -1 is since the difficulty changed.', {
			min: -1,
			default: '120'
		}),
		height: whole('The height at which is counted; -1 is the tip.', { min: -1, default: '-1' })
	}
};

/** What is known of a parameter; undefined when nobody has described it. */
export function paramFacts(method: DaemonMethod, name: string): ParamFacts | undefined {
	return byMethod[method]?.[name] ?? (Object.hasOwn(byName, name) ? byName[name] : undefined);
}

/** Whether a parameter of the method may hold a password or a private key. */
export function hasSecrets(method: DaemonMethod): boolean {
	return Object.values(byMethod[method] ?? {}).some(({ secret }) => secret === true);
}
