/** Texts of the page of a transaction. */
import { count, plural } from '#lib/text/plural.ts';
import { MISSING_IMPORT } from '../missingImport.ts';

const deep = (blocks: number): string => `${plural(blocks, 'block')} deep; final once notarized`;

export const transactionPage = {
	/** Shown until the kind is known. */
	title: 'Transaction',
	notAnId: 'A transaction ID has 64 hex digits.',
	unknown: (chain: string, txid: string): string =>
		`${chain} knows no transaction ${txid}, neither confirmed nor pending.`,
	print: 'Print',
	facts: {
		title: 'Details',
		txid: 'Transaction ID',
		txidName: 'transaction ID',
		chain: 'Chain',
		state: 'State',
		orphaned: 'Orphaned',
		orphanedHint: 'removed by a reorganization',
		pending: 'Pending',
		confirmed: 'Confirmed',
		inBlock: 'in block',
		time: 'Time',
		proof: 'Proof',
		proofLink: 'View Merkle proof',
		confirmations: 'Confirmations',
		deep,
		claimed: 'Interest claimed',
		claimedHint: 'Less the fee, which the bytes do not tell',
		fee: 'Fee',
		noFee: {
			coinbase: 'None (block reward and fees)',
			import: 'None (paid by the burn)',
			interest: 'Unknown (interest was claimed)',
			maybeInterest: 'Unknown (interest may be part of it)',
			input: 'Unknown (an input is not indexed)',
			other: 'Unknown (the format of the transaction is not known)'
		},
		size: 'Size',
		bytes: (bytes: number): string => `${count(bytes)} bytes`,
		version: 'Version',
		locktime: 'Lock time',
		expires: 'Expires',
		expiresAt: (height: number): string => `if not confirmed by block ${count(height)}`
	},
	content: {
		token: {
			title: 'Token',
			id: 'Token ID',
			idName: 'token ID',
			name: 'Name',
			unnamed: 'Without a name',
			description: 'Description',
			noDescription: 'None',
			creator: 'Creator',
			keyName: 'public key',
			data: 'NFT data',
			recipient: 'Recipient',
			received: 'Received',
			lost: 'Lost: no valid output holds them'
		},
		burn: {
			title: 'Burn',
			target: 'Destination chain',
			ccid: 'CCid',
			ccidHint: 'Chains with the same CCid can exchange coins.',
			token: 'Token ID',
			import: 'Import',
			importOn: (chain: string): string => `Import on ${chain}`,
			importName: 'import transaction ID',
			missing: MISSING_IMPORT,
			payoutsHash: 'Payouts hash',
			payoutsHashHint: 'The import must pay exactly what this hash commits to.',
			payoutsHashName: 'payouts hash'
		},
		import: {
			title: 'Import',
			source: 'Source chain',
			unnamed: 'Not named',
			burn: 'Burn',
			burnName: 'burn transaction ID',
			ccid: 'CCid',
			noCcid: 'Not named',
			token: 'Token ID',
			proof: 'Proof method',
			proofs: {
				txproof: 'Notarization',
				approvals: 'Notary approvals',
				merkleblock: 'Merkle block, which no chain accepts'
			},
			parts: {
				txproof: (n: number): string => `branch of ${plural(n, 'hash', 'hashes')}`,
				approvals: (n: number): string => plural(n, 'approval'),
				merkleblock: (): string => ''
			}
		},
		selfImport: {
			title: 'Self-import',
			source: 'Source transaction',
			sourceName: 'source transaction ID',
			inBytes: 'Named in the bytes of this transaction'
		},
		notarization: {
			title: 'Notarization',
			chain: 'Notarized chain',
			block: 'Notarized block',
			hash: 'Block hash',
			hashName: 'block hash',
			onKmd: 'Notarization on KMD',
			onKmdName: 'KMD transaction ID',
			mom: 'MoM',
			momHint: (blocks: number): string =>
				`Merkle root over ${plural(blocks, 'block')}; proves each transaction in them.`,
			momName: 'MoM',
			ccid: 'CCid',
			momom: 'MoMoM',
			momomHint: 'Merkle root of the MoMs of all chains with this CCid.',
			momomName: 'MoMoM',
			signers: 'Signers',
			notaries: (n: number): string =>
				n === 0 ? 'Not reported by the daemon' : `${n} of 64 notaries`,
			page: 'Signers and timeline'
		},
		approval: { title: 'Notary approval', burn: 'Approved burn', burnName: 'burn transaction ID' }
	},
	flow: {
		title: 'Inputs and outputs',
		picture: (inputs: number, outputs: number): string =>
			`${plural(inputs, 'input flows', 'inputs flow')} into ${plural(outputs, 'output')}; the lists have the amounts.`,
		inputs: 'Inputs',
		outputs: 'Outputs',
		total: 'Total',
		unknownTotal: 'Total unknown',
		newCoins: 'New coins',
		newCoinsHint: 'Block reward and fees of the block',
		burned: 'Burned on the source chain',
		notIndexed: 'Not indexed',
		noAddress: 'No address',
		unknownAmount: 'Unknown',
		output: 'output',
		of: 'of',
		condition: 'Crypto-condition',
		held: 'held by',
		unspent: 'Unspent',
		spent: 'Spent by',
		notSpendable: 'Not spendable',
		fee: 'Fee',
		more: (n: number): string => `${count(n)} more`,
		pages: 'Pages of inputs and outputs'
	},
	bytes: {
		scripts: 'Scripts',
		hex: 'Hex',
		json: 'JSON from the daemon',
		decode: 'Decode byte by byte',
		source: 'Source: index.',
		load: 'Load bytes from the daemon',
		loadHint: ': scripts, hex and JSON.'
	}
} as const;
