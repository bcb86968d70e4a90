/**
 * Where a migration stands. A state says what is known, not what is being tried: `burn-unknown` is the
 * state in which the burn may or may not have reached the network, so it is looked up before it is sent.
 */
export const STATES = [
	'draft',
	'preflight-failed',
	'burn-unknown',
	'burn-pending',
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'needs-approval',
	'ready-to-import',
	'import-unknown',
	'import-pending',
	'done',
	'stuck',
	'abandoned'
] as const;

export type MigrationState = (typeof STATES)[number];

/** States in which the engine has something to do or to wait for. */
export const MOVING: readonly MigrationState[] = [
	'burn-unknown',
	'burn-pending',
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'ready-to-import',
	'import-unknown',
	'import-pending'
];

/** States before anything was sent: nothing is lost by giving up. */
export const BEFORE_BURN: readonly MigrationState[] = ['draft', 'preflight-failed'];

export function isMoving(state: MigrationState): boolean {
	return MOVING.includes(state);
}

/** `automatic`: the engine sends the import itself. `ask`: it waits for a person's word first. */
export type MigrationPolicy = 'automatic' | 'ask';

export type MigrationRoute = 'notarized';
