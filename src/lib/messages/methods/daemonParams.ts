/** Descriptions of the parameters of daemon methods. */
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';

/** By name, when the parameter means the same in all methods. */
const byName: Readonly<Record<string, string>> = {
	account: 'An account of the wallet’s legacy bookkeeping.',
	address: 'An address of the chain.',
	addresses: 'One address, or an object with a list of addresses.',
	blockhash: 'The hash of a block.',
	burntx: 'The burn in hex.',
	burntxid: 'The txid of the burn on its source chain.',
	ccvout: 'Any number: looks for crypto-condition outputs instead of standard ones.',
	comment: 'A note in the wallet’s own list; not on the chain.',
	'comment-to': 'A note about the recipient; not on the chain.',
	destAddress: 'The address that receives the coins.',
	destChain: 'The name of the destination chain.',
	hash: 'The hash of a block.',
	height: 'The height of a block.',
	hexstring: 'The transaction in hex.',
	includeWatchonly: 'Include watch-only addresses.',
	minconf: 'Only include outputs with at least this many confirmations.',
	pubkey: 'A public key. Default: the daemon’s own.',
	symbol: 'The name of a chain.',
	tokenid: 'The token ID: the txid of the token’s creation.',
	txid: 'A txid.'
};

/** By method, when the meaning differs. */
const byMethod: Readonly<Partial<Record<DaemonMethod, Readonly<Record<string, string>>>>> = {
	tokencreate: {
		name: 'The token’s name.',
		supply: 'How many coins become the token; each satoshi becomes one base unit.',
		description: 'A description of the token.',
		data: 'Data of an NFT, whose supply is one satoshi. The first byte is the transfer rule.'
	},
	tokentransfer: {
		destpubkey: 'The recipient’s public key. An address would destroy the units.',
		amount: 'Amount in base units.'
	},
	migrate_createburntransaction: {
		destAddress: 'The recipient’s address on the destination; for a token the public key.',
		amount: 'Amount in coins; for a token in base units, of which only 1 can migrate.',
		tokenid: 'The token to migrate. Default: coins migrate.'
	},
	migrate_createimporttransaction: {
		payouts: 'The payouts that were returned with the burn.',
		notaryTxid:
			'Txids of notary approvals on the destination, five or more; only when the proof comes from notary approvals.'
	},
	migrate_completeimporttransaction: {
		importtx: 'The import of the first stage.',
		offset: 'How many notarizations to skip when looking for the proof.'
	},
	migrate_createnotaryapprovaltransaction: {
		txoutproof: 'The proof that the check on the source chain returned.'
	},
	selfimport: { amount: 'How many coins to create.' },
	getimports: { hashOrHeight: 'A block hash or height.' },
	getwalletburntransactions: { count: 'Maximum number of burns.' },
	calc_MoM: {
		height: 'The last block of the range.',
		MoMdepth: 'The number of blocks in the range.'
	},
	MoMoMdata: {
		kmdheight: 'A height of KMD.',
		ccid: 'The CCid of the chains that can exchange coins.'
	},
	scanNotarisationsDB: {
		blockHeight: 'The height to search down from; 0 is the tip.',
		blocksLimit: 'How many blocks to search.'
	},
	crosschainproof: { query: 'Ignored by the daemon.' },
	notaries: {
		height: 'A height; -1 is the tip.',
		timestamp: 'A time in Unix seconds, for chains whose notaries change by time.'
	},
	getrawtransaction: { verbose: '1 decodes the transaction, 0 returns hex.' },
	sendrawtransaction: {
		hexstring: 'The signed transaction. A broadcast cannot be undone.',
		allowhighfees: 'Send even if the fee looks like a mistake, as that of a burn does.'
	},
	createrawtransaction: {
		inputs: 'The outputs to spend: a list of {"txid": …, "vout": …}.',
		outputs: 'Addresses with their amounts: {"address": amount, …}.',
		locktime: 'The height or time before which the transaction is not valid.',
		expiryheight: 'The height from which the transaction can no longer be mined.'
	},
	signrawtransaction: {
		prevtxs:
			'Outputs that the wallet does not know: a list of {"txid", "vout", "scriptPubKey", "amount"}.',
		privatekeys: 'Keys to sign with instead of the wallet’s.',
		sighashtype: 'What the signature covers: ALL, NONE or SINGLE, each also with |ANYONECANPAY.',
		branchid: 'The consensus rules to sign for, in hex.'
	},
	decodescript: { hex: 'The script.' },
	decodeccopret: { hex: 'The script of the output with the payload.' },
	gettxout: { n: 'The output index.', includemempool: 'Include pending transactions.' },
	gettxoutproof: { txids: 'A list of txids from one block.' },
	verifytxoutproof: { proof: 'A proof from gettxoutproof.' },
	getrawmempool: { verbose: 'Return details instead of txids.' },
	getspentinfo: { output: 'An output: {"txid": …, "index": …}.' },
	createmultisig: {
		nrequired: 'How many signatures are required.',
		keys: 'A list of public keys, or of wallet addresses.'
	},
	verifymessage: {
		signature: 'The signature in base64.',
		message: 'The message as it was signed.'
	},
	signmessage: { address: 'An address of the wallet.', message: 'The message.' },
	prioritisetransaction: {
		prioritydelta: 'What to add to the priority.',
		feedelta: 'Satoshis by which the fee counts as higher.'
	},
	estimatefee: { nblocks: 'Number of blocks.' },
	estimatepriority: { nblocks: 'Number of blocks.' },
	kvsearch: { key: 'The key.' },
	kvupdate: {
		key: 'The key.',
		value: 'The value; anyone can read it.',
		days: 'How many days to keep the value.',
		passphrase: 'Anyone who knows the passphrase can change the value later.'
	},
	getblock: {
		hashOrHeight: 'A block hash or height.',
		verbosity: '0: hex, 1: with txids, 2: with transactions.'
	},
	getblockheader: { verbose: 'true decodes the header, false returns hex.' },
	getblockhashes: {
		high: 'The later time, in Unix seconds.',
		low: 'The earlier time, in Unix seconds.',
		options: 'An object with noOrphans and logicalTimes, each true or false.'
	},
	getchaintxstats: {
		nblocks: 'Number of blocks. Default: a month.',
		blockhash: 'The last block of the window. Default: the tip.'
	},
	coinsupply: { height: 'The height. Default: the tip.' },
	verifychain: { checklevel: 'How thorough, 0 to 4.', numblocks: 'How many blocks; 0 is all.' },
	minerids: { height: 'The height up to which to count.' },
	getlastsegidstakes: { depth: 'How many blocks.' },
	listunspent: {
		minconf: 'Only outputs with at least this many confirmations count.',
		maxconf: 'Only include outputs with at most this many confirmations.',
		addresses: 'Only include outputs of these addresses: a list.'
	},
	listtransactions: {
		account: 'An account; * is all.',
		count: 'How many.',
		from: 'How many of the latest to skip.'
	},
	listsinceblock: {
		blockhash: 'The block after which the list begins. Default: all.',
		'target-confirmations': 'Confirmations of the block that is returned as the last.'
	},
	sendtoaddress: {
		amount: 'Amount in coins, as a JSON number or text.',
		subtractfeefromamount: 'The recipient pays the fee.'
	},
	lockunspent: {
		unlock: 'true unlocks the outputs, false locks them.',
		transactions:
			'The outputs: a list of {"txid": …, "vout": …}. Left out, true unlocks all of them.'
	},
	keypoolrefill: { newsize: 'How many keys.' },
	importaddress: {
		label: 'A label for the address.',
		rescan: 'Scan the whole chain; takes minutes.'
	},
	setpubkey: { pubkey: 'The public key. Default: return the current one.' },
	importprivkey: {
		key: 'The private key.',
		label: 'A label for the key.',
		rescan: 'Scan the chain.',
		height: 'The block to begin at.',
		secret_key: 'The version byte of another coin’s keys.'
	},
	dumpwallet: { filename: 'The file to write.' },
	walletpassphrase: {
		passphrase: 'The passphrase of the wallet.',
		timeout: 'For how many seconds.'
	},
	encryptwallet: { passphrase: 'The new passphrase.' },
	help: { command: 'A method. Default: list all.' },
	getaddednodeinfo: { dns: 'Include the state of the connections.', node: 'A peer. Default: all.' },
	setgenerate: {
		generate: 'true starts mining, false stops it.',
		genproclimit: 'How many processors; -1 is all, 0 stakes.'
	},
	generate: { numblocks: 'How many blocks.' },
	setstakingsplit: { split_percentage: 'The percentage. Default: return the current one.' },
	getblocksubsidy: { height: 'The height. Default: the next block.' },
	getblocktemplate: { request: 'An object with mode and capabilities.' },
	getnetworksolps: {
		blocks: 'Number of blocks; -1 is since the last difficulty change.',
		height: 'The height; -1 is the tip.'
	},
	getnetworkhashps: {
		blocks: 'Number of blocks; -1 is since the last difficulty change.',
		height: 'The height; -1 is the tip.'
	}
};

/** Returns the description of a parameter; empty when there is none. */
export const daemonParamMessage = (method: DaemonMethod, name: string): string =>
	byMethod[method]?.[name] ?? (Object.hasOwn(byName, name) ? (byName[name] ?? '') : '');
