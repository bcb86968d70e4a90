/**
 * Errors of `sendrawtransaction`: a reject code, a colon and the reason; some end with the script error in
 * parentheses. (Komodo daemon 0.9.0.)
 */
import type { Turn } from './entry.ts';

const broadcast = <Code extends string>(code: Code, says: string | RegExp, turn: Turn) =>
	({ code, says, of: ['sendrawtransaction'], turn }) as const;

export const broadcastErrors = [
	broadcast('broadcast.no-reason', '', 'caller'),
	broadcast('broadcast.import-not-accepted', /^(?:0: )?invalid-coin-import$/, 'notaries'),
	broadcast(
		'broadcast.token-signature-malformed',
		/^(?:\d+: )?mandatory-script-verify-flag-failed \(Crypto-Condition payload is invalid\)$/,
		'caller'
	),
	broadcast(
		'broadcast.script-failed',
		/^(?:\d+: )?(?:non-)?mandatory-script-verify-flag(?:-failed)?\b.*$/,
		'caller'
	),
	broadcast('broadcast.pays-more-than-spends', /^(?:\d+: )?bad-txns-in-belowout$/, 'caller'),
	broadcast(
		'broadcast.coinbase-immature',
		/^(?:\d+: )?bad-txns-premature-spend-of-coinbase$/,
		'chain'
	),
	broadcast(
		'broadcast.coinbase-shielded-only',
		/^(?:\d+: )?bad-txns-coinbase-spend-has-transparent-outputs$/,
		'caller'
	),
	broadcast('broadcast.locktime-too-old', /^(?:\d+: )?komodo-interest-invalid$/, 'caller'),
	broadcast(
		'broadcast.data-too-large',
		/^(?:\d+: )?(?:bad-txns-opret-too-big|opreturn too big)$/,
		'caller'
	),
	broadcast(
		'broadcast.malformed',
		/^(?:\d+: )?bad-txns-(?:vin-empty|vout-empty|inputs-duplicate|oversize|tx(?:out|in)total-toolarge|vout-negative|vout-toolarge|prevout-null|fee-\w+|inputvalues-outofrange|version-too-low|too-many-sigops|vpub(?:s-both-nonzero|_(?:old|new)-(?:negative|toolarge))|valuebalance-(?:nonzero|toolarge))$/,
		'caller'
	),
	broadcast(
		'broadcast.shielded-invalid',
		/^(?:\d+: )?(?:bad-txns-(?:joinsplit-(?:verification-failed|requirements-not-met)|invalid-joinsplit-signature|sapling-(?:spend-description|output-description|binding-signature)-invalid)|bad-(?:joinsplits|spend-description)-nullifiers-duplicate)$/,
		'caller'
	),
	broadcast(
		'broadcast.privacy-rule',
		/^(?:\d+: )?bad-txns-(?:ac(?:public|privacy|private)-chain|sprout-expired)$/,
		'caller'
	),
	broadcast('broadcast.expiry-too-high', /^(?:\d+: )?bad-tx-expiry-height-too-high$/, 'caller'),
	broadcast('broadcast.expired', /^(?:\d+: )?tx-overwinter-expired$/, 'caller'),
	broadcast(
		'broadcast.version-not-active',
		/^(?:\d+: )?(?:tx-overwinter-not-active|tx-overwinter-active|tx-overwinter(?:ed)?-flag-not-set|bad-tx-version-group-id|bad-sapling-tx-version-group-id|bad-overwinter-tx-version-group-id|bad-tx-(?:sapling|overwinter)-version-too-(?:low|high))$/,
		'operator'
	),
	broadcast('broadcast.import-script-length', /^(?:\d+: )?bad-cb-length$/, 'caller'),
	broadcast('broadcast.amount-too-large', /^(?:\d+: )?tx valueout is too big$/, 'caller'),
	broadcast('broadcast.mempool-conflict', /^(?:\d+: )?mempool conflict$/, 'chain'),
	broadcast('broadcast.already-imported', /^(?:\d+: )?import tombstone exists$/, 'caller'),
	broadcast('broadcast.already-have-coins', /^(?:\d+: )?already have coins$/, 'caller'),
	broadcast('broadcast.inputs-spent', /^(?:\d+: )?bad-txns-inputs-spent$/, 'caller'),
	broadcast('broadcast.script-not-relayed', /^(?:\d+: )?scriptpubkey$/, 'operator'),
	broadcast('broadcast.dust', /^(?:\d+: )?dust$/, 'caller'),
	broadcast('broadcast.several-data-outputs', /^(?:\d+: )?multi-op-return$/, 'caller'),
	broadcast(
		'broadcast.script-not-standard',
		/^(?:\d+: )?(?:bare-multisig|scriptsig-size|scriptsig-not-pushonly)$/,
		'caller'
	),
	broadcast('broadcast.not-final', /^(?:\d+: )?non-final$/, 'chain'),
	broadcast(
		'broadcast.version-not-relayed',
		/^(?:\d+: )?(?:version|overwinter-version|sapling-version)$/,
		'caller'
	),
	broadcast(
		'broadcast.fee-too-low',
		/^(?:\d+: )?(?:insufficient (?:priority|fee)|rate limited free transaction|min relay fee not met|mempool min fee not met)\b.*$/,
		'caller'
	),
	broadcast('broadcast.inputs-missing', /^Missing inputs$/i, 'caller'),
	broadcast('broadcast.fee-absurd', /^AcceptToMemoryPool: absurdly high fees\b.*$/, 'caller'),
	broadcast('broadcast.already-confirmed', 'transaction already in block chain', 'nobody')
] as const;

export type BroadcastErrorCode = (typeof broadcastErrors)[number]['code'];
