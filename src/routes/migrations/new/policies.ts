/** What may happen when the proof is complete, as the forms offer it. */
export const policies = [
	{ value: 'automatic', label: 'Finish by itself' },
	{ value: 'ask', label: 'Ask me before the import is sent' },
	{ value: 'ask-two', label: 'Ask two people before the import is sent' }
];

/** What the destination is shown as proof of a burn of coins. */
export const proofs = [
	{ value: 'notarizations', label: 'Notarizations, as usual' },
	{ value: 'approvals', label: 'Approvals of five notaries: the burn is published for them' }
];

/** The chains of a select, with a first line that is no choice. */
export const chainOptions = (chains: readonly string[]) => [
	{ value: '', label: 'Choose a chain', disabled: true },
	...chains.map((chain) => ({ value: chain, label: chain }))
];
