/** The glossary of the help: technical terms, each explained in one sentence. Pages link to them. */
export const TERMS = {
	activation: {
		term: 'Activation',
		text: 'Making a coin usable on a trading node, which then connects to the servers of that coin.'
	},
	'back-notarization': {
		term: 'Back-notarization',
		text: 'The transaction on a notarized chain by which notaries report where KMD holds its notarization.'
	},
	'base-unit': {
		term: 'Base unit',
		text: 'The smallest amount of a token, and the only one that a chain counts.'
	},
	burn: {
		term: 'Burn',
		text: 'A transaction that destroys coins or a token on one chain, so that they can be imported on another.'
	},
	ccid: {
		term: 'CCid',
		text: 'A number that a chain is started with (ac_cc): chains with the same CCid of 100 or higher can exchange coins and tokens.'
	},
	'crypto-condition': {
		term: 'Crypto-condition',
		text: 'A condition in an output that a module of the chain checks when the output is spent; token outputs are of this kind.'
	},
	daemon: {
		term: 'Daemon',
		text: 'The program (komodod) that follows one chain, holds a wallet and answers RPC calls.'
	},
	final: {
		term: 'Final',
		text: 'No longer reversible: a notarization covers the block, or enough blocks stand above it.'
	},
	import: {
		term: 'Import',
		text: 'The transaction that creates on the destination what was burned on the source, with a proof of the burn.'
	},
	'locked-utxo': {
		term: 'Locked UTXO',
		text: 'A UTXO kept for a transaction that is under review or on its way, so that nothing else made here spends it.'
	},
	mempool: {
		term: 'Mempool',
		text: 'The transactions that a daemon has accepted and that no block holds yet.'
	},
	mom: {
		term: 'MoM',
		text: 'The Merkle root of the blocks that one notarization covers; it proves that a transaction is in one of them.'
	},
	momom: {
		term: 'MoMoM',
		text: 'The Merkle root of the MoMs of all chains with one CCid; an import is checked against the MoMoM of its chain.'
	},
	notarization: {
		term: 'Notarization',
		text: 'A transaction signed by notaries that records a block of one chain on another, so that blocks up to it are final.'
	},
	'notary-approval': {
		term: 'Notary approval',
		text: 'A transaction of a notary on the destination that confirms a burn; five of them stand in for notarizations.'
	},
	offset: {
		term: 'Offset',
		text: 'Blocks of KMD from the first notarization of the destination that fits a proof to the one that completes it.'
	},
	payouts: {
		term: 'Payouts',
		text: 'The outputs that an import will have; the burn holds their hash.'
	},
	reorganization: {
		term: 'Reorganization',
		text: 'The replacement of the newest blocks of a chain by others; what was confirmed in them can become pending again.'
	},
	satoshi: {
		term: 'Satoshi',
		text: 'The smallest amount of a coin: 0.00000001.'
	},
	'self-import': {
		term: 'Self-import',
		text: 'Creation of coins by the issuer of a chain, without a burn on another one.'
	},
	tip: {
		term: 'Tip',
		text: 'The newest block of a chain.'
	},
	'trading-node': {
		term: 'Trading node (KDF)',
		text: 'The Komodo DeFi node, which holds one seed for the coins of many networks.'
	},
	txid: {
		term: 'Txid',
		text: 'The ID of a transaction: the hash of its bytes.'
	},
	utxo: {
		term: 'UTXO',
		text: 'An output that was not spent yet; the balance of a wallet is the sum of its UTXOs.'
	}
} as const;

export type TermId = keyof typeof TERMS;
