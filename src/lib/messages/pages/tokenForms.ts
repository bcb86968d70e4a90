/** Texts of the token forms: creation, transfer, burn, decimals. */
import { count, plural } from '#lib/text/plural.ts';

/** Field errors. */
export const tokenFaults = {
	kind: 'Choose what kind of token it is.',
	noName: 'Give the token a name.',
	nameTooLong: (bytes: number, most: number): string =>
		`The name has ${plural(bytes, 'byte')}; ${most} are the most.`,
	nameUnseen: 'The name has a character that cannot be seen. Type it again.',
	descriptionTooLong: (bytes: number, most: number): string =>
		`The description has ${plural(bytes, 'byte')}; ${count(most)} are the most.`,
	descriptionUnwritable: 'The description has a character that cannot be written to the chain.',
	decimals: (most: number): string => `Choose 0 to ${most} decimals.`,
	unreadableSupply: 'The daemon cannot read so large an amount exactly. Choose a smaller supply.',
	noData: 'A non-fungible token needs data in hexadecimal digits.',
	notHex: 'Write the data as an even number of hexadecimal digits (0-9, a-f).',
	dataTooLong: (bytes: number, most: number): string =>
		`The data has ${plural(bytes, 'byte')}; a payload holds ${count(most)}, name and description included.`,
	unusableCode: (code: string, usable: readonly string[]): string =>
		`Data that starts with ${code} makes a token that can never move: no module would check it. Start with ${usable.join(' or ')}.`,
	noRecipient: 'Enter the public key that receives.',
	recipientIsAddress:
		'This is an address. Tokens are sent to a public key: ask the recipient for 66 hexadecimal digits that start with 02 or 03. Sent to an address they would be destroyed.',
	recipientNoKey: 'A public key has 66 hexadecimal digits and starts with 02 or 03.',
	recipientBurns:
		'This is the burn key: what is sent there is gone. Use “Burn” if that is what you want.',
	recipientInvalid:
		'This is not a public key: no private key belongs to it, and tokens sent there would be destroyed. Check for a typing error.',
	recipientIsModule: 'This is the key of the token module itself, whose private key is public.',
	notConfirmed: (nameless: boolean, word: string): string =>
		`Type ${nameless ? 'the token’s ID' : 'the token’s name'}, ${word}, to confirm the burn.`
} as const;

export const newToken = {
	title: (chain: string): string => `Create a token on ${chain}`,
	lead: 'You will review the transaction before it is sent.',
	unavailable: (chain: string): string => `No token can be created on ${chain} now`,
	tryAgain: 'Try again',
	draft: {
		title: 'Team draft',
		savedBy: (name: string): string => `Saved by ${name},`,
		startedBy: (name: string): string => `Started by ${name}.`,
		stays: 'The draft stays here until removed.',
		list: 'Team drafts',
		by: (name: string): string => `by ${name}`,
		beside: (name: string): string => `${name} changed the draft that you opened`,
		besideText: 'Yours was saved as a draft of its own, and nothing was replaced.',
		openOther: 'Open the other draft',
		save: 'Save draft',
		remove: 'Remove draft'
	},
	copy: {
		title: (name: string, chain: string): string => `A copy of “${name}” on ${chain}`,
		text: 'Nothing is saved or sent yet.'
	},
	kind: {
		label: 'Kind',
		fungible: 'Fungible',
		fungibleHint: (outlook: string): string => `Many equal units. ${outlook}`,
		nonFungible: 'Non-fungible',
		nonFungibleHint: (outlook: string): string => `One unit with its own data. ${outlook}`
	},
	name: 'Name',
	nameHint: 'Names are not unique; tokens are identified by their ID.',
	sameName: (chain: string): string => `${chain} has a token with this name already:`,
	confusable: (chain: string): string =>
		`${chain} has tokens whose names can be confused with this one:`,
	supply: 'Supply',
	supplyHint: (chain: string): string =>
		`In the token’s own units. Each base unit locks 1 satoshi (0.00000001 ${chain}).`,
	decimals: 'Decimals',
	wholeUnits: '0 – whole units only',
	data: 'Data (hex)',
	dataHint: (codes: readonly { code: string; module: string }[]): string =>
		`Transfer rule, stored as the first byte: ${codes
			.map(({ code, module }) => `${code} (${module})`)
			.join(' or ')}. With any other first byte the token could never be moved.`,
	description: 'Description',
	payload: (used: number, most: number): string =>
		`Payload: ${count(used)} of ${plural(most, 'byte')}`,
	payloadOver: (over: number): string => `${count(over)} too many`,
	payloadHint: 'Name, description, data and about 45 bytes of structure together.',
	payloadMayNotRelay: (usual: number): string =>
		`Daemons that are not started with datacarriersize=10001 relay ${plural(usual, 'byte')} only.`,
	review: 'Review',
	cancel: 'Cancel',
	cost: {
		title: 'Cost',
		supply: 'Supply',
		noSupply: 'Enter the supply',
		backing: 'Backing',
		backingHint: '1 satoshi per base unit, locked in the token',
		listing: 'Listing fee',
		listingHint: 'Paid once so the token appears in tokenlist',
		fee: 'Network fee',
		total: 'Total debited',
		after: 'Balance after',
		missing: (amount: string, chain: string): string =>
			`Insufficient balance: ${amount} ${chain} missing`,
		migration: 'Migration'
	},
	wallet: 'Creating wallet'
} as const;

/** Says by which decimals amounts of a token are parsed. */
export const readWithDecimals = (decimals: number): string =>
	`The team sees this token with ${plural(decimals, 'decimal')}: an amount of 1 is ${plural(10n ** BigInt(decimals), 'base unit')}.`;

/** Texts that the forms for moving a token share. */
export const moveToken = {
	tokens: 'Tokens',
	noName: 'Token',
	unavailable: (done: string, chain: string): string => `Nothing can be ${done} on ${chain} now`,
	empty: 'The wallet holds nothing of this token',
	token: 'Token',
	name: 'Name',
	tokenId: 'Token ID',
	kind: 'Kind',
	wallet: 'From wallet',
	amount: 'Amount',
	wholeToken: '1: a non-fungible token moves as a whole.',
	decimalsHint: (decimals: number): string =>
		`Up to ${plural(decimals, 'decimal')}. 1 = ${plural(10n ** BigInt(decimals), 'base unit')}.`,
	baseUnitsHint: 'In base units, a whole number.',
	/** @param shown decimals that the form displayed when it was opened */
	decimalsChanged: (shown: string, decimals: number): string =>
		`The decimals of this token were changed from ${shown} to ${decimals} after this form was opened. Nothing was built. Check the amount.`,
	/** For a submission that does not state the decimals. */
	decimalsUnshown: (decimals: number): string =>
		`${readWithDecimals(decimals)} Nothing was built. Check the amount.`,
	baseUnits: 'base units',
	available: 'Available:',
	missing: 'Insufficient balance, missing:',
	remaining: 'Remaining:',
	moved: 'moved:',
	cancel: 'Cancel'
} as const;

export const transferToken = {
	title: (token: string): string => `Transfer ${token}`,
	lead: 'You will review the transaction before it is sent.',
	done: 'transferred',
	empty: 'Pending amounts count once confirmed.',
	recipient: 'Recipient',
	recipientHint:
		'Public key (66 hex digits, starts with 02 or 03) or address-book label. An address cannot receive tokens.',
	review: 'Review',
	batch: 'Batch transfer'
} as const;

export const burnToken = {
	title: (token: string): string => `Burn ${token}`,
	done: 'burned',
	empty: 'This wallet has nothing to burn.',
	permanent: 'Burning is permanent',
	warning: (chain: string): string =>
		`Burned tokens and the ${chain} backing them cannot be recovered. To move tokens to another chain, use Migrate instead.`,
	confirmation: 'Type the token’s name',
	confirmationHint: (token: string): string => `Type “${token}” to confirm.`,
	review: 'Review burn'
} as const;

export const tokenDecimals = {
	title: (token: string): string => `Display decimals of ${token}`,
	lead: 'Choose how amounts are displayed for your team. The chain itself stores base units.',
	label: 'Decimals',
	hint: '0 to 18. With 2, an amount of 1 is 100 base units.',
	supply: 'The supply:',
	example: 'For example:',
	save: 'Save'
} as const;
