/** Descriptions of open work. */

const TRANSACTIONS = {
	'token-create': 'Token creation',
	'token-transfer': 'Token transfer',
	'token-burn': 'Token burn',
	'coin-send': 'Payment',
	merge: 'UTXO consolidation',
	split: 'UTXO split',
	claim: 'Interest claim',
	'self-import-source': 'Self-import source',
	'self-import': 'Self-import',
	'notary-approval': 'Notary approval'
} as const;

export type WorkSubject =
	| { code: 'migration'; params: { source: string; destination: string } }
	| { code: 'transaction'; params: { kind: keyof typeof TRANSACTIONS; chain: string } }
	| { code: 'batch-transfer'; params: { chain: string } }
	/** `name`: name of the token. */
	| { code: 'draft'; params: { name: string; chain: string } };

export function workMessage(subject: WorkSubject): string {
	switch (subject.code) {
		case 'migration':
			return `Migration from ${subject.params.source} to ${subject.params.destination}`;
		case 'transaction':
			return `${TRANSACTIONS[subject.params.kind]} on ${subject.params.chain}`;
		case 'batch-transfer':
			return `Batch transfer on ${subject.params.chain}`;
		case 'draft':
			return `Draft of the token ${subject.params.name} on ${subject.params.chain}`;
	}
}
