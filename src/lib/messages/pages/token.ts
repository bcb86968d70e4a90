/** Texts of the token page. */
import { count, plural } from '#lib/text/plural.ts';

export const tokenPage = {
	untitled: 'Token',
	notAnId: 'A token ID has 64 hex digits.',
	unnamed: 'Token without a name',
	actions: {
		transfer: 'Transfer',
		batch: 'Batch transfer',
		migrate: 'Migrate',
		duplicate: 'Duplicate',
		label: 'Label',
		decimals: 'Display decimals',
		burn: 'Burn'
	},
	removed: {
		title: 'Removed by a reorganization',
		text: 'The creation of this token is neither confirmed nor in the mempool.'
	},
	pending: {
		title: 'Pending',
		text: 'Details appear once the creation is confirmed. The token cannot be moved until then.'
	},
	details: 'Details',
	facts: {
		tokenid: 'Token ID',
		tokenidHint: 'ID of the transaction that created the token',
		name: 'Name',
		kind: 'Kind',
		kinds: { fungible: 'Fungible', 'non-fungible': 'Non-fungible (NFT)' },
		supply: 'Supply',
		decimals: 'Display decimals',
		decimalsHint: (units: bigint): string =>
			`One token is ${count(units)} base units. Set here, not on the chain.`,
		backing: 'Backing',
		backingHint: '1 satoshi per base unit',
		creator: 'Creator',
		creatorHint: 'Public key that created the token',
		description: 'Description',
		none: 'None',
		unknown: 'Not reported by the daemon',
		origin: 'Origin',
		createdOn: (chain: string): string => `Created on ${chain}`,
		importedFrom: 'Imported from',
		unknownChain: 'an unknown chain',
		tokenidThere: 'token ID there',
		created: 'Created',
		removed: 'Removed by a reorganization',
		pending: 'Pending',
		block: 'block'
	},
	copied: {
		tokenid: 'token ID',
		creator: 'creator’s public key',
		wallet: 'wallet public key',
		there: 'token ID on the source chain',
		pubkey: 'public key',
		address: 'address'
	},
	media: {
		title: 'Content',
		forms: { picture: 'Picture', json: 'JSON', text: 'Text', hex: 'Binary data', empty: 'Empty' },
		note: (form: string, bytes: number, code: string): string =>
			`${form}, ${plural(bytes, 'byte')}, contract module ${code}`,
		warning: 'Written by the creator of the token. Komodeck has not checked it.',
		picture: (name: string): string => `Picture stored in the token ${name}`,
		/** @param type such as `image/png` */
		pictureFacts: (type: string, width: number, height: number): string =>
			`${type.slice('image/'.length).toUpperCase()}, ${width} × ${height} pixels`,
		empty: 'This token holds no data besides the code of its contract module.',
		text: 'Text of the token',
		dump: 'Hex dump',
		left: (bytes: number): string => `${plural(bytes, 'more byte')} in the raw JSON`
	},
	own: { title: 'Your balance', key: 'Public key' },
	check: {
		title: 'Check a balance by public key',
		label: 'Public key',
		hint: '66 hex digits. Shows the balance and addresses of the key.',
		button: 'Check'
	},
	holder: {
		title: 'Balance of the key',
		pubkey: 'Public key',
		balance: 'Balance of this token',
		addresses: 'Addresses of the key, with balances',
		columns: { of: 'Address of', address: 'Address', balance: 'Balance' },
		offline: 'Addresses are unavailable while the daemon is offline.'
	},
	history: {
		supply: 'Supply over time',
		totals: 'Circulation',
		circulating: 'Circulating',
		burned: 'Burned or migrated',
		transfers: 'Transfers',
		alsoOn: 'Also on',
		origin: 'created there',
		imported: 'imported there',
		holders: 'Holders',
		holdersNote: (holders: bigint): string => plural(holders, 'holder'),
		holdersCaption: 'Holders by balance',
		holdersList: 'holders',
		sharesHint: 'Share of the circulating supply. Burned and migrated units are not counted.',
		noOne: 'no one',
		eitherKey: 'either of two keys:',
		columns: {
			holder: 'Holder',
			balance: 'Balance',
			share: 'Share',
			transaction: 'Transaction',
			time: 'Time',
			action: 'Action',
			from: 'From',
			to: 'To',
			amount: 'Amount'
		},
		kinds: { create: 'Created', transfer: 'Transferred', burn: 'Burned', export: 'Migrated' },
		block: 'block',
		movesCaption: 'Transfers of the token, newest first',
		movesList: 'transfers',
		/** Description of the supply chart. */
		chart: (now: string, most: string, since: string): string =>
			`Circulating supply: ${now} now, ${most} at most, since ${since}.`,
		now: 'now'
	}
} as const;
