/** Names of the roles and of their rights. Which role has which right is defined by the server's policy. */

export const ROLE_WORDS = {
	viewer: { name: 'Viewer', summary: 'Browses chains, transfers and migrations, changes nothing.' },
	operator: { name: 'Operator', summary: 'Creates tokens, sends, migrates and activates coins.' },
	notary: { name: 'Notary', summary: 'Sends, migrates and approves burns as a notary.' },
	admin: { name: 'Admin', summary: 'Does all of this with every wallet, and manages the team.' }
} as const;

export const RIGHT_WORDS = {
	read: 'Browse chains, tokens and transfers',
	'wallet-query': 'List UTXOs and transactions of wallets',
	'notary-query': 'Call query methods meant for notaries',
	build: 'Build transactions and edit the address book',
	broadcast: 'Send transactions and migrate',
	notary: 'Approve burns as a notary',
	activate: 'Activate coins on the trading node',
	sign: 'Sign messages',
	admin: 'Manage members, limits, safety controls and servers; read the audit log'
} as const;

export type RightName = keyof typeof RIGHT_WORDS;

export const ROLE_MATRIX = {
	title: 'What each role can do',
	right: 'Right',
	yes: 'Yes',
	no: 'No',
	wallets: 'Operators and notaries spend from and list only the wallets that they are given.'
} as const;
