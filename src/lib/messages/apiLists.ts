/** Texts of the JSON API's lists: summaries, and descriptions of their filters and members. */

export const listSummaries = {
	chains: 'The chains, and how far the index of each is',
	blocks: 'The blocks of a chain',
	transactions: 'The transactions of a chain or of one block, by block and place',
	tokens: 'The tokens of a chain',
	transfers: 'The valid transfers of a token, newest first',
	holders: 'The holders of a token, largest balance first',
	holdings: 'The tokens of a holder, newest token first',
	addresses:
		'The addresses of a chain with a balance, largest first; counted since the startHeight of the chain',
	addressHistory: 'What an address received and sent, newest first',
	utxos: 'The unspent outputs of an address, newest first',
	notarizations: 'The notarizations in the blocks of a chain, newest first',
	imports: 'Imports into a chain with the amounts they created, by block',
	crossChain: 'Burns toward other chains with their imports, newest first',
	reconciliation: 'Coins burned on a chain toward another and imported there, by route',
	routes: 'The routes between chains with the same CCid, and why one is unavailable'
} as const;

/** Descriptions of members and filters for the OpenAPI document. */
export const listMembers = {
	height: 'Height of a block',
	hash: 'Hash or transaction ID, as chains write it',
	coins: 'Coins with eight decimals',
	condition: 'Locked by a crypto-condition, such as a token',
	units: 'A whole number of base units',
	time: 'Time of the block, UTC',
	from: 'Lowest height',
	to: 'Highest height',
	address: 'The address',
	since: 'First block that is counted; 0 when all are',
	token: 'The token',
	holder: 'As the list of holders writes it: mostly a compressed public key',
	holderKey: 'Compressed public key; two joined by +; or the address of the script',
	share: 'Percent of the circulating supply: burned and migrated units are not held',
	open: 'Burned and not imported, as far as both chains are indexed',
	obstacles: 'Empty when the route is available',
	burn: 'Transaction ID of the burn, or of the object that stands for one',
	importSource: 'Null for a self-import, and when the burn does not name it',
	created: 'What its outputs hold; null for tokens',
	burned: 'Value of the burn, with the fee; null for tokens',
	notarized: 'Name of the notarized chain; KMD has notarizations of all chains',
	exported: 'export: migrated to another chain',
	namePrefix: 'Name starts with; case and accents are ignored',
	imported: 'Whether it came from another chain',
	creator: 'Public key of the creator',
	transactionKind: 'Only transactions of this kind',
	transactionBlock: 'Only transactions of the block at this height',
	source: 'Name of the source chain',
	target: 'Name of the destination chain',
	coinsOnly: 'Null for tokens',
	noImport: 'Null while it is in progress'
} as const;

/** Errors of filters. */
export const listFaults = {
	height: 'Enter a height: a whole number.',
	address: { missing: 'Enter an address.', invalid: 'This is not an address of these chains.' },
	token: { missing: 'Enter a token ID.', invalid: 'A token ID has 64 hex digits.' },
	holder: {
		missing: 'Enter a holder.',
		invalid: 'A holder is a public key, two public keys or an address.'
	},
	name: (most: number): string => `A name is at most ${most} characters long.`,
	state: 'Choose a state from the list.',
	kind: 'Choose a type from the list.',
	chainName: 'A chain name has at most 64 characters.',
	tokenName: 'A name has at most 32 characters.',
	tokenKind: 'Choose fungible or nft.',
	imported: 'Choose yes or no.',
	creator: 'This is not a compressed public key of 66 hex digits.',
	transactionKind: 'Choose a kind from the list.',
	direction: 'Choose in or out.',
	transferState: 'Choose open or done.',
	transferAsset: 'Choose coins or tokens.'
} as const;
