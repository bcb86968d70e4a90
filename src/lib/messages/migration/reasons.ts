/** Why a migration waits or stands still. */
import { z } from 'zod';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { checks } from './checks.ts';
import { meaning, refusalHint, some } from './explained.ts';

const chain = z.string();
/** A daemon's own words. */
const response = z.string();
/** What is known of a failed call. */
const detail = z.string();
const actor = z.string();
const count = z.int();

export const REASONS = {
	...STORED,
	/** A check before the burn failed. */
	'check.failed': entry({ check: checks.schema }, ({ check }) => checks.text(check)),
	'burn.pending': entry({ chain }, ({ chain }) => `The burn waits in the mempool of ${chain}.`),
	'burn.refused': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} refused the burn (${response}), and so far it is in no block. It could still get into one, so do not start again yet: it is looked for, and this page says when that is safe.${meaning(response, 'sendrawtransaction')}`
	),
	'burn.dead': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} refused the burn (${response}), and it cannot get into a block any more: nothing was burned. Start again.${meaning(response, 'sendrawtransaction')}`
	),
	'burn.reorganized': entry(
		{ chain },
		({ chain }) =>
			`A reorganization of ${chain} took the block of the burn back: it is looked up, and the same bytes are sent again.`
	),
	'back-notarization.awaited': entry(
		{ chain },
		({ chain }) =>
			`Waits until notaries have recorded the burn's block on KMD and back on ${chain}.`
	),
	'notarization.unknown': entry(
		{ chain },
		({ chain }) =>
			`KMD does not have the notarization of ${chain} that the proof begins with, or not yet. Waits until notaries have recorded the burn's block there and back on ${chain}; if that takes days, publish the burn, so that notaries approve it.`
	),
	'notarization.lost': entry(
		{ chain },
		({ chain }) =>
			`For a day KMD has not had the notarization of ${chain} that the proof begins with. The burn is safe in the chain: publish the burn, so that notaries approve it, or choose Try again when KMD has it.`
	),
	'approvals.awaited': entry(
		{ counted: count, pending: count, unknown: count },
		({ counted, pending, unknown }) =>
			`${counted} of ${APPROVALS_NEEDED} notaries have approved the burn.${
				pending === 0
					? ''
					: ` ${some(pending, 'more approval waits', 'more approvals wait')} for a block.`
			}${unknown === 0 ? '' : ` ${some(unknown, 'id', 'ids')} could not be looked up yet.`}`
	),
	'approvals.doubted': entry(
		{ chain },
		({ chain }) => `${chain} does not accept the approvals: they are looked up again.`
	),
	'approvals.refused': entry(
		{ chain },
		({ chain }) =>
			`${chain} refused the import with these approvals, although each of them holds. It is tried again with later blocks; more approvals may help.`
	),
	'approvals.not-built': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} does not build the import with approvals (${response}).${meaning(response)} The burn is safe in the chain.`
	),
	'target.awaited': entry(
		{ chain },
		({ chain }) => `Waits until ${chain} is notarized on KMD after the burn.`
	),
	'momom.awaited': entry(
		{ chain },
		({ chain }) => `Waits until notaries have recorded the proof's root on ${chain}.`
	),
	'proof.dead': entry(
		{ response },
		({ response }) =>
			`The proof cannot be completed on this route (${response}).${meaning(response)} The burn is safe in the chain; the backup route with approvals of notaries is left.`
	),
	'approval.asked': entry({}, () => 'The import is ready. It is sent when somebody approves it.'),
	'approval.asked-two': entry(
		{},
		() => 'The import is ready. It is sent when two different people have approved it.'
	),
	'approval.first': entry(
		{ actor },
		({ actor }) => `${actor} approved the import. It is sent when somebody else approves it too.`
	),
	'import.pending': entry({ chain }, ({ chain }) => `The import waits in the mempool of ${chain}.`),
	'import.early': entry(
		{ chain },
		({ chain }) => `${chain} does not accept the proof yet; waits for its next notarization.`
	),
	'import.searched': entry(
		{ chain },
		({ chain }) => `Looks for an import of this burn on ${chain}.`
	),
	'import.not-final': entry(
		{ chain },
		({ chain }) =>
			`The block is watched until it is final on ${chain}; should it be taken back, the same import is sent again.`
	),
	'import.refused': entry(
		{ chain, response },
		({ chain, response }) => `${chain} refused the import: ${refusalHint(response)}`
	),
	'review.failed': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'build.broken': entry(
		{ chain },
		({ chain }) =>
			`The connection to ${chain} ended three times while it built the import: its daemon may have crashed. The burn is safe; look at that daemon, then choose Try again.`
	),
	'daemon.no-answer': entry(
		{ chain, detail },
		({ chain, detail }) => `${chain} does not answer: ${detail}`
	),
	'daemon.unreadable': entry(
		{ chain, detail },
		({ chain, detail }) => `An answer of ${chain} cannot be used: ${detail}`
	),
	'daemon.wrong-chain': entry(
		{ chain, daemon: z.string(), name: z.string(), ccid: z.number().nullable() },
		({ chain, daemon, name, ccid }) =>
			`${chain} does not answer: the daemon ${daemon} now runs ${name} with the id ${ccid ?? 'none'}.`
	),
	'daemon.no-sapling': entry(
		{ chain },
		({ chain }) => `${chain} does not answer: Sapling is not active on it.`
	),
	'refusal.passing': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} refuses this at the moment (${response}). It may pass: the same is tried again.${meaning(response)}`
	),
	'refusal.lasting': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} has refused this for a long time (${response}).${meaning(response)} Nothing is lost; choose Try again when the daemon is in order.`
	),
	'send.unknown': entry(
		{ chain },
		({ chain }) =>
			`The connection to ${chain} broke while sending: it is looked up before anything is sent again.`
	),
	'send.not-shown': entry(
		{ chain },
		({ chain }) => `${chain} took the transaction and does not show it yet: it is looked up again.`
	),
	'send.claimed': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} says that it is there already (${response}): it is looked up before anything is sent again.`
	),
	/** What an earlier version or another hand wrote about a step does not fit. */
	'evidence.unreadable': entry(
		{ step: z.string() },
		({ step }) =>
			`What is stored about the step “${step}” cannot be read, so nothing is sent. Restore a backup or ask whoever runs this server.`
	)
} as const;

/** Why a migration waits or stands still, as it is stored. */
export type MigrationReason = MessageOf<typeof REASONS>;

export const reasons = catalogueOf(REASONS);
