/** Names of the steps of a migration, and descriptions of those that have not begun. */

interface Chains {
	source: string;
	destination: string;
	/** Null when coins are migrated. */
	tokenid: string | null;
}

export const STEP_TITLES = {
	compose: () => 'Select inputs and recipients',
	convert: ({ destination }: Chains) => `Convert to a burn for ${destination}`,
	fund: () => 'Add fee and change',
	burn: ({ source, tokenid }: Chains) => `Burn ${tokenid ? 'token' : source} on ${source}`,
	'burn-confirmed': ({ source }: Chains) => `Burn confirmed on ${source}`,
	'back-notarization': ({ source }: Chains) => `${source} notarized on KMD`,
	approvals: ({ destination }: Chains) => `Five notaries approve the burn on ${destination}`,
	'import-built': () => 'Create import proof',
	completion: () => 'Complete proof on KMD',
	'target-notarization': ({ destination }: Chains) => `Proof notarized on ${destination}`,
	'import-sent': ({ destination }: Chains) => `Send import to ${destination}`,
	'import-confirmed': ({ destination }: Chains) => `Import confirmed on ${destination}`
} as const;

/** Descriptions of steps that have not begun, with the usual duration when none was measured. */
export const STEPS_AHEAD = {
	compose: { detail: 'An unsigned transaction that pays the recipients.', takes: 'instantly' },
	convert: { detail: 'What it pays becomes what the import will pay.', takes: 'instantly' },
	fund: { detail: 'The burn stays the last output.', takes: 'instantly' },
	burn: { detail: 'Irreversible from here on.', takes: 'instantly' },
	'burn-confirmed': { detail: 'The burn is mined like any transaction.', takes: '~1 block' },
	'back-notarization': {
		detail: 'Notaries record the block of the burn on KMD and write the result back.',
		takes: 'depends on notaries'
	},
	approvals: {
		detail:
			'The burn is published with its amount and recipient. Each notary answers with a transaction.',
		takes: 'depends on notaries'
	},
	'import-built': {
		detail: 'Komodeck requests the proof from the source chain.',
		takes: 'instantly'
	},
	completion: {
		detail: 'The proof is extended to the MoMoM of the destination’s notarization.',
		takes: 'depends on notaries'
	},
	'target-notarization': {
		detail: 'The destination accepts a proof once its own notarization holds the MoMoM.',
		takes: 'depends on notaries'
	},
	'import-sent': { detail: 'The coins are created on the destination.', takes: 'instantly' },
	'import-confirmed': { detail: 'Spendable from then on.', takes: '~1 block' }
} as const;

/** Who acts in a step. */
export const STEP_ACTORS = {
	confirms: () => 'You · Komodeck',
	approves: () => 'You · Komodeck',
	'two-approve': () => 'Two members · Komodeck',
	miners: (chain: string) => `Miners of ${chain}`,
	notaries: () => 'Notaries',
	engine: () => 'Komodeck'
} as const;

/** Values of facts that are no figures. */
export const FACT_VALUES = {
	proof: 'as a tree',
	approvals: (counted: number, needed: number): string => `${counted} of ${needed}`
} as const;

/** Labels of the facts of a step. */
export const FACT_LABELS = {
	transaction: 'Transaction',
	block: 'Block',
	proof: 'Proof',
	notarization: 'Notarization on KMD',
	mom: 'MoM',
	momom: 'MoMoM',
	approvals: 'Approvals',
	offset: 'Offset'
} as const;
