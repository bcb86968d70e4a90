/** Errors of the migration methods. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const migrationErrors = [
	{ code: 'migration.ccid-too-low', says: '-ac_cc < KOMODO_FIRSTFUNGIBLEID', turn: 'nobody' },
	{ code: 'migration.not-on-kmd', says: /^Must be called on asset ?chain$/, turn: 'caller' },
	{ code: 'migration.only-on-kmd', says: 'Must be called on KMD', turn: 'caller' },
	{
		code: 'migration.not-set-up',
		says: 'You need to set -pubkey, or run setpukbey RPC, or imports are disabled on this chain.',
		turn: 'operator'
	},
	{
		code: 'migration.destination-name',
		says: 'targetSymbol length must be >0 and <=32',
		turn: 'caller'
	},
	{ code: 'migration.same-chain', says: 'cant send a coin to the same chain', turn: 'caller' },
	{
		code: 'migration.amount-not-positive',
		says: 'Cannot export a negative or zero value.',
		turn: 'caller'
	},
	{
		code: 'migration.amount-above-million',
		says: 'Cannot export more than 1 million coins per export.',
		turn: 'caller'
	},
	{
		code: 'migration.no-token-support',
		says: 'There is no tokens support on LABS.',
		turn: 'nobody'
	},
	{
		code: 'migration.burn-funds',
		says: 'not enough funds, or need to merge utxos first',
		turn: 'caller'
	},
	{ code: 'migration.destination-address', says: 'Incorrect destination addr.', turn: 'caller' },
	{ code: 'migration.token-unknown', says: 'Could not load token creation tx', turn: 'caller' },
	{
		code: 'migration.token-not-a-creation',
		says: /^(?:No vouts in token tx|Incorrect token creation tx)$/,
		turn: 'caller'
	},
	{
		code: 'migration.token-amount',
		says: 'For non-fungible tokens amount should be equal to 1.',
		turn: 'caller'
	},
	{ code: 'migration.destination-pubkey', says: 'Invalid destination pubkey', turn: 'caller' },
	{ code: 'migration.fee-funds', says: 'No normal input found for two txfee', turn: 'caller' },
	{
		code: 'migration.token-inputs',
		says: 'No token inputs found (please try to consolidate tokens)',
		turn: 'caller'
	},
	{
		code: 'migration.too-many-outputs',
		says: 'Cannot have more than 50 vins, transaction too large.',
		turn: 'caller'
	},
	{ code: 'migration.burn-unreadable', says: "Couldn't parse burnTx", turn: 'caller' },
	{ code: 'migration.burn-empty', says: /^No (?:vins|vouts) in the burnTx$/, turn: 'caller' },
	{ code: 'migration.payouts-unreadable', says: "Couldn't parse payouts", turn: 'caller' },
	{ code: 'migration.approval-txid', says: 'Incorrect notary approval txid', turn: 'caller' },
	{ code: 'migration.transaction-unknown', says: 'cannot find transaction', turn: 'caller' },
	{ code: 'migration.transaction-pending', says: 'tx still in mempool', turn: 'chain' },
	{
		code: 'migration.not-notarized-back',
		says: 'backnotarisation not yet confirmed',
		turn: 'notaries'
	},
	{ code: 'migration.outside-mom', says: 'Failed merkle block->MoM', turn: 'nobody' },
	{ code: 'migration.block-index', says: 'Error locating tx in block', turn: 'operator' },
	{
		code: 'migration.proof-leads-elsewhere',
		says: /^(?:Failed merkle tx->block|Failed validating MoM)$/,
		turn: 'operator'
	},
	{
		code: 'migration.import-unreadable',
		says: /^Couldn't (?:parse|unmarshal) importTx$/,
		turn: 'caller'
	},
	{ code: 'migration.import-without-burn', says: "Couldn't unmarshal burnTx", turn: 'caller' },
	{ code: 'migration.import-not-completable', says: 'Incorrect import tx proof', turn: 'caller' },
	{ code: 'migration.notarization-unknown', says: 'Notarisation not found', turn: 'notaries' },
	{
		code: 'migration.destination-not-notarized',
		says: 'Cannot find notarisation for target inclusive of source',
		turn: 'notaries'
	},
	{ code: 'migration.too-few-moms', says: 'No MoMs found', turn: 'notaries' },
	{ code: 'migration.not-in-momom', says: "Couldn't find MoM within MoMoM set", turn: 'caller' },
	{ code: 'migration.proof-wrong', says: 'Proof check failed', turn: 'caller' },
	{ code: 'migration.burn-unknown', says: 'Cannot find burn transaction', turn: 'caller' },
	{ code: 'migration.burn-pending', says: 'Burn tx still in mempool', turn: 'chain' },
	{ code: 'migration.no-burn', says: 'Cannot unmarshal burn tx data', turn: 'caller' },
	{
		code: 'migration.burn-without-source',
		says: /^Cannot unmarshal rawproof for (?:tokens|coins)$/,
		turn: 'nobody'
	},
	{ code: 'migration.burn-output', says: 'No opreturn in burn tx', turn: 'nobody' },
	{ code: 'migration.burn-other-data', says: 'Incorrect eval code in opreturn', turn: 'nobody' },
	{
		code: 'migration.burn-token-data',
		says: 'Cannot decode token opret in burn tx',
		turn: 'nobody'
	},
	{ code: 'migration.burn-other-token', says: 'Incorrect tokenbase in burn tx', turn: 'nobody' },
	{ code: 'migration.burn-token-unknown', says: 'Could not load tokenbase tx', turn: 'chain' },
	{
		code: 'migration.burn-token-creation',
		says: /^(?:Could not decode opreturn in tokenbase tx|Incorrect tokenbase tx: not opreturn)$/,
		turn: 'nobody'
	},
	{ code: 'migration.token-fungible', says: 'Could not migrate fungible tokens', turn: 'nobody' },
	{
		code: 'migration.burn-token-units',
		says: 'Incorrect token burn tx: cc inputs <> cc outputs',
		turn: 'nobody'
	},
	{
		code: 'migration.burn-other-source',
		says: 'Incorrect source chain in rawproof',
		turn: 'nobody'
	},
	{ code: 'migration.burn-other-ccid', says: 'Incorrect CCid in burn tx', turn: 'nobody' },
	{
		code: 'migration.on-destination',
		says: 'Must not be called on the destination chain',
		turn: 'caller'
	},
	{ code: 'migration.burn-txid', says: "Couldn't parse burntxid or it is null", turn: 'caller' },
	{
		code: 'migration.approval-proof-unreadable',
		says: "Couldn't parse txoutproof",
		turn: 'caller'
	},
	{ code: 'migration.approval-proof-other', says: 'No burntxid in txoutproof', turn: 'caller' },
	{ code: 'migration.notary-funds', says: /^cannot find normal inputs$/i, turn: 'operator' },
	{
		code: 'migration.no-self-import',
		says: /^selfimport only works on -?ac_import chains$/i,
		turn: 'nobody'
	},
	{
		// The bare number -1: the chain's import mode is not PUBKEY. (Komodo daemon 0.9.0.)
		code: 'migration.other-import-mode',
		says: '-1',
		of: ['selfimport'],
		turn: 'nobody'
	},
	{
		code: 'migration.self-import-funds',
		says: 'Failed creating selfimport template tx',
		turn: 'operator'
	}
] as const satisfies readonly ErrorPattern[];

export type MigrationErrorCode = (typeof migrationErrors)[number]['code'];
