/** Reasons for which a migration waits or has stopped. */
import { z } from 'zod';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { FAILED_CALL, failedCall } from '../explained/failedCall.ts';
import { checks } from './checks.ts';
import { count as numeral, plural } from '#lib/text/plural.ts';
import { meaning, quoted, refusalHint } from './explained.ts';

const chain = z.string();
/** The daemon's own text. */
const response = z.string();
const actor = z.string();
const count = z.int();

/** Whether notaries can approve the burn; omitted when they can. */
const APPROVABLE = { approvable: z.literal(false).optional() };

/**
 * Returns the options for a confirmed burn. @param ask when notaries can approve it @param without when they
 * cannot
 */
const safe = (approvable: false | undefined, ask: string, without: string): string =>
	`The burn is safe in the chain: ${approvable === false ? `notaries approve no burns of fungible tokens, ${without}` : ask}.`;

/** For a burn that notarizations can no longer prove. */
const onlyApprovals = (approvable: false | undefined): string =>
	safe(approvable, 'request notary approvals instead', 'so no way is left to import it');

/** For a burn that notarizations may soon no longer prove. */
const approvalsSoon = (approvable: false | undefined): string =>
	safe(approvable, 'request notary approvals now', 'so only a notarization can help');

export const REASONS = {
	...STORED,
	/** A check before the burn failed. */
	'check.failed': entry({ check: checks.schema }, ({ check }) => checks.text(check)),
	'burn.needs-approval': entry(
		{ request: z.string() },
		({ request }) =>
			`The policies ask other members to approve the burn. Nothing was sent; it goes out by itself after the approval: /approvals/${request}.`
	),
	'burn.not-approved': entry(
		{},
		() =>
			'The burn was not approved, so Komodeck did not send it. Confirm the migration again to ask once more, or discard it; either way, Komodeck first looks whether others sent the burn.'
	),
	'burn.pending': entry({ chain }, ({ chain }) => `The burn is in the mempool of ${chain}.`),
	'burn.refused': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} rejected the burn (${quoted(response)}), and no block holds it so far. A block could still take it until it expires or a final block spends one of its inputs otherwise: do not start again until this page says that it is safe.${meaning(response, 'sendrawtransaction')}`
	),
	'burn.dead': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} rejected the burn (${quoted(response)}), and no block can take it any more. Nothing was burned: start a new migration.${meaning(response, 'sendrawtransaction')}`
	),
	/** A restored backup has the migration in its state before the burn. */
	'burn.restored': entry(
		{},
		() =>
			'A backup was restored, and the burn may have been sent after the backup was made. Whether you confirm or discard the migration, Komodeck looks for the burn first and goes on with it where it is found.'
	),
	/** The member who confirmed it lost the account, the role or the wallet before it was sent. */
	'burn.kept': entry(
		{ actor, chain },
		({ actor, chain }) =>
			`${actor} confirmed the burn and may not send from this wallet of ${chain} any more, so Komodeck does not send the burn. A member who may can choose Try again: the burn then counts as theirs.`
	),
	'burn.outlived': entry(
		{ chain },
		({ chain }) =>
			`No block of ${chain} can take the burn any more. Nothing was burned: start a new migration.`
	),
	'burn.reorganized': entry(
		{ chain },
		({ chain }) =>
			`A reorganization of ${chain} removed the block of the burn. Komodeck looks the burn up and sends the same bytes again.`
	),
	'back-notarization.awaited': entry(
		{ chain },
		({ chain }) =>
			`Waiting for notaries to notarize the burn’s block on KMD and write the result back to ${chain}.`
	),
	'back-notarization.late': entry(
		{ chain, blocks: count, ...APPROVABLE },
		({ chain, blocks, approvable }) =>
			`Waiting for notaries to notarize the burn’s block on KMD. That must happen within ${numeral(blocks)} blocks of ${chain}, of which three quarters have passed. ${approvalsSoon(approvable)}`
	),
	'back-notarization.missed': entry(
		{ chain, blocks: count, ...APPROVABLE },
		({ chain, blocks, approvable }) =>
			`No notarization came within ${numeral(blocks)} blocks of ${chain} after the burn, so notarizations cannot prove it any more. ${onlyApprovals(approvable)}`
	),
	'notarization.unknown': entry(
		{ chain, ...APPROVABLE },
		({ chain, approvable }) =>
			`KMD does not have the notarization of ${chain} that the proof starts with, or not yet. Waiting for notaries to notarize the burn’s block.${approvable === false ? '' : ' If that takes days, request notary approvals.'}`
	),
	'notarization.lost': entry(
		{ chain, ...APPROVABLE },
		({ chain, approvable }) =>
			`For a day KMD has not had the notarization of ${chain} that the proof starts with. ${safe(approvable, 'request notary approvals, or choose Try again when KMD has it', 'so choose Try again when KMD has it')}`
	),
	'approvals.awaited': entry(
		{ counted: count, pending: count, unknown: count },
		({ counted, pending, unknown }) =>
			`${counted} of ${APPROVALS_NEEDED} notaries have approved the burn.${
				pending === 0
					? ''
					: ` ${plural(pending, 'more approval is', 'more approvals are')} pending.`
			}${unknown === 0 ? '' : ` ${plural(unknown, 'id')} could not be looked up yet.`}`
	),
	'approvals.doubted': entry(
		{ chain },
		({ chain }) => `${chain} does not accept the approvals. Komodeck looks them up again.`
	),
	'approvals.refused': entry(
		{ chain },
		({ chain }) =>
			`${chain} rejected the import with these approvals, although each of them is valid. Komodeck tries again with later blocks; more approvals may help.`
	),
	'approvals.not-built': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} cannot build the import with approvals (${quoted(response)}).${meaning(response)} The burn is safe in the chain.`
	),
	'target.awaited': entry(
		{ chain },
		({ chain }) => `Waiting for ${chain} to be notarized on KMD after the burn.`
	),
	'target.late': entry(
		{ chain, blocks: count, ...APPROVABLE },
		({ chain, blocks, approvable }) =>
			`Waiting for ${chain} to be notarized on KMD after the burn. That must happen within ${numeral(blocks)} blocks of KMD, of which three quarters have passed. ${approvalsSoon(approvable)}`
	),
	'target.missed': entry(
		{ chain, blocks: count, ...APPROVABLE },
		({ chain, blocks, approvable }) =>
			`${chain} was not notarized in time: a proof has to be completed within ${numeral(blocks)} blocks of KMD, and these have passed. ${onlyApprovals(approvable)}`
	),
	'momom.awaited': entry(
		{ chain },
		({ chain }) => `Waiting for notaries to record the MoMoM of the proof on ${chain}.`
	),
	'proof.dead': entry(
		{ response, ...APPROVABLE },
		({ response, approvable }) =>
			`The proof cannot be completed on this route (${quoted(response)}).${meaning(response)} ${onlyApprovals(approvable)}`
	),
	'approval.asked': entry({}, () => 'The import is ready. It is sent after 1 approval.'),
	'approval.asked-two': entry(
		{},
		() => 'The import is ready. It is sent after approvals of 2 different members.'
	),
	'approval.first': entry(
		{ actor },
		({ actor }) => `${actor} approved the import. 1 more approval of another member is needed.`
	),
	'import.pending': entry({ chain }, ({ chain }) => `The import is in the mempool of ${chain}.`),
	'import.early': entry(
		{ chain },
		({ chain }) => `${chain} does not accept the proof yet. Waiting for its next notarization.`
	),
	'import.not-accepted': entry(
		{ chain, ...APPROVABLE },
		({ chain, approvable }) =>
			`For a day ${chain} has rejected the import with each proof that was to be had. ${safe(approvable, `request notary approvals, or choose Try again after the next notarization of ${chain}`, `so choose Try again after the next notarization of ${chain}`)}`
	),
	'import.searched': entry(
		{ chain },
		({ chain }) => `Looking for an import of this burn on ${chain}.`
	),
	/** The daemon lacks blocks, so it cannot tell whether one of them contains an import of the burn. */
	'import.blocks-missing': entry({ chain, blocks: count, tip: count }, ({ chain, blocks, tip }) =>
		tip > 0
			? `The daemon of ${chain} has ${numeral(blocks)} of the ${numeral(tip)} blocks that its peers report, and the others could hold an import of this burn. The import is sent when the daemon has all blocks. If the first number does not grow, restart the daemon or disconnect the peers that report more blocks than there are.`
			: `The daemon of ${chain} has ${plural(blocks, 'block')} and does not know whether its chain has more, which could hold an import of this burn. The import is sent when the daemon has peers that agree, or after its next block if no other daemon has this chain.`
	),
	'import.not-final': entry(
		{ chain },
		({ chain }) =>
			`Komodeck watches the block until it is final on ${chain}. If a reorganization removes it, the same import is sent again.`
	),
	'import.refused': entry(
		{ chain, response },
		({ chain, response }) => `${chain} rejected the import: ${refusalHint(response)}`
	),
	'review.failed': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'build.broken': entry(
		{ chain },
		({ chain }) =>
			`The connection to ${chain} ended three times while it built the import: its daemon may have crashed. The burn is safe. Check that daemon, then choose Try again.`
	),
	'daemon.no-answer': entry(
		{ chain, ...FAILED_CALL },
		({ chain, ...failed }) => `${chain} is offline: ${failedCall(failed)}`
	),
	'daemon.unreadable': entry(
		{ chain, ...FAILED_CALL },
		({ chain, ...failed }) => `${chain} gave an unexpected response: ${failedCall(failed)}`
	),
	'daemon.wrong-chain': entry(
		{ chain, daemon: z.string(), name: z.string(), ccid: z.number().nullable() },
		({ chain, daemon, name, ccid }) =>
			`${chain} is offline: the daemon ${daemon} now runs ${name} (CCid ${ccid ?? 'none'}).`
	),
	'daemon.no-sapling': entry(
		{ chain },
		({ chain }) => `${chain} cannot be used: Sapling is not active on it.`
	),
	'refusal.passing': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} rejects this at the moment (${quoted(response)}). Komodeck tries again.${meaning(response)}`
	),
	'refusal.lasting': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} has rejected this for a long time (${quoted(response)}).${meaning(response)} Nothing is lost: fix the daemon, then choose Try again.`
	),
	'send.unknown': entry(
		{ chain },
		({ chain }) =>
			`The connection to ${chain} broke while sending. Komodeck looks the transaction up before anything is sent again.`
	),
	'send.not-shown': entry(
		{ chain },
		({ chain }) =>
			`${chain} accepted the transaction and does not show it yet. Komodeck looks it up again.`
	),
	'send.claimed': entry(
		{ chain, response },
		({ chain, response }) =>
			`${chain} reports the transaction as known already (${quoted(response)}). Komodeck looks it up before anything is sent again.`
	),
	/** A stored fact of a step is invalid, written by an early release or by hand. */
	'evidence.unreadable': entry(
		{ step: z.string() },
		({ step }) =>
			`The stored record of the step “${step}” cannot be read, so nothing is sent. Restore a backup, or ask an admin of this server.`
	)
} as const;

/** A reason as it is stored. */
export type MigrationReason = MessageOf<typeof REASONS>;

export const reasons = catalogueOf(REASONS);
