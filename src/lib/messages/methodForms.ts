/** Texts of the RPC console about methods and their parameters. */
import type { Access } from '#lib/rpc/method.ts';

/** Descriptions of the access classes. */
const ACCESS: Readonly<Record<Access, string>> = {
	read: 'Reads',
	'wallet-query': 'Reads wallet',
	'notary-query': 'Notary query',
	build: 'Creates tx',
	broadcast: 'Broadcasts',
	notary: 'Notary',
	activate: 'Activates',
	sign: 'Signs',
	admin: 'Changes daemon',
	never: 'Blocked'
};

export const methodForms = {
	access: ACCESS,
	/** For an `admin` method of a trading node. */
	changesNode: 'Changes node',
	choose: 'Choose',
	/** @param value the daemon's default of an omitted parameter; null when it is unknown */
	omitted: (value: string | null): string => (value === null ? 'Default' : `Default: ${value}`),
	types: {
		hex: 'hex',
		hash: '64 hex digits',
		pubkey: 'public key, 66 hex digits',
		address: 'address',
		text: 'text',
		amount: 'amount, up to 8 decimals',
		heightOrHash: 'height or 64 hex digits',
		/** @param range null for any */
		whole: (range: { min: number; max: number } | null): string =>
			range === null ? 'whole number' : `whole number, ${range.min} to ${range.max}`,
		bool: 'true or false',
		choice: 'one of the options',
		json: 'JSON',
		repeated: (type: string): string => `${type}, one per line`
	},
	groups: {
		'node-tasks': 'Trading node: tasks',
		'node-events': 'Trading node: events',
		'node-signers': 'Trading node: signers and devices',
		'node-messages': 'Trading node: messages',
		'node-coins': 'Trading node: coins',
		'node-wallet': 'Trading node: node and wallet'
	},
	serversAreForAdmins:
		'Only admins may enter servers and swap contracts that are not in the coins file or the list.'
} as const;
