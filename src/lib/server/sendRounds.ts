/** What this process repeats for what the team sends: lookups, approvals, batch transfers and approval queues. */
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Approvals } from './access/approvals/approvals.ts';
import type { SafetyControls } from './access/policy/safety-controls/safetyControls.ts';
import type { Proposals } from './access/proposals/proposals.ts';
import type { ApprovalQueues } from './cross-chain/notary-approvals/queue/approvalQueues.ts';
import { AT_REST, createRounds } from './platform/jobs/rounds.ts';
import type { Runner, RunnerParts } from './platform/jobs/runner.ts';
import type { Sender } from './wallet/transactions/sender.ts';

/** How often sent transactions are looked up until they are in a block. */
const RECONCILE_EVERY_MS = 10_000;
/**
 * How often running batch transfers and approval queues are checked for whether the next transaction may be
 * sent or built.
 */
const BATCH_EVERY_MS = 3_000;
/** How often approvals are checked. */
const APPROVALS_EVERY_MS = 3_000;
const OUTLIVED_EVERY_MS = 20_000;
/** How often closed approval requests and proposals are deleted after their retention period. */
const RETENTION_EVERY_MS = HOUR_MS;
/** Shutdown does not wait longer for rounds: the next process resumes their work. */
const TIMEOUT_MS = 2_000;

interface SendRoundParts {
	sender: Pick<Sender, 'reconcileAll' | 'sendFollowers' | 'discardUnapproved'>;
	safetyControls: Pick<SafetyControls, 'refusal'>;
	approvals: Pick<Approvals, 'expireOutlived' | 'forget'>;
	proposals: Pick<Proposals, 'sweep' | 'forget'>;
	batchTransfers: { round(): Promise<boolean> };
	approvalQueues: Pick<ApprovalQueues, 'round'>;
	/**
	 * Expires requests that were not approved in time, and continues burns that were approved. Returns whether
	 * any request was open or any burn waited.
	 */
	afterApprovals(): Promise<boolean>;
	/** By how many milliseconds the wall clock may be ahead. */
	doubtMs(): Promise<number>;
}

/** Makes the rounds of sends; the caller starts and stops them. */
export function createSendRounds(
	parts: SendRoundParts,
	runner: Pick<RunnerParts, 'onError' | 'onStep' | 'news'>
): Runner {
	const { sender, safetyControls, approvals, proposals, batchTransfers, approvalQueues } = parts;
	const sendFollowers = async (): Promise<void> => {
		if ((await safetyControls.refusal(daemonMethods.sendrawtransaction)) === null)
			await sender.sendFollowers();
	};
	const forgetApprovals = async (): Promise<void> => {
		const doubtMs = await parts.doubtMs();
		await approvals.forget(doubtMs);
		await proposals.forget(doubtMs);
	};
	/** Makes a round that is skipped, after it had nothing to do, until something is written. */
	const unlessNone = (work: () => Promise<boolean>) => async () =>
		(await work()) ? undefined : AT_REST;
	return createRounds(
		{
			reconcile: { everyMs: RECONCILE_EVERY_MS, run: () => sender.reconcileAll() },
			followers: { everyMs: RECONCILE_EVERY_MS, run: sendFollowers },
			approvals: { everyMs: APPROVALS_EVERY_MS, run: unlessNone(parts.afterApprovals) },
			// A separate round: it queries daemons, and approved burns must not wait for those.
			unapproved: { everyMs: APPROVALS_EVERY_MS, run: unlessNone(sender.discardUnapproved) },
			outlived: { everyMs: OUTLIVED_EVERY_MS, run: () => approvals.expireOutlived() },
			proposals: { everyMs: APPROVALS_EVERY_MS, run: unlessNone(proposals.sweep) },
			retention: { everyMs: RETENTION_EVERY_MS, run: forgetApprovals },
			batchTransfers: { everyMs: BATCH_EVERY_MS, run: unlessNone(batchTransfers.round) },
			approvalQueues: { everyMs: BATCH_EVERY_MS, run: unlessNone(approvalQueues.round) }
		},
		{ ...runner, timeoutMs: TIMEOUT_MS }
	);
}
