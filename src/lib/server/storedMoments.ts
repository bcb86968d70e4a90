import { DAY_MS, MINUTE_MS } from '#lib/text/units.ts';
import { THROTTLE_WINDOW, LONGEST_LOGIN_PAUSE } from './access/credentials/loginThrottle.ts';
import { LINK_MS } from './access/notifications/addresses.ts';
import { BOTH_MS } from './access/notifications/webhooks.ts';
import { LONGEST_WAIT_MS } from './access/notifications/queue.ts';
import { LONGEST_PAUSE_MS } from './cross-chain/migration/steps.ts';
import { GIVEN_WINDOW } from './cross-chain/notary-approvals/limits.ts';
import { ACTIVE_MS } from './cross-chain/notary-approvals/queue/approvalQueues.ts';
import { HOLD_MS } from './kdf/activation/pads.ts';
import type { Bound } from './platform/jobs/clock.ts';
import { REVIEW_MS } from './wallet/transactions/store.ts';

/** Longer than any lease without renewal. */
const LONGEST_LEASE_MS = 60_000;
/** Longer than the delay between two attempts of an activation. */
const LONGEST_RETRY_MS = 10 * MINUTE_MS;

/**
 * Limit for the recorded times of spending: a send recorded under a clock that was ahead counts for at most a
 * day longer. Not less, because a clock that is behind for a while would move the time so far back that, once
 * it is corrected, the send would no longer count.
 */
const LONGEST_AHEAD_MS = DAY_MS;

/**
 * Every stored time that something waits for, except those at which a granted right expires, and those in the
 * audit log.
 */
export const STORED_MOMENTS: readonly Bound[] = [
	{ table: 'migrations', column: 'due_at', longest: LONGEST_PAUSE_MS, soon: true },
	{ table: 'migrations', column: 'lease_until', longest: LONGEST_LEASE_MS, shared: true },
	{ table: 'activations', column: 'due_at', longest: LONGEST_RETRY_MS, soon: true },
	{ table: 'activations', column: 'lease_until', longest: LONGEST_LEASE_MS, shared: true },
	{ table: 'activations', column: 'pin_holder_until', longest: HOLD_MS },
	{ table: 'notice_jobs', column: 'due_at', longest: LONGEST_WAIT_MS, soon: true },
	{ table: 'notice_jobs', column: 'lease_until', longest: LONGEST_LEASE_MS, shared: true },
	{ table: 'deliveries', column: 'due_at', longest: LONGEST_WAIT_MS, soon: true },
	{ table: 'notice_settings', column: 'pending_until', longest: LINK_MS },
	{ table: 'notice_settings', column: 'links_since', longest: 0 },
	{ table: 'notice_settings', column: 'mails_since', longest: 0 },
	{ table: 'webhooks', column: 'previous_until', longest: BOTH_MS },
	{ table: 'transactions', column: 'expires_at', longest: REVIEW_MS },
	{ table: 'locked_utxos', column: 'until', longest: REVIEW_MS },
	{ table: 'spending_limit_uses', column: 'at', longest: LONGEST_AHEAD_MS },
	{ table: 'api_token_uses', column: 'at', longest: LONGEST_AHEAD_MS },
	{ table: 'policy_uses', column: 'at', longest: LONGEST_AHEAD_MS },
	{ table: 'approval_queues', column: 'active_until', longest: ACTIVE_MS },
	{ table: 'throttle', column: 'expires_at', longest: THROTTLE_WINDOW * 1_000 },
	{
		table: 'throttle',
		column: 'expires_at',
		longest: LONGEST_LOGIN_PAUSE * 1_000,
		keyLike: 'login-pause:%'
	},
	{
		table: 'throttle',
		column: 'expires_at',
		longest: GIVEN_WINDOW * 1_000,
		keyLike: 'approval-%'
	}
];
