import type { MigrationReason } from '#lib/messages/migration/reasons.ts';

/**
 * Where a migration stands. A state says what is known, not what is being tried: `burn-unknown` is the
 * state in which the burn may or may not have reached the network, so it is looked up before it is sent.
 * `burn-needs-approval`: the burn is confirmed, and the policies ask others to approve it before it goes out.
 * `done`: a block holds the import, and it is watched until that block is `final`.
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

/** States in which the engine has something to do or to wait for. */
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

/** States before anything was sent: nothing is lost by giving up. */
export const BEFORE_BURN: readonly MigrationState[] = [
	'draft',
	'preflight-failed',
	'burn-needs-approval'
];

/** Of them those in which nobody has asked for the burn to be sent. */
export const UNCONFIRMED: readonly MigrationState[] = ['draft', 'preflight-failed'];

/** States after a block of the destination has held the import. */
export const ARRIVED: readonly MigrationState[] = ['done', 'final'];

export const hasArrived = (state: MigrationState): boolean => ARRIVED.includes(state);

export function isMoving(state: MigrationState): boolean {
	return MOVING.includes(state);
}

/** Reasons by which nothing can come any more of the burn of a stopped migration: people are told to start anew. */
export const OVER_REASONS = [
	'burn.dead',
	'burn.outlived'
] as const satisfies readonly MigrationReason['code'][];

export const isOver = ({
	state,
	reason
}: {
	state: MigrationState;
	reason: MigrationReason | null;
}): boolean => state === 'stuck' && OVER_REASONS.some((code) => code === reason?.code);

/**
 * `automatic`: the engine sends the import itself. `ask`: it waits for a person's word first.
 * `ask-two`: it waits for the word of two different people.
 */
export const POLICIES = ['automatic', 'ask', 'ask-two'] as const;

export type MigrationPolicy = (typeof POLICIES)[number];

/** How many different people have to let the import be sent. */
export const APPROVALS: Readonly<Record<MigrationPolicy, number>> = {
	automatic: 0,
	ask: 1,
	'ask-two': 2
};

/**
 * `notarized`: a proof over KMD. `custom`: the same, with a burn made from outputs that a person chose.
 * `backup`: five notaries approve the burn, which is published for them.
 */
export type MigrationPath = 'notarized' | 'custom' | 'backup';

/** States in which a burn that is in a block can be published, so that notaries approve it. */
export const PUBLISHABLE: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'stuck'
];
