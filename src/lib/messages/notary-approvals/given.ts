/** Texts about a submitted approval id, for people and scripts. */

const REFUSALS = {
	'not-an-id': () => 'A transaction ID has 64 hexadecimal digits.',
	absent: (chain: string) =>
		`${chain} does not know this transaction. Send the approval there first, then enter its ID again.`,
	'no-approval': () =>
		'This transaction is not an approval: it holds no proof of a burn. Enter the ID of the approval itself.',
	'other-burn': () => 'This transaction approves another burn.',
	unsound: () =>
		'The proof in this transaction is invalid: its hashes do not lead to the Merkle root of its block.',
	'no-notary': (chain: string) =>
		`The first input of this transaction is not signed by a notary of ${chain}, so it does not count.`,
	'enough-of-one': () => 'This notary has already approved the burn, and each notary counts once.',
	'too-many-unknown': (chain: string) =>
		`${chain} is offline, and many IDs are waiting for it already. Try again later.`,
	'no-such-burn': () => 'No published burn has this ID.',
	closed: () => 'This burn has been imported and needs no more approvals.',
	throttled: () => 'Too many IDs in a short time. Try again later.'
} as const;

/** Why an id was not accepted. */
export type RefusalCode = keyof typeof REFUSALS;

/** Renders why an id was not accepted, and what to do. @param chain the destination */
export const refusalText = (code: RefusalCode, chain: string): string => REFUSALS[code](chain);

const STATES = {
	prepared: () => 'Built, not sent yet.',
	unknown: (chain: string) =>
		`${chain} is offline: the ID is kept, and looked up when the chain is back.`,
	pending: (chain: string) => `Waiting for a block of ${chain}. It counts once it is confirmed.`,
	mined: () => 'Confirmed.',
	gone: (chain: string) =>
		`${chain} no longer knows this approval: its block was orphaned. It will be looked up again.`
} as const;

/** Renders the state of a submitted approval. @param chain the destination */
export const stateText = (state: keyof typeof STATES, chain: string): string =>
	STATES[state](chain);

/** Client errors of scripts. */
export const REQUESTS = {
	'too-large': 'The request body is too large: it holds only a transaction ID.',
	'bad-body': 'Send JSON with the ID of the approval: {"txid":"…"}.'
} as const;
