import { withStatus, type ErrorArea } from './define.ts';

const TARGET = {
	host: 'This is not the name or address of a server.',
	port: 'A port is a whole number from 1 to 65535.',
	'with-scheme': 'Write the server as host:port, without "://": the protocol is chosen beside it.',
	'without-port': 'Write the server as host:port, for example node.example:20001.',
	'with-login': 'Leave the login out of the address: everyone would see it.',
	missing: 'It has no address.'
} as const;

const BROKEN = {
	'not-electrum': 'does not speak the Electrum protocol.',
	'not-lightwalletd': 'does not speak the lightwalletd protocol.',
	'no-version': 'names no version of the protocol.',
	'no-tip': 'names no last block.',
	'broke-off': 'broke the connection off.',
	ended: 'ended the connection.',
	'no-whole-answer': 'gave no whole answer.',
	'no-websockets': 'does not take WebSockets.'
} as const;

/** What a server refuses; rows of early releases have the words instead of the code. */
const REFUSED: Readonly<Record<string, string>> = {
	version: 'this version of the protocol',
	tip: 'to name its last block'
};

interface Server {
	/** Host and port. */
	server: string;
}

/** Why a connection to a user-supplied server failed. Messages name the server and contain nothing that it sent. */
export const egress = {
	...withStatus(400, {
		/** The name, port or address is invalid. */
		'egress.target-invalid': ({ reason }: { reason: keyof typeof TARGET }) => TARGET[reason],
		'egress.scheme-invalid': ({ schemes }: { schemes: readonly string[] }) =>
			`Enter a whole address that begins with ${schemes.map((one) => `${one}://`).join(' or ')}.`
	}),
	...withStatus(502, {
		'egress.name-unknown': ({ host }: { host: string }) => `The name ${host} is not known.`,
		'egress.name-without-address': ({ host }: { host: string }) =>
			`The name ${host} has no address.`
	}),
	/** It is in a private network that is not listed. */
	'egress.forbidden': {
		status: 403,
		message: ({ server }: Readonly<Server>) =>
			`${server} is in a private network, and this console only connects there when it is listed.`
	},
	...withStatus(502, {
		'egress.unreachable': ({ server }: Readonly<Server>) => `Nothing answers at ${server}.`,
		'egress.closed-at-once': ({ server }: Readonly<Server>) =>
			`${server} ended the connection at once.`
	}),
	'egress.timeout': {
		status: 504,
		message: ({ server }: Readonly<Server>) => `${server} did not answer in time.`
	},
	...withStatus(502, {
		'egress.tls': ({ server }: Readonly<Server>) =>
			`The certificate of ${server} is not trusted, or it speaks no TLS.`,
		'egress.too-large': ({ server }: Readonly<Server>) => `The answer of ${server} is too long.`,
		/** The connection closed early, or the data is no valid response. */
		'egress.broken': ({ server, how }: Readonly<Server> & { how: keyof typeof BROKEN }) =>
			`${server} ${BROKEN[how]}`,
		'egress.refused': ({ server, what }: Readonly<Server> & { what: string }) =>
			`${server} refuses ${REFUSED[what] ?? what}.`,
		'egress.no-evm-node': ({ host }: { host: string }) =>
			`What answers at ${host} is no node of an EVM chain.`,
		'egress.no-client-version': ({ host }: { host: string }) =>
			`${host} does not report its version (web3_clientVersion), so the trading node does not use it.`
	})
} satisfies ErrorArea<'egress'>;
