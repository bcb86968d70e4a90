/** Meanings of the parts of blocks and transactions, and purposes of transactions. */
import type { TransactionMeanings } from '#lib/chain/explain/meaning.ts';
import { amountProse } from '#lib/text/amounts.ts';
import { plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { moment, type Words } from './words.ts';

const payoutsNote = (matches: boolean): string =>
	matches ? '' : ' Its payouts are not those that the burn names: no chain accepts it.';

export const TRANSACTION_WORDS: Words<TransactionMeanings> = {
	block: ({ seconds, transactions }) =>
		`A block of ${moment(seconds)} with ${plural(transactions, 'transaction')}.`,
	'block-header': ({ seconds }) => `A block header of ${moment(seconds)}.`,
	'merkle-root': () => 'Merkle root of the transaction IDs of the block.',
	moment: ({ seconds }) => moment(seconds),
	target: () => 'The difficulty of the block, in compact form.',
	solution: ({ bytes }) => `The Equihash solution, ${plural(bytes, 'byte')}.`,
	'pre-overwinter': () => 'The format before Overwinter. Chains reject it since Sapling.',
	overwinter: () => 'The Overwinter format.',
	sapling: () => 'The Sapling format.',
	'no-lock': () => 'None.',
	'lock-height': ({ height }) =>
		`Cannot be confirmed before block ${height}, unless every sequence is at its maximum.`,
	'lock-moment': ({ seconds }) =>
		`Cannot be confirmed before ${moment(seconds)}, unless every sequence is at its maximum.`,
	'expires-never': () => 'Never expires.',
	expires: ({ height }) => `Cannot be confirmed after block ${height}.`,
	'new-coins': () => 'None: these coins are new.',
	'import-mark': () => 'Marks an import; there is no such output.',
	'coinbase-script': () => 'The block height, then any data of the miner.',
	'import-script': () => 'The import module opens this input; there is no signature.',
	'units-in-satoshi': ({ units }) =>
		`${plural(units, 'base unit')} of the token, each kept in one satoshi.`,
	'new-tokens': () => 'The new tokens, for their creator.',
	'new-tokens-elsewhere': () => 'New tokens, for another public key than the creator’s.',
	'recipient-tokens': () => 'Tokens for the recipient that the payload names.',
	'burned-tokens': () => 'Burned tokens: the burn key can never spend them.',
	'other-tokens': () => 'Tokens for a public key that the payload does not name, usually change.',
	'token-marker': () => 'The marker by which the token is listed.',
	'global-output': () => 'An output of the global key of the tokens module.',
	'value-balance': ({ amount }) =>
		amount === 0n ? 'Nothing leaves the shielded pool.' : 'Leaves the shielded pool.',
	coinbase: () => 'A coinbase: the new coins and the fees of a block.',
	'token-burn': ({ source, target, ccid }) =>
		`Burns tokens of ${visibleText(source)} for import on ${visibleText(target)} (CCid ${ccid}).`,
	burn: ({ amount, fee, source, target, ccid }) =>
		`Burns ${amountProse(amount)} ${visibleText(source)} for import on ${visibleText(target)} (CCid ${ccid}). The import fee of ${amountProse(fee)} ${visibleText(source)} is included.`,
	'self-import-object': ({ amount }, coins) =>
		`Takes the place of the burn in a self-import of ${coins(amount)}.`,
	'self-import-source': ({ amount }, coins) => `The source of a self-import of ${coins(amount)}.`,
	'self-import': ({ amount, matches }, coins) =>
		`A self-import of ${coins(amount)}.${payoutsNote(matches)}`,
	import: ({ amount, source, target, approvals, matches }) => {
		const what = amount === null ? 'tokens' : `${amountProse(amount)} ${visibleText(source)}`;
		const from = amount === null ? ` of ${visibleText(source)}` : '';
		const proof =
			approvals === null
				? 'proven through notarizations'
				: `with ${plural(approvals, 'notary approval')}`;
		return `Imports ${what}${from} on ${visibleText(target)}, ${proof}.${payoutsNote(matches)}`;
	},
	'import-unreadable': () => 'Looks like an import, but its burn cannot be decoded.',
	'token-created': ({ name, nft }) =>
		`Creates the ${nft ? 'non-fungible ' : ''}token ${visibleText(name)}. The ID of this transaction is its token ID.`,
	payment: ({ amount, inputs, outputs }, coins) =>
		`Pays ${coins(amount)} in total, from ${plural(inputs, 'input')} to ${plural(outputs, 'output')}.`
};
