/** Texts of the JSON API's description about notary approvals. */
export const notaryApprovalApi = {
	fields: {
		burnTxHex: 'The signed burn',
		payouts: 'Serialized outputs of the import',
		targetCCid: 'CCid of both chains (ac_cc)',
		tokenid: 'Only for a token',
		amount: 'Eight decimals; for a token, base units',
		time: 'UTC, ISO 8601',
		open: 'Still collects approvals',
		state: 'prepared, unknown, pending, mined or gone',
		notary: 'Compressed public key, hex',
		commands: 'Commands for a notary operator, in order',
		next: 'Address of the next page; null on the last page',
		message: 'A sentence for people'
	},
	txid: 'Txid of the published burn',
	after: 'The value of `next`',
	feed: { summary: 'Published burns waiting for approvals, newest first', page: 'A page of burns' },
	one: { summary: 'A published burn with its approvals', found: 'The burn' },
	submit: {
		summary: 'Submit the txid of an approval; it is looked up on the destination first',
		found: 'Found on the destination',
		kept: 'Stored; looked up later',
		notATxid: 'The body is not a txid',
		closed: 'The notary has already approved the burn, or it needs no approvals',
		tooLarge: 'The body is too large',
		noApproval: 'The transaction is not an approval of this burn',
		tooMany: 'Too many txids; see Retry-After',
		offline: 'The destination is offline'
	},
	unknown: 'No published burn has this txid'
} as const;
