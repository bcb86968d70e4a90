/** Names of the parts of decoded bytes. */
import type { LabelCode, PartLabel } from '#lib/chain/explain/label.ts';
import { plural } from '#lib/text/plural.ts';

const LABELS: Readonly<Record<LabelCode, string>> = {
	transaction: 'Transaction',
	'txout-proof': 'Proof of gettxoutproof',
	block: 'Block',
	'block-header': 'Block header',
	'token-payload': 'Token payload',
	burn: 'Burn',
	import: 'Import',
	'self-import-source': 'Self-import source',
	'back-notarization': 'Back-notarization',
	notarization: 'Notarization',
	'notary-approval': 'Notary approval',
	'import-proof': 'Import proof',
	'branch-proof': 'Proof of assetchainproof',
	payouts: 'Payouts',
	'shielded-spend': 'Shielded spend',
	'shielded-spend-count': 'Number of shielded spends',
	'shielded-output': 'Shielded output',
	'shielded-output-count': 'Number of shielded outputs',
	joinsplit: 'JoinSplit',
	'joinsplit-count': 'Number of JoinSplits',
	'output-script': 'Output script',
	'input-script': 'Input script',
	script: 'Script',
	'public-key': 'Public key',
	fulfillment: 'Fulfillment of a crypto-condition',
	preimage: 'Preimage',
	threshold: 'Threshold',
	ed25519: 'Ed25519 signature',
	secp256k1: 'secp256k1 signature',
	module: 'Contract module',
	'condition-part': 'Part',
	opened: 'Fulfilled',
	closed: 'Not fulfilled',
	fingerprint: 'Fingerprint',
	cost: 'Cost',
	subtypes: 'Subtypes',
	'module-code': 'Eval code',
	signature: 'Signature',
	'hash-type': 'Hash type',
	'cut-off': 'Cut off',
	header: 'Header',
	version: 'Version',
	'previous-block': 'Previous block',
	'merkle-root': 'Merkle root',
	'sapling-root': 'Sapling root',
	time: 'Time',
	target: 'Target',
	nonce: 'Nonce',
	solution: 'Solution',
	'transaction-count': 'Number of transactions',
	'block-transactions': 'Transactions in the block',
	'hash-count': 'Number of hashes',
	hash: 'Hash',
	'flag-bits': 'Flag bits',
	'version-group': 'Version group ID',
	'input-count': 'Number of inputs',
	input: 'Input',
	'output-count': 'Number of outputs',
	output: 'Output',
	'lock-time': 'Lock time',
	'expiry-height': 'Expiry height',
	'spent-transaction': 'Spent transaction',
	'spent-output': 'Spent output',
	sequence: 'Sequence',
	value: 'Value',
	'value-balance': 'Value balance',
	'joinsplit-key': 'JoinSplit public key',
	'joinsplit-signature': 'JoinSplit signature',
	'binding-signature': 'Binding signature',
	'target-ccid': 'Destination CCid',
	'target-chain': 'Destination chain',
	'payouts-hash': 'Payouts hash',
	'source-description': 'Source description',
	'source-chain': 'Source chain',
	'token-creation': 'Token creation transaction',
	'other-bytes': 'Other bytes',
	'kmd-notarization': 'Notarization on KMD',
	'branch-index': 'Branch index',
	'branch-hash-count': 'Number of branch hashes',
	'branch-hash': 'Branch hash',
	'proof-kind': 'Kind of proof',
	'merkle-block': 'Merkle block',
	'approval-count': 'Number of approvals',
	approval: 'Approval',
	proof: 'Proof',
	'burn-transaction': 'Burn transaction',
	'added-data': 'Added data',
	'data-kind': 'Kind of data',
	data: 'Data',
	function: 'Function',
	creator: 'Creator',
	name: 'Name',
	description: 'Description',
	tokenid: 'Token ID',
	'key-count': 'Number of public keys',
	'recipient-key': 'Public key of recipient',
	amount: 'Amount',
	'notarized-block': 'Notarized block',
	height: 'Height',
	chain: 'Chain',
	mom: 'MoM',
	'mom-depth': 'MoM depth',
	ccid: 'CCid',
	momom: 'MoMoM',
	'momom-depth': 'MoMoM depth'
};

/** Returns a label for use within a sentence: `token payload`, `MoM`. */
export function labelInSentence(code: LabelCode): string {
	const label = LABELS[code];
	return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Returns the label of a part: `Output 0`. */
export function labelMessage(label: PartLabel): string {
	switch (label.code) {
		case 'push':
			return `Push of ${plural(label.bytes, 'byte')}`;
		case 'more-parts':
			return plural(label.parts, 'more part');
		case 'more-steps':
			return plural(label.steps, 'more step');
		case 'opcode':
			return label.name;
		default: {
			const name =
				label.code === 'length' ? `Length of ${labelInSentence(label.of)}` : LABELS[label.code];
			return label.index === undefined ? name : `${name} ${label.index}`;
		}
	}
}
