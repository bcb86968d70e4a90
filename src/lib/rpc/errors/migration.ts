/** Refusals of the migration methods. (Komodo daemon 0.9.0.) */
import type { ErrorText, Turn } from './entry.ts';

const row = (says: string | RegExp, what: string, turn: Turn, next: string): ErrorText => ({
	says,
	what,
	turn,
	next
});

const CHECK_BURN =
	'Take the burn as it was built, byte for byte; another transaction cannot be imported.';
const PUBLISHED = 'Look at the txid and the chain, and refuse the burn when they are right.';
const TOKENS = 'Release 0.9.0 does not carry tokens: do not burn them for a migration.';

export const migrationErrors: readonly ErrorText[] = [
	row(
		'-ac_cc < KOMODO_FIRSTFUNGIBLEID',
		'The coins of this chain cannot be moved: its CCid (ac_cc) is below 100.',
		'nobody',
		'A migration needs two chains that were started with the same ac_cc above 100.'
	),
	row(
		/^Must be called on asset ?chain$/,
		'This step belongs on an asset chain, and this daemon serves KMD.',
		'caller',
		'Ask the daemon of the chain on which the coins are burned or approved.'
	),
	row(
		'Must be called on KMD',
		'A proof is completed on KMD only, and this daemon serves another chain.',
		'caller',
		'Ask the daemon of KMD.'
	),
	row(
		'You need to set -pubkey, or run setpukbey RPC, or imports are disabled on this chain.',
		'The daemon has no pubkey of its own, an index is missing, or the chain takes no imports.',
		'operator',
		'Start it with pubkey, addressindex=1 and spentindex=1.'
	),
	row(
		'targetSymbol length must be >0 and <=32',
		'The name of the destination is empty or longer than 32 letters.',
		'caller',
		'Give the destination’s exact name.'
	),
	row(
		'cant send a coin to the same chain',
		'Source and destination are the same chain.',
		'caller',
		'Choose another destination.'
	),
	row(
		'Cannot export a negative or zero value.',
		'The amount is zero, negative or not a number.',
		'caller',
		'Give an amount above zero.'
	),
	row(
		'Cannot export more than 1 million coins per export.',
		'One burn carries at most 1,000,000 coins.',
		'caller',
		'Split the amount over several migrations.'
	),
	row(
		'There is no tokens support on LABS.',
		'This release builds token burns for no chain but LABS, which in turn takes none.',
		'nobody',
		TOKENS
	),
	row(
		'not enough funds, or need to merge utxos first',
		'The wallet has not the amount and 0.0001 coins more in at most 10 outputs.',
		'caller',
		'Merge the wallet’s small outputs, or burn less.'
	),
	row(
		'Incorrect destination addr.',
		'The destination address is none, or not of a plain key (addresses of scripts are refused).',
		'caller',
		'Use an address of a wallet on the destination chain.'
	),
	row(
		'Could not load token creation tx',
		'The chain has no transaction with this token id.',
		'caller',
		'Check the token id and the chain.'
	),
	row(
		/^(?:No vouts in token tx|Incorrect token creation tx)$/,
		'The token id is not that of a token’s creation.',
		'caller',
		'Use the txid of the creation.'
	),
	row(
		'For non-fungible tokens amount should be equal to 1.',
		'A token that is one of a kind can only be moved whole.',
		'caller',
		'Set the amount to 1.'
	),
	row(
		'Invalid destination pubkey',
		'Tokens are moved to a pubkey, and this is none.',
		'caller',
		'Give the 66 digits of the receiver’s pubkey, not an address.'
	),
	row(
		'No normal input found for two txfee',
		'The wallet lacks 0.0002 coins for the fees of the burn.',
		'caller',
		'Send the wallet some coins.'
	),
	row(
		'No token inputs found (please try to consolidate tokens)',
		'The daemon’s own key has no confirmed units of this token, or in too many outputs.',
		'caller',
		'Wait for a block, or send the units to yourself once to merge them.'
	),
	row(
		'Cannot have more than 50 vins, transaction too large.',
		'The transaction to convert pays more than 25 outputs.',
		'caller',
		'Split it.'
	),
	row("Couldn't parse burnTx", 'The burn is not one whole transaction.', 'caller', CHECK_BURN),
	row(
		/^No (?:vins|vouts) in the burnTx$/,
		'The burn has no inputs or no outputs.',
		'caller',
		CHECK_BURN
	),
	row(
		"Couldn't parse payouts",
		'The payouts are not a whole list of outputs.',
		'caller',
		'Take the payouts that were given together with the burn.'
	),
	row(
		'Incorrect notary approval txid',
		'One of the approvals is not a transaction id.',
		'caller',
		'Give the 64 digits of each approval’s txid.'
	),
	row(
		'cannot find transaction',
		'The chain does not know the transaction.',
		'caller',
		'See that it was sent, and that this daemon serves its chain.'
	),
	row(
		'tx still in mempool',
		'The transaction waits for a block.',
		'chain',
		'Try again after the next block.'
	),
	row(
		'backnotarisation not yet confirmed',
		'No notarization that covers this block has come back to its chain yet.',
		'notaries',
		'Wait for the next notarization and one block more, then try again. The burn is safe.'
	),
	row(
		'Failed merkle block->MoM',
		'The notarization that covers the block does not hold it: the block is older than the notarized range.',
		'nobody',
		'A later notarization does not help. The backup route with approvals of notaries is left; the burn is safe.'
	),
	row(
		'Error locating tx in block',
		'The block does not hold the transaction where the daemon’s index says.',
		'operator',
		'Have the daemon’s index built again (reindex).'
	),
	row(
		/^(?:Failed merkle tx->block|Failed validating MoM)$/,
		'The daemon’s own proof does not lead where it should.',
		'operator',
		'Compare the daemon’s chain with another node; it may stand on a fork.'
	),
	row(
		/^Couldn't (?:parse|unmarshal) importTx$/,
		'This is not an import transaction.',
		'caller',
		'Take the ImportTxHex of the step before, whole.'
	),
	row(
		"Couldn't unmarshal burnTx",
		'The import holds no burn that can be read.',
		'caller',
		'Build the import again from the burn and its payouts.'
	),
	row(
		'Incorrect import tx proof',
		'The import holds no proof that can be completed, for example one with approvals.',
		'caller',
		'An import with approvals is complete already: send it on the destination chain.'
	),
	row(
		'Notarisation not found',
		'KMD’s daemon does not know the notarization that the proof names, or it is in no block yet.',
		'notaries',
		'Wait for KMD’s next block. If it stays so, build the import again: KMD was reorganised.'
	),
	row(
		'Cannot find notarisation for target inclusive of source',
		'The destination has not been notarized on KMD since the burn’s notarization.',
		'notaries',
		'Wait for the next notarization of the destination, then try again.'
	),
	row(
		'No MoMs found',
		'Fewer than seven notarizations of the destination are within the last 1440 blocks of KMD, or the offset leads outside the chain.',
		'notaries',
		'Wait for more notarizations of the destination, or use offset 0.'
	),
	row(
		"Couldn't find MoM within MoMoM set",
		'The burn’s notarization is not among those that this notarization of the destination sums up.',
		'caller',
		'Try the next offset. If none fits, the burn came before the destination was notarized or the CCids differ; the backup route is left.'
	),
	row(
		'Proof check failed',
		'The completed proof does not lead to its root.',
		'caller',
		'Try another offset, or build the import again from the burn.'
	),
	row(
		'Cannot find burn transaction',
		'The chain does not know the burn.',
		'caller',
		'Check the txid, and that this daemon serves the chain on which it was burned.'
	),
	row(
		'Burn tx still in mempool',
		'The burn waits for a block.',
		'chain',
		'Try again after the next block.'
	),
	row(
		'Cannot unmarshal burn tx data',
		'The transaction is not a burn: its last output says nothing about a migration.',
		'caller',
		PUBLISHED
	),
	row(
		/^Cannot unmarshal rawproof for (?:tokens|coins)$/,
		'The burn does not say from which chain it comes.',
		'nobody',
		PUBLISHED
	),
	row(
		/^(?:Cannot decode token opret in burn tx|Incorrect eval code in opreturn|No opreturn in burn tx)$/,
		'The last output of the transaction is not that of a burn.',
		'nobody',
		PUBLISHED
	),
	row(
		/^(?:Incorrect tokenbase in burn tx|Could not load tokenbase tx|Could not decode opreturn in tokenbase tx|Incorrect tokenbase tx: not opreturn)$/,
		'The token that the burn names cannot be traced to its creation.',
		'nobody',
		PUBLISHED
	),
	row(
		'Could not migrate fungible tokens',
		'The burned token is not one of a kind, and only such tokens are carried over.',
		'nobody',
		'There is no route for it.'
	),
	row(
		'Incorrect token burn tx: cc inputs <> cc outputs',
		'The burn takes more or fewer units than it destroys.',
		'nobody',
		PUBLISHED
	),
	row(
		'Incorrect source chain in rawproof',
		'The burn names another source chain than the one it is on.',
		'nobody',
		PUBLISHED
	),
	row(
		'Incorrect CCid in burn tx',
		'The burn names another CCid than its chain has.',
		'nobody',
		PUBLISHED
	),
	row(
		'Must not be called on the destination chain',
		'This daemon serves the destination; the burn is checked where it was made.',
		'caller',
		'Ask the daemon of the source chain.'
	),
	row(
		"Couldn't parse burntxid or it is null",
		'The id of the burn is missing or zero.',
		'caller',
		'Give its 64 digits.'
	),
	row(
		"Couldn't parse txoutproof",
		'The proof of the burn cannot be read to its end.',
		'caller',
		'Take the TxOutProof that the check of the burn gave, whole.'
	),
	row(
		'No burntxid in txoutproof',
		'The proof is about other transactions than this burn.',
		'caller',
		'Take proof and txid of the same check.'
	),
	{
		says: /^cannot find normal inputs$/i,
		what: 'The notary’s wallet lacks 0.0002 coins in at most 4 outputs.',
		turn: 'operator',
		next: 'Send the notary’s address some coins.'
	},
	row(
		'selfimport only works on -ac_import chains',
		'This chain was not started with ac_import=PUBKEY, so nobody can create coins on it.',
		'nobody',
		'Use a chain that was started for it.'
	),
	row(
		'Failed creating selfimport template tx',
		'The wallet cannot pay the fee from the address of the chain’s ac_pubkey.',
		'operator',
		'Use the daemon that holds only this key, and send its address some coins.'
	)
];
