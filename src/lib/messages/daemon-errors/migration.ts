import type { MigrationErrorCode } from '#lib/rpc/errors/migration.ts';
import type { ErrorWords } from './words.ts';

export const migration = {
	'migration.ccid-too-low': {
		what: 'The coins of this chain cannot migrate: its CCid (ac_cc) is below 100.',
		next: 'Both chains of a migration need the same ac_cc of 100 or higher.'
	},
	'migration.not-on-kmd': {
		what: 'This step runs on a smart chain, but this daemon serves KMD.',
		next: 'Call the daemon of the chain on which the coins are burned or approved.'
	},
	'migration.only-on-kmd': {
		what: 'A proof is completed on KMD only, but this daemon serves another chain.',
		next: 'Call the KMD daemon.'
	},
	'migration.not-set-up': {
		what: 'The daemon has no pubkey, an index is missing, or the chain does not accept imports.',
		next: 'Start it with pubkey, addressindex=1 and spentindex=1.'
	},
	'migration.destination-name': {
		what: 'The name of the destination is empty or longer than 32 characters.',
		next: 'Enter the exact name of the destination.'
	},
	'migration.same-chain': {
		what: 'Source and destination are the same chain.',
		next: 'Choose another destination.'
	},
	'migration.amount-not-positive': {
		what: 'The amount is zero, negative or not a number.',
		next: 'Enter an amount above zero.'
	},
	'migration.amount-above-million': {
		what: 'One burn can hold at most 1\u202f000\u202f000 coins.',
		next: 'Split the amount over several migrations.'
	},
	'migration.no-token-support': {
		what: 'This release builds token burns only for LABS, which does not accept them.',
		next: 'Release 0.9.0 does not migrate tokens: do not burn tokens for a migration.'
	},
	'migration.burn-funds': {
		what: 'The wallet does not have the amount plus 0.0001 coins in at most 10 outputs.',
		next: 'Consolidate the wallet’s UTXOs, or burn less.'
	},
	'migration.destination-address': {
		what: 'The destination address is invalid, or not the address of a plain key (script addresses are rejected).',
		next: 'Use an address of a wallet on the destination chain.'
	},
	'migration.token-unknown': {
		what: 'The chain has no transaction with this token ID.',
		next: 'Check the token ID and the chain.'
	},
	'migration.token-not-a-creation': {
		what: 'The token ID is not the txid of a token’s creation.',
		next: 'Use the txid of the token’s creation.'
	},
	'migration.token-amount': {
		what: 'An NFT can only migrate whole.',
		next: 'Set the amount to 1.'
	},
	'migration.destination-pubkey': {
		what: 'Tokens migrate to a public key, and this is not one.',
		next: 'Enter the 66 hex digits of the recipient’s public key, not an address.'
	},
	'migration.fee-funds': {
		what: 'The wallet has no UTXO of at least 0.0001 coins, from which the burn of a token takes the import fee.',
		next: 'Send coins to the wallet, or consolidate its UTXOs.'
	},
	'migration.token-inputs': {
		what: 'The daemon’s key has too few confirmed base units of this token, or has them in too many outputs: a burn takes at most 4, each with a quarter of them or more.',
		next: 'Wait for a block, or send them to yourself once to consolidate them.'
	},
	'migration.too-many-outputs': {
		what: 'The transaction to convert has more than 25 outputs.',
		next: 'Split the transaction.'
	},
	'migration.burn-unreadable': {
		what: 'The burn is not one complete transaction.',
		next: 'Use the burn exactly as it was built; another transaction cannot be imported.'
	},
	'migration.burn-empty': {
		what: 'The burn has no inputs or no outputs.',
		next: 'Use the burn exactly as it was built; another transaction cannot be imported.'
	},
	'migration.payouts-unreadable': {
		what: 'The payouts are not a complete list of outputs.',
		next: 'Use the payouts that were returned with the burn.'
	},
	'migration.approval-txid': {
		what: 'One of the approvals is not a txid.',
		next: 'Enter the 64 hex digits of each approval’s txid.'
	},
	'migration.transaction-unknown': {
		what: 'The chain does not know the transaction.',
		next: 'Check that the transaction was sent, and that this daemon serves its chain.'
	},
	'migration.transaction-pending': {
		what: 'The transaction is not confirmed yet.',
		next: 'Try again after the next block.'
	},
	'migration.not-notarized-back': {
		what: 'No notarization that covers this block has been recorded on its chain yet.',
		next: 'Wait for the next notarization and one more block, then try again. The burn is safe.'
	},
	'migration.outside-mom': {
		what: 'The notarization that covers the block does not include it: the block is older than the notarized range.',
		next: 'A later notarization does not help. Request notary approvals instead; the burn is safe.'
	},
	'migration.block-index': {
		what: 'The block does not have the transaction where the daemon’s index says.',
		next: 'Restart the daemon with -reindex.'
	},
	'migration.proof-leads-elsewhere': {
		what: 'The daemon’s own proof does not lead to the expected root.',
		next: 'Compare the daemon’s chain with another daemon; it may be on a fork.'
	},
	'migration.import-unreadable': {
		what: 'This is not an import transaction.',
		next: 'Use the complete ImportTxHex of the previous step.'
	},
	'migration.import-without-burn': {
		what: 'The import does not have a readable burn.',
		next: 'Build the import again from the burn and its payouts.'
	},
	'migration.import-not-completable': {
		what: 'The import has no proof that can be completed, for example because it uses notary approvals.',
		next: 'An import with notary approvals is already complete: send it on the destination chain.'
	},
	'migration.notarization-unknown': {
		what: 'The KMD daemon does not know the notarization that the proof names, or that notarization is not confirmed yet.',
		next: 'Wait for the next block of KMD. If the error remains, build the import again: KMD was reorganized.'
	},
	'migration.destination-not-notarized': {
		what: 'The destination has not been notarized on KMD since the burn’s notarization.',
		next: 'Wait for the next notarization of the destination, then try again.'
	},
	'migration.too-few-moms': {
		what: 'Fewer than seven notarizations of the destination are within the last 1440 blocks of KMD, or the offset leads outside the chain.',
		next: 'Wait for more notarizations of the destination, or use offset 0.'
	},
	'migration.not-in-momom': {
		what: 'The burn’s notarization is not covered by this notarization of the destination.',
		next: 'Try the next offset. If none fits, the burn is older than the destination’s notarizations or the CCids differ: request notary approvals instead.'
	},
	'migration.proof-wrong': {
		what: 'The completed proof does not lead to its root.',
		next: 'Try another offset, or build the import again from the burn.'
	},
	'migration.burn-unknown': {
		what: 'The chain does not know the burn.',
		next: 'Check the txid, and that this daemon serves the source chain.'
	},
	'migration.burn-pending': {
		what: 'The burn is not confirmed yet.',
		next: 'Try again after the next block.'
	},
	'migration.no-burn': {
		what: 'The transaction is not a burn: its last output does not describe a migration.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-without-source': {
		what: 'The burn does not name its source chain.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-output': {
		what: 'The last output of the transaction is not that of a burn.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-other-data': {
		what: 'The last output of the transaction holds data of another kind.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-token-data': {
		what: 'The token data of the burn cannot be read.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-other-token': {
		what: 'The burn names another token than it burns.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-token-unknown': {
		what: 'The chain does not know the creation of the burned token.',
		next: 'Wait until the daemon has all blocks, then check again. If it has them, reject the burn.'
	},
	'migration.burn-token-creation': {
		what: 'The creation of the burned token cannot be read.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.token-fungible': {
		what: 'The burned token is fungible; only NFTs can migrate.',
		next: 'This burn cannot be imported.'
	},
	'migration.burn-token-units': {
		what: 'The burn spends more or fewer base units than it burns.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-other-source': {
		what: 'The burn names a source chain other than its own.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.burn-other-ccid': {
		what: 'The burn names a CCid other than that of its chain.',
		next: 'Check the txid and the chain; if both are right, reject the burn.'
	},
	'migration.on-destination': {
		what: 'This daemon serves the destination, but a burn is checked on its source chain.',
		next: 'Call the daemon of the source chain.'
	},
	'migration.burn-txid': {
		what: 'The txid of the burn is missing or all zeros.',
		next: 'Enter its 64 hex digits.'
	},
	'migration.approval-proof-unreadable': {
		what: 'The proof of the burn is incomplete.',
		next: 'Use the complete TxOutProof that the check of the burn returned.'
	},
	'migration.approval-proof-other': {
		what: 'The proof covers other transactions than this burn.',
		next: 'Use the proof and the txid of the same check.'
	},
	'migration.notary-funds': {
		what: 'The notary’s wallet does not have 0.0002 coins in at most 4 outputs.',
		next: 'Send coins to the notary’s address.'
	},
	'migration.no-self-import': {
		what: 'This chain was not started with ac_import=PUBKEY, so coins cannot be created on it.',
		next: 'Use a chain that was started with ac_import=PUBKEY.'
	},
	'migration.other-import-mode': {
		what: 'This chain was started with another import mode than ac_import=PUBKEY, so selfimport creates nothing on it.',
		next: 'Use a chain that was started with ac_import=PUBKEY.'
	},
	'migration.self-import-funds': {
		what: 'The wallet cannot pay the fee from the address of the chain’s ac_pubkey.',
		next: 'Use the daemon that holds this key only, and send coins to its address.'
	}
} as const satisfies Record<MigrationErrorCode, ErrorWords>;
