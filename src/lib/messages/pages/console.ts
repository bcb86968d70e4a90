/** Texts of the RPC console pages. */
import { plural } from '#lib/text/plural.ts';

/** Terms for the upstream of a call. */
const PLACES = {
	daemon: {
		label: 'Daemon',
		hint: 'The call goes to this daemon and uses its wallet if it needs one.',
		none: 'No daemon is configured.',
		written: 'Parameter array',
		writtenHint: 'JSON. Sent to the daemon unchanged and unchecked.',
		empty: '[ ]',
		noReason: 'The daemon gave no reason.',
		refused: 'The daemon refused without giving a reason.',
		unreadable: 'The answer is not JSON-RPC; see the raw text.'
	},
	node: {
		label: 'Trading node',
		hint: 'The call goes to this node, in its own format.',
		none: 'No trading node is configured.',
		written: 'Parameter object',
		writtenHint: 'JSON, without a password: Komodeck adds that of the node.',
		empty: '{ }',
		noReason: 'The node gave no reason.',
		refused: 'The node refused without giving a reason.',
		unreadable: 'The answer does not have the form of a trading node’s answer; see the raw text.'
	}
} as const;

const methods = (count: number): string => plural(count, 'method');

export const consolePage = {
	title: 'RPC console',
	lead: (hasNodes: boolean): string =>
		`RPC methods of the chain daemons${hasNodes ? ' and the trading node' : ''} that your role can call. Calls that change something ask for confirmation.`,
	openRpc: 'OpenRPC document',
	openRpcOfNodes: 'OpenRPC of the trading node',
	search: {
		label: 'Methods',
		query: 'Name, purpose or parameter',
		find: 'Find',
		all: 'Show all',
		found: (found: number, total: number): string => `${found} of ${methods(total)}`,
		none: 'No methods match',
		/** Text before and after a link that searches for the word. */
		hint: ['Try part of a name, such as', 'token', '.']
	},
	methods,
	legacy: 'legacy',
	further: {
		title: 'Allowed by an admin',
		lead: 'Komodeck does not know this method. An admin allows it as a read, and the response is shown as the daemon sent it.',
		summary: 'Allowed by an admin. The response is shown as the daemon sent it.',
		params: 'Parameters',
		paramsHint: 'A JSON array, such as ["name", 1].'
	},
	noMethod: 'This method does not exist, or your role cannot call it.',
	places: PLACES,
	form: {
		title: 'Call',
		/** There is no upstream to call. */
		nowhere: 'This method can be called once an admin has connected one.',
		invalid: 'Nothing was sent. Fix the marked fields.',
		/** @param changes whether the call is reviewed before it is sent */
		submit: (changes: boolean): string => (changes ? 'Review call' : 'Call'),
		raw: 'Raw JSON parameters',
		submitRaw: (changes: boolean): string => (changes ? 'Review raw call' : 'Raw call')
	},
	help: {
		title: 'Help',
		noParameters: 'No parameters.',
		optional: (type: string): string => `${type}, optional`,
		load: 'Load help from the daemon',
		secrets: 'This method can take a secret, so its parameters are not saved in your history.',
		nodeSecrets: 'Secrets are sent to the trading node only; they are neither saved nor shown.'
	},
	example: {
		title: 'Example',
		use: 'Use example',
		what: 'the parameters of the example',
		response: 'Response'
	},
	curl: { title: 'As curl', note: 'With one of your API tokens', what: 'the curl command' },
	/** Shown below the name of a method. */
	methodLead: {
		daemon: (summary: string, access: string): string => `${summary}. ${access}.`,
		node: (summary: string, access: string, legacy: boolean): string =>
			`${summary}. ${access}.${legacy ? ' Legacy form.' : ''}`
	},
	wallet: {
		some: (pubkey: string): string => `wallet ${pubkey}`,
		none: 'no wallet key',
		notary: 'notary'
	},
	confirm: {
		title: 'This will be sent',
		irreversible: 'Sending a transaction is irreversible.',
		notYet: 'Nothing has been called yet.',
		check: 'Check the daemon, its wallet and the parameters, then confirm.',
		checkNode: 'Check the trading node and the parameters, then confirm.',
		method: 'Method',
		daemon: (daemon: string, chain: string): string => `${daemon} (chain ${chain})`,
		wallet: 'Wallet',
		pubkey: 'wallet public key',
		noPubkey: 'No public key reported',
		parameters: 'Parameters',
		dialect: 'In this daemon’s dialect',
		send: 'Send transaction',
		call: (method: string): string => `Call ${method}`,
		back: 'Back to form',
		lookAt: 'your calls',
		decoded: (parameter: string): string => `${parameter} decoded`,
		decodedNote: 'Decoded by Komodeck',
		unread: (parameter: string, why: string): string => `${parameter} cannot be decoded: ${why}`
	},
	answer: {
		title: (place: string): string => `Answer of ${place}`,
		arrived: (place: string, ms: string, bytes: string): string =>
			`Answer of ${place}: ${bytes} bytes in ${ms} ms`,
		request: 'Open approval request',
		refused: 'Nothing was sent.',
		limited: 'Too many calls.',
		retry: (seconds: number): string => `Nothing was sent. Try again in ${seconds} s.`,
		took: (ms: string): string => `Time: ${ms} ms.`,
		ms: (ms: string): string => `${ms} ms`,
		bytes: (bytes: string): string => `${bytes} bytes`,
		status: (status: number): string => `HTTP ${status}`,
		error: (code: string, meaning: string | null): string =>
			meaning === null ? `Error ${code}.` : `Error ${code}: ${meaning}.`,
		tooLarge: 'The answer is too large for a tree.',
		raw: (isCut: boolean): string => (isCut ? 'Start of the raw text' : 'Raw text')
	},
	history: {
		title: 'History',
		note: 'Your last 200 calls, visible to you only',
		clear: 'Clear history',
		empty: 'No calls yet',
		emptyText: 'Choose a method above. Parameters of methods that take secrets are not saved.',
		caption: 'Calls, newest first',
		columns: {
			method: 'Method',
			parameters: 'Parameters',
			daemon: 'Daemon or node',
			outcome: 'Outcome',
			time: 'Time',
			when: 'When'
		},
		notSaved: 'not saved'
	}
} as const;
