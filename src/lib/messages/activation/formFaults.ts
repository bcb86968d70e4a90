/** Field errors of the forms for activation, signing and verification. */
import { plural } from '#lib/text/plural.ts';
export const formFaults = {
	wholeTo: (most: number): string => `Enter a whole number from 0 to ${most}.`,
	wholeBetween: (least: number, most: number): string =>
		`Enter a whole number from ${least} to ${most}.`,
	wholeFrom: (least: number): string => `Enter a whole number, ${least} or more.`,
	notOffered: {
		node: 'A selected node is no longer in the coins file. Choose again.',
		token: 'A selected token is no longer in the coins file. Choose again.',
		server: 'A selected server is no longer in the list. Choose again.',
		format: 'Choose a format.',
		one: 'Choose one of the two.',
		start: 'Choose where to begin.',
		chain: 'Choose External or Internal.',
		key: 'Choose a key.'
	},
	adminOnly: {
		nodes: 'Only an admin may enter nodes that are not in the list.',
		servers: 'Only an admin may enter servers that are not in the list.',
		path: 'Only an admin may enter a path on the node’s disk.',
		contract: 'Only an admin may enter a contract that is not in the coins file.',
		gasStation: 'Only an admin may enter a gas station.',
		nftProvider: 'Only an admin may enter an NFT service.',
		remoteSigner: 'Only an admin may use a remote signer.'
	},
	/** `text` is the line as typed. */
	line: {
		node: (text: string): string =>
			`“${text}”: enter a URL, optionally followed by a WebSocket URL.`,
		server: (text: string, protocols: readonly string[]): string =>
			`“${text}”: enter host:port followed by ${protocols.slice(0, -1).join(', ')} or ${protocols.at(-1) ?? ''}.`,
		webSocket: (text: string): string =>
			`“${text}”: a node on a server cannot use WebSockets. Enter TCP or SSL.`,
		slpToken: (text: string): string =>
			`“${text}”: enter a ticker, optionally followed by its confirmations.`,
		address: (text: string, why: string): string => `“${text}”: ${why}`
	},
	needed: {
		node: (ticker: string): string => `Choose at least one node: ${ticker} needs one.`,
		server: (ticker: string): string => `Choose at least one server: ${ticker} needs one.`,
		lightServer: (ticker: string): string =>
			`Choose at least one lightwalletd server: ${ticker} needs one.`,
		contract:
			'Enter the contract address: the coins file does not have it, and the node requires it.',
		nftProvider: 'Enter the URL of the NFT service.',
		session: 'Choose a connection. Make one first under Remote signers.',
		mm2: (ticker: string): string =>
			`The coins file does not say whether ${ticker} can be swapped, and the node requires it: choose one.`,
		bchd: 'Without a bchd server nothing checks SLP tokens: a payment may spend a UTXO that holds tokens and burn them permanently. Enter a server, or tick this box if the wallet holds no SLP tokens.'
	},
	most: {
		nodes: (most: number): string => `Choose at most ${most} nodes.`,
		servers: (most: number): string => `Choose at most ${most} servers.`,
		tokens: (most: number): string => `Choose at most ${most} tokens; activate the others later.`
	},
	connections: {
		none: 'Enter 1 or more: with 0 the coin would have no connection.',
		contradict: (min: number, max: number): string =>
			`The minimum of ${min} is above the maximum of ${max}.`,
		tooFew: (servers: number, min: number): string =>
			`Only ${plural(servers, 'server is', 'servers are')} selected, fewer than ${min}.`
	},
	contract: {
		form: 'A contract address is 0x and 40 hexadecimal digits.',
		checksum:
			'Invalid address: checksum mismatch. One character may be wrong, and swaps would lock funds there.',
		zero: 'This is the zero address: swaps would lock funds that no one can recover.'
	},
	session: {
		ended: 'This connection has ended. Choose another, or make a new one.',
		unknown: 'The trading node does not say whether this connection is still there. Try again.'
	},
	date: 'Enter the date from which the chain is read.',
	path: "Enter a path such as m/44'/141'/0'/0/1, or leave it empty.",
	verify: {
		noPrefix: (ticker: string): string =>
			`Messages of ${ticker} cannot be verified: the coins file has no "sign_message_prefix" for it.`,
		addressOf: {
			evm: 'An address of this coin is 0x and 40 hexadecimal digits.',
			key: 'Invalid address: a character may be wrong, or it belongs to a script, which cannot sign.'
		}
	}
} as const;

/** Faults of the fields that select a key of an HD wallet, by code. */
export const pathFaults = {
	path: formFaults.path,
	index: formFaults.wholeFrom(0),
	chain: formFaults.notOffered.one
} as const;

export type PathFault = keyof typeof pathFaults;
