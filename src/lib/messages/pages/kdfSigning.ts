/** Texts of the pages that sign and verify messages, and that connect remote signers. */
import { plural } from '#lib/text/plural.ts';

export const signPage = {
	title: 'Sign a message',
	lead: 'Prove that you control this address. Signing moves no coins, but only sign text you understand.',
	done: 'Message signed',
	signature: 'Signature',
	coin: 'Coin',
	chooseOne: 'Choose one',
	address: 'Address',
	/** The node has no method that returns it, or does not answer in time. */
	addressLater: {
		title: 'Not known before signing',
		text: 'The trading node does not tell the address of this path now. The signature is read here, and shown with the address that made it.'
	},
	unlisted: {
		title: 'Not listed yet',
		text: (isNewAccount: boolean, account: number): string =>
			`The trading node tells the address of a path only once its wallet lists it${
				isNewAccount ? `, and the wallet has no account ${account} yet` : ''
			}.`,
		/** What the button does. */
		effect: (more: number, account: number): string =>
			`This adds ${plural(more, 'address', 'addresses')} to account ${account}, for which the node asks the servers of the coin from then on. Nothing is sent or signed.`,
		list: 'List address',
		notAllowed: 'An operator can have it listed.',
		signAnyway: 'Sign without knowing the address'
	},
	path: 'Path',
	oneKey: 'This trading node has one key for all coins.',
	message: 'Message',
	copied: { signature: 'the signature', link: 'the link', address: 'address' },
	share: 'Share this link to let anyone verify the signature:',
	verify: 'Verify',
	qr: 'Signature as QR code',
	empty: {
		none: 'No active coins',
		noneText: 'Activate a coin first.',
		unknown: 'Active coins unknown',
		unknownText: 'The trading node did not say which coins are active.',
		coins: 'Show coins'
	},
	guessed:
		'The trading node does not list its active coins: these were activated from this console.',
	signer: 'Signing address',
	sign: 'Sign message',
	back: 'Back',
	another: 'Sign another message',
	option: (ticker: string, name: string, hasPrefix: boolean): string =>
		hasPrefix ? `${ticker} (${name})` : `${ticker} (${name}): no prefix in the coins file`,
	messageHint: 'Signed exactly as typed, including spaces and line breaks',
	otherAddress: 'Another address of an HD wallet',
	pathOf: 'Path of the address',
	pathHint: (example: string | null): string =>
		`Only for an HD wallet${example === null ? '' : `, such as ${example}/0'/0/1`}. Empty: the address of the node, or the first one.`,
	byIndex: 'Or by account and index',
	continue: 'Continue',
	faults: {
		coin: 'Choose a coin that is active.',
		noPrefix: (ticker: string): string =>
			`${ticker} has no "sign_message_prefix" in the coins file, so the node cannot sign with it.`,
		noMessage: 'Enter the message to sign.',
		tooLong: (bytes: number, most: number): string =>
			`The message has ${plural(bytes, 'byte')}; ${plural(most, 'byte')} are the most.`,
		otherPath: (path: string | null): string =>
			`Account, chain and index name ${path ?? 'another address'}. Fill in only one of the two, or make them agree.`
	},
	stopped: {
		safe: 'Nothing was signed.',
		next: 'Wait until an admin turns this off, then try again.'
	}
} as const;

export const verifyPage = {
	title: 'Verify a message',
	lead: 'Verified in Komodeck without contacting a node. Nothing is stored.',
	link: 'Link to this result',
	list: 'Trading node',
	valid: {
		title: 'Valid signature',
		holder: 'The holder of the key of',
		signed: (coin: string): string => `signed exactly this message with ${coin}.`
	},
	invalid: {
		title: 'Invalid signature',
		leads: 'The signature belongs to',
		text: '. The message, address or signature differs from what was signed; one changed character is enough.'
	},
	coin: 'Coin',
	chooseOne: 'Choose one',
	option: (ticker: string, name: string): string => `${ticker} (${name})`,
	address: 'Address',
	message: 'Message',
	messageHint: 'Exactly as signed, including spaces and line breaks',
	signature: 'Signature',
	verify: 'Verify',
	faults: {
		coin: 'Choose the coin with which the message was signed.',
		address: 'Enter the address that signed the message.',
		signature: 'Enter the signature.'
	}
} as const;

export const signersPage = {
	title: 'Remote signers',
	lead: 'WalletConnect: external wallets that sign for EVM coins',
	signer: 'The remote signer',
	failed: 'Request failed',
	ended: 'Disconnected',
	endedAlready: 'This connection has already ended.',
	invitation: {
		title: 'Scan with your wallet app',
		text: 'Anyone who scans this code becomes the signer: keep it private. It is shown once. After the app agrees, the connection appears below.',
		copied: 'the invitation',
		check: 'Check connection',
		qr: 'Invitation as QR code'
	},
	connections: 'Connections',
	unknown: (node: string): string => `The trading node ${node} does not list them now.`,
	empty: 'No remote signers',
	emptyText: (isAdmin: boolean): string =>
		isAdmin ? 'Invite one below.' : 'An admin can invite one.',
	caption: 'Connections to remote signers',
	columns: {
		application: 'Application',
		session: 'Session',
		accounts: 'Accounts',
		expires: 'Expires',
		actions: 'Actions'
	},
	notReported: 'Not reported',
	copiedSession: 'session',
	disconnect: 'Disconnect',
	disconnectOf: (name: string, topic: string): string =>
		`Disconnect ${name}, session ${topic.slice(0, 8)}`,
	invite: 'Invite a signer',
	chains: 'Chains',
	chain: (ticker: string, name: string): string => `${ticker}, ${name}`,
	noChain: 'Choose at least one chain.',
	allows: 'Allows eth_sendTransaction, eth_signTransaction and personal_sign.',
	create: 'Create invitation'
} as const;
