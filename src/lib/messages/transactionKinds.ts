/** Names of the kinds of transactions. */
export const KIND_NAMES = {
	coinbase: 'Block reward',
	transfer: 'Payment',
	'token-create': 'Token creation',
	'token-transfer': 'Token transfer',
	/** A transfer to a public key without a private key. */
	'token-destroy': 'Permanent token burn',
	burn: 'Burn',
	'token-burn': 'Token burn',
	import: 'Import',
	'token-import': 'Token import',
	notarization: 'Notarization',
	'notary-approval': 'Notary approval',
	'self-import-source': 'Self-import source',
	shielded: 'Shielded payment',
	other: 'Unrecognized'
} as const;

export type TransactionKind = keyof typeof KIND_NAMES;

export const kindName = (kind: TransactionKind): string => KIND_NAMES[kind];
