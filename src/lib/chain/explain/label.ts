/** Codes that name the parts of explained bytes. The texts are in `lib/messages/decoder`. */

/** Elements of the lists in shielded transactions. */
export type ShieldedItem = 'shielded-spend' | 'shielded-output' | 'joinsplit';

/** Kinds of OP_RETURN payloads. */
export type PayloadLabel =
	| 'token-payload'
	| 'burn'
	| 'import'
	| 'self-import-source'
	| 'back-notarization'
	| 'notarization'
	| 'notary-approval';

/** Structures that all of the bytes together may be. */
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
	// Scripts, keys and crypto-conditions.
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

/** Label of a part. `index`: position among parts with the same code, from zero. */
export type PartLabel =
	| { code: LabelCode; index?: number }
	/** The length prefix of a part. */
	| { code: 'length'; of: LabelCode; index?: number }
	/** Data that a script pushes. */
	| { code: 'push'; bytes: number }
	/** Parts left out because there are too many. */
	| { code: 'more-parts'; parts: number }
	/** Script steps left out because there are too many. */
	| { code: 'more-steps'; steps: number }
	/** `name`: as daemons write it, for example `OP_DUP`. */
	| { code: 'opcode'; name: string };
