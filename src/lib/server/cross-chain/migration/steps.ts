/**
 * The routes as data: who acts in each step, on which chain, and how long the first pauses between two
 * looks are. What a daemon's refusal means is in `refusals.ts`.
 */
import type { MigrationPath } from './states.ts';

export const STEP_IDS = [
	'compose',
	'convert',
	'fund',
	'burn',
	'burn-confirmed',
	'back-notarization',
	'approvals',
	'import-built',
	'completion',
	'target-notarization',
	'import-sent',
	'import-confirmed'
] as const;

export type StepId = (typeof STEP_IDS)[number];

export interface StepRule {
	id: StepId;
	/** Whose move it is: a person, this server, the miners of a chain, or the notaries. */
	actor: 'person' | 'engine' | 'miners' | 'notaries';
	/** Where it happens. */
	where: 'source' | 'kmd' | 'destination';
	/** Milliseconds between two looks while it is young; the pause grows with the wait. */
	pause: number;
}

const NOTARIZED_ROUTE: readonly StepRule[] = [
	{ id: 'burn', actor: 'person', where: 'source', pause: 2_000 },
	{ id: 'burn-confirmed', actor: 'miners', where: 'source', pause: 2_000 },
	{ id: 'back-notarization', actor: 'notaries', where: 'source', pause: 2_000 },
	{ id: 'import-built', actor: 'engine', where: 'source', pause: 2_000 },
	{ id: 'completion', actor: 'engine', where: 'kmd', pause: 2_000 },
	{ id: 'target-notarization', actor: 'notaries', where: 'destination', pause: 2_000 },
	{ id: 'import-sent', actor: 'engine', where: 'destination', pause: 2_000 },
	{ id: 'import-confirmed', actor: 'miners', where: 'destination', pause: 2_000 }
];

/** The burn is made step by step from chosen outputs or a transaction that was brought along. */
const CUSTOM_ROUTE: readonly StepRule[] = [
	{ id: 'compose', actor: 'person', where: 'source', pause: 2_000 },
	{ id: 'convert', actor: 'engine', where: 'source', pause: 2_000 },
	{ id: 'fund', actor: 'engine', where: 'source', pause: 2_000 },
	...NOTARIZED_ROUTE
];

/** Notaries approve the burn one by one on the destination; KMD takes no part. */
const BACKUP_ROUTE: readonly StepRule[] = [
	{ id: 'burn', actor: 'person', where: 'source', pause: 2_000 },
	{ id: 'burn-confirmed', actor: 'miners', where: 'source', pause: 2_000 },
	{ id: 'approvals', actor: 'notaries', where: 'destination', pause: 2_000 },
	{ id: 'import-built', actor: 'engine', where: 'source', pause: 2_000 },
	{ id: 'import-sent', actor: 'engine', where: 'destination', pause: 2_000 },
	{ id: 'import-confirmed', actor: 'miners', where: 'destination', pause: 2_000 }
];

const ROUTES: Readonly<Record<MigrationPath, readonly StepRule[]>> = {
	notarized: NOTARIZED_ROUTE,
	custom: CUSTOM_ROUTE,
	backup: BACKUP_ROUTE
};

export const PATHS = Object.keys(ROUTES) as readonly MigrationPath[];

/** The steps of a route, in order; none of a route that only another release knows. */
export function stepsOf(route: MigrationPath): readonly StepRule[] {
	return PATHS.includes(route) ? ROUTES[route] : [];
}

const RULES = new Map([...BACKUP_ROUTE, ...CUSTOM_ROUTE].map((rule) => [rule.id, rule]));
/** No due time is further ahead: what is was written by a clock that was set back since. Milliseconds. */
export const LONGEST_PAUSE_MS = 10 * 60_000;
/** Between two looks while a migration moves. */
const LONGEST_LOOK_MS = 60_000;

function stepRule(id: StepId): StepRule {
	return RULES.get(id)!;
}

/**
 * Milliseconds until the next look: a tenth of what was waited already, so that a fast network is not
 * kept waiting and a slow one is not asked a thousand times. A minute at most.
 */
export function pauseAfter(id: StepId, waitedMs: number): number {
	return Math.min(LONGEST_LOOK_MS, Math.max(stepRule(id).pause, Math.floor(waitedMs / 10)));
}
