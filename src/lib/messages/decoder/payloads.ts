/** Meanings of the parts of payloads and proofs. */
import type { PayloadMeanings } from '#lib/chain/explain/meaning.ts';
import { plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { moduleName } from './values.ts';
import type { Words } from './words.ts';

export const PAYLOAD_WORDS: Words<PayloadMeanings> = {
	'stored-backwards': () => 'Stored in reverse byte order, shown as a transaction ID.',
	'tokenid-forwards': () =>
		'The transaction that created the token. Not in reverse byte order, unlike other transaction IDs.',
	'nested-too-deep': () => 'Nested too deeply to be decoded here.',
	'self-import-mark': () => 'Marks a self-import.',
	'payouts-hash': () => 'The import must create exactly the outputs with this hash.',
	'empty-source': () => 'Empty, as in a self-import.',
	'self-import-burn': () => 'Takes the place of the burn in a self-import.',
	'burn-payload': ({ of, source, target, ccid }) =>
		`Burns ${of === 'tokens' ? 'tokens' : 'coins'} of ${visibleText(source) || 'an unnamed chain'} for import on ${visibleText(target)} (CCid ${ccid}).`,
	'kmd-notarization': () => 'In a self-import, this is the source transaction.',
	'branch-index': () => 'Bit k is the side at level k: 0 is left, 1 is right.',
	'proof-branch': () => 'A Merkle branch up to a notarization.',
	'proof-approvals': () => 'Notary approvals on the destination chain.',
	'proof-merkle-block': () => 'A Merkle block. No chain accepts this kind of proof.',
	'approvals-needed': () => 'At least five different notaries are required.',
	'branch-proof': ({ steps }) =>
		`Leads from a transaction to a notarization in ${plural(steps, 'step')}. The proof does not name the transaction.`,
	'import-payload': ({ root }) =>
		root === null
			? 'Names the burn that is paid out here, and proves it.'
			: `Names the burn that is paid out here. Its branch leads to the root ${root}, which a notarization must contain.`,
	'import-proof': () => 'Proves to the destination chain of a migration that the burn happened.',
	'data-module': (params) => `Belongs to the module ${moduleName(params.eval)}.`,
	'creates-token': ({ name }) => `Creates the token ${visibleText(name)}.`,
	'moves-token': ({ tokenid }) => `Transfers units of the token ${tokenid}.`,
	'announces-self-import': ({ amount }, coins) => `Announces a self-import of ${coins(amount)}.`,
	'chain-name': () => 'Ends with a zero byte.',
	mom: () => 'Merkle root of the Merkle roots of the blocks below.',
	'mom-depth': ({ blocks }) => `Covers ${plural(blocks, 'block')}.`,
	momom: () => 'Merkle root of the MoMs of all chains with this CCid.',
	notarization: ({ height, chain }) => `Notarizes block ${height} of ${visibleText(chain)}.`,
	'back-notarization': ({ height, chain }) =>
		`Records on ${visibleText(chain)} that its block ${height} is notarized on KMD.`,
	'notary-approval': () =>
		'Approves a burn as a notary: proves that the burn was confirmed on its chain.',
	payouts: ({ amount, outputs }, coins) =>
		`The outputs that an import creates: ${coins(amount)} in ${plural(outputs, 'output')}.`,
	'proof-unsound': () => 'Proves nothing: its hashes do not lead to the Merkle root of its header.',
	'proof-empty': () => 'This proof names no transaction.',
	'proof-found': ({ transactions, block }) =>
		`Proves that ${transactions === 1 ? 'this transaction is' : 'these transactions are'} in block ${block}.`
};
