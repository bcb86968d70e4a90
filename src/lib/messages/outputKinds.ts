/** Names of the kinds of outputs: the form of the script, or what its data contains. */
export const OUTPUT_KINDS = {
	pubkey: 'P2PK',
	pubkeyhash: 'P2PKH',
	scripthash: 'P2SH',
	multisig: 'Multisig',
	unknown: 'Unknown script',
	cryptocondition: 'Crypto-condition',
	'token-units': 'Token units',
	'token-units-destroyed': 'Token units, destroyed',
	'token-marker': 'Token marker',
	data: 'Data',
	'burn-data': 'Burned coins and their destination',
	'token-burn-data': 'Token payload and its destination',
	'import-data': 'Proof and burn transaction',
	'token-import-data': 'Token payload, proof and burn transaction',
	'token-data': 'Token payload',
	'notarization-data': 'Notarization',
	'notary-approval-data': 'Proof of the burn',
	'self-import-source-data': 'Amount of the self-import'
} as const;

export type OutputKind = keyof typeof OUTPUT_KINDS;
