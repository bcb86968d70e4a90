import type { MigrationReason } from '#lib/messages/migration/reasons.ts';

/**
 * State of a migration. A state says what is known, not what is attempted: in `burn-unknown` the burn may or may
 * not have reached the network, so it is looked up before it is sent.
 * `burn-needs-approval`: the burn is confirmed, and policies require others to approve it before it is sent.
 * `done`: a block contains the import, which is watched until that block is `final`.
 */
export const STATES = [
	'draft',
	'preflight-failed',
	'burn-needs-approval',
	'burn-unknown',
	'burn-pending',
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting',
	'needs-approval',
	'ready-to-import',
	'import-unknown',
	'import-pending',
	'done',
	'final',
	'stuck',
	'discarded'
] as const;

export type MigrationState = (typeof STATES)[number];

/** States in which the engine acts or waits. */
const MOVING: readonly MigrationState[] = [
	'burn-unknown',
	'burn-pending',
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting',
	'ready-to-import',
	'import-unknown',
	'import-pending'
];

/** States before anything was sent: a migration can be discarded without loss. */
export const BEFORE_BURN: readonly MigrationState[] = [
	'draft',
	'preflight-failed',
	'burn-needs-approval'
];

/** States of {@link BEFORE_BURN} in which the burn was not confirmed. */
export const UNCONFIRMED: readonly MigrationState[] = ['draft', 'preflight-failed'];

/** States after a block of the destination contained the import. */
export const ARRIVED: readonly MigrationState[] = ['done', 'final'];

/** Whether the import is confirmed, final or not. */
export const hasArrived = (state: MigrationState): boolean => ARRIVED.includes(state);

/** Whether the engine acts or waits for something. */
export function isMoving(state: MigrationState): boolean {
	return MOVING.includes(state);
}

/** Reasons of stopped migrations whose burn can never be confirmed: users are told to start again. */
export const OVER_REASONS = [
	'burn.dead',
	'burn.outlived'
] as const satisfies readonly MigrationReason['code'][];

/** Whether a migration stopped for good, so that members have to start again. */
export const isOver = ({
	state,
	reason
}: {
	state: MigrationState;
	reason: MigrationReason | null;
}): boolean => state === 'stuck' && OVER_REASONS.some((code) => code === reason?.code);

/**
 * `automatic`: the engine sends the import. `ask`: a member has to approve it first. `ask-two`: two different
 * members have to.
 */
export const POLICIES = ['automatic', 'ask', 'ask-two'] as const;

export type MigrationPolicy = (typeof POLICIES)[number];

/** Number of different members who have to approve the import. */
export const APPROVALS: Readonly<Record<MigrationPolicy, number>> = {
	automatic: 0,
	ask: 1,
	'ask-two': 2
};

/**
 * `notarized`: a proof through KMD. `custom`: the same, with a burn made from selected UTXOs. `backup`: five
 * notaries approve the burn, which is published for them.
 */
export type MigrationPath = 'notarized' | 'custom' | 'backup';

/** States in which a confirmed burn can be published for approval by notaries. */
export const PUBLISHABLE: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'stuck'
];
