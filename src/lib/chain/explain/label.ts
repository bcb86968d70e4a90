/** What a part of some bytes is, as a code: its words are in `lib/messages/decoder`. */

/** Lists of shielded transactions. */
export type ShieldedItem = 'shielded-spend' | 'shielded-output' | 'joinsplit';

/** What a payload of an output may be. */
export type PayloadLabel =
	| 'token-payload'
	| 'burn'
	| 'import'
	| 'self-import-source'
	| 'back-notarization'
	| 'notarization'
	| 'notary-approval';

/** What all of the bytes may be, when they are a whole structure. */
export type StructureLabel =
	| PayloadLabel
	| 'transaction'
	| 'txout-proof'
	| 'block'
	| 'block-header'
	| 'import-proof'
	| 'branch-proof'
	| 'payouts';

export type LabelCode =
	| StructureLabel
	| ShieldedItem
	| `${ShieldedItem}-count`
	// Scripts, keys and conditions.
	| 'output-script'
	| 'input-script'
	| 'script'
	| 'public-key'
	| 'fulfillment'
	| 'preimage'
	| 'threshold'
	| 'ed25519'
	| 'secp256k1'
	| 'module'
	| 'condition-part'
	| 'opened'
	| 'closed'
	| 'fingerprint'
	| 'cost'
	| 'subtypes'
	| 'module-code'
	| 'signature'
	| 'hash-type'
	| 'cut-off'
	// Blocks and proofs.
	| 'header'
	| 'version'
	| 'previous-block'
	| 'merkle-root'
	| 'sapling-root'
	| 'time'
	| 'target'
	| 'nonce'
	| 'solution'
	| 'transaction-count'
	| 'block-transactions'
	| 'hash-count'
	| 'hash'
	| 'flag-bits'
	// Transactions.
	| 'version-group'
	| 'input-count'
	| 'input'
	| 'output-count'
	| 'output'
	| 'lock-time'
	| 'expiry-height'
	| 'spent-transaction'
	| 'spent-output'
	| 'sequence'
	| 'value'
	| 'value-balance'
	| 'joinsplit-key'
	| 'joinsplit-signature'
	| 'binding-signature'
	// Payloads.
	| 'target-ccid'
	| 'target-chain'
	| 'payouts-hash'
	| 'source-description'
	| 'source-chain'
	| 'token-creation'
	| 'other-bytes'
	| 'kmd-notarization'
	| 'branch-index'
	| 'branch-hash-count'
	| 'branch-hash'
	| 'proof-kind'
	| 'merkle-block'
	| 'approval-count'
	| 'approval'
	| 'proof'
	| 'burn-transaction'
	| 'added-data'
	| 'data-kind'
	| 'data'
	| 'function'
	| 'creator'
	| 'name'
	| 'description'
	| 'tokenid'
	| 'key-count'
	| 'recipient-key'
	| 'amount'
	| 'notarized-block'
	| 'height'
	| 'chain'
	| 'mom'
	| 'mom-depth'
	| 'ccid'
	| 'momom'
	| 'momom-depth';

/** What a part is. `index`: its place among others of its kind, counted from zero. */
export type PartLabel =
	| { code: LabelCode; index?: number }
	/** The length in front of a part. */
	| { code: 'length'; of: LabelCode; index?: number }
	/** Data that a script pushes. */
	| { code: 'push'; bytes: number }
	/** Parts of which nothing is said, because there are too many. */
	| { code: 'more-parts'; parts: number }
	/** Steps of a script that are not listed. */
	| { code: 'more-steps'; steps: number }
	/** `name`: as the daemons write it, `OP_DUP`. */
	| { code: 'opcode'; name: string };
