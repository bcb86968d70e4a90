/** How the steps of a migration are called, and what happens in one that has not begun. */

interface Chains {
	source: string;
	destination: string;
	/** Null where coins are migrated. */
	tokenid: string | null;
}

export const STEP_TITLES = {
	compose: () => 'Choose what is spent, and who receives',
	convert: ({ destination }: Chains) => `Turn it into a burn for ${destination}`,
	fund: () => 'Add the fee and the change',
	burn: ({ source, tokenid }: Chains) => `Burn the ${tokenid ? 'token' : 'coins'} on ${source}`,
	'burn-confirmed': ({ source }: Chains) => `A block of ${source} holds the burn`,
	'back-notarization': ({ source }: Chains) => `Notaries record ${source} on KMD and report back`,
	approvals: ({ destination }: Chains) => `Five notaries approve the burn on ${destination}`,
	'import-built': () => 'Build the import with its proof',
	completion: ({ destination }: Chains) =>
		`Complete the proof on KMD with ${destination}'s notarization`,
	'target-notarization': ({ destination }: Chains) =>
		`Notaries record the proof's root on ${destination}`,
	'import-sent': ({ destination }: Chains) => `Send the import to ${destination}`,
	'import-confirmed': ({ destination }: Chains) => `A block of ${destination} holds the import`
} as const;

/** What happens in a step that has not begun, and how long it takes on a chain with minute blocks. */
export const STEPS_AHEAD = {
	compose: { detail: 'An unsigned transaction that pays the recipients.', takes: 'at once' },
	convert: { detail: 'What it pays becomes what the import will pay.', takes: 'at once' },
	fund: { detail: 'The burn stays the last output.', takes: 'at once' },
	burn: { detail: 'From here on it cannot be taken back.', takes: 'at once' },
	'burn-confirmed': { detail: 'The burn is mined like any transaction.', takes: 'about a block' },
	'back-notarization': {
		detail: 'The burn counts once its block lies in a notarized range.',
		takes: 'until the next notarization'
	},
	approvals: {
		detail:
			'The burn is published with its amount and recipient; each notary answers with a transaction.',
		takes: 'up to the notaries'
	},
	'import-built': { detail: 'Komodeck asks the source chain for the proof.', takes: 'at once' },
	completion: {
		detail: 'The proof is extended to the root over all chains.',
		takes: 'until the next notarization'
	},
	'target-notarization': {
		detail: 'The destination accepts a proof once it knows its root.',
		takes: 'one or two notarizations'
	},
	'import-sent': { detail: 'It is created on the destination chain.', takes: 'at once' },
	'import-confirmed': { detail: 'Then it can be spent.', takes: 'about a block' }
} as const;

/** Who acts in a step. */
export const STEP_ACTORS = {
	confirms: () => 'you confirm, Komodeck sends',
	approves: () => 'you approve, Komodeck sends',
	'two-approve': () => 'two people approve, Komodeck sends',
	miners: (chain: string) => `miners of ${chain}`,
	notaries: () => 'notaries',
	engine: () => 'Komodeck'
} as const;

/** What a fact of a step is called. */
export const FACT_LABELS = {
	transaction: 'Transaction',
	block: 'Block',
	proof: 'Proof',
	notarization: 'Notarization on KMD',
	mom: 'Root of block roots',
	momom: 'Root over all chains',
	approvals: 'Approvals',
	offset: 'Offset'
} as const;
