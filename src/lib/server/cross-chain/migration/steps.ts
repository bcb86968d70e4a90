/**
 * The routes as data: who acts in each step, on which chain, and the first pause between two checks. The meaning of
 * a daemon's refusals is in `refusals.ts`.
 */
import { MINUTE_MS } from '#lib/text/units.ts';
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
	/** Who acts: a person, this server, the miners of a chain, or the notaries. */
	actor: 'person' | 'engine' | 'miners' | 'notaries';
	/** The chain where it happens. */
	where: 'source' | 'kmd' | 'destination';
	/** Milliseconds between two checks at first; the pause grows with the wait. */
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

/** The burn is made step by step from selected UTXOs or a pasted transaction. */
const CUSTOM_ROUTE: readonly StepRule[] = [
	{ id: 'compose', actor: 'person', where: 'source', pause: 2_000 },
	{ id: 'convert', actor: 'engine', where: 'source', pause: 2_000 },
	{ id: 'fund', actor: 'engine', where: 'source', pause: 2_000 },
	...NOTARIZED_ROUTE
];

/** Notaries approve the burn one by one on the destination; KMD is not involved. */
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

/** Returns the steps of a route, in order; empty for a route that only another release knows. */
export function stepsOf(route: MigrationPath): readonly StepRule[] {
	return PATHS.includes(route) ? ROUTES[route] : [];
}

const RULES = new Map([...BACKUP_ROUTE, ...CUSTOM_ROUTE].map((rule) => [rule.id, rule]));
/** Milliseconds. A due time further ahead was written before the clock was set back. */
export const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** Longest pause between two checks of a moving migration, in milliseconds. */
const LONGEST_LOOK_MS = 60_000;

function stepRule(id: StepId): StepRule {
	return RULES.get(id)!;
}

/**
 * Returns the milliseconds until the next check: a tenth of the time waited so far, at most a minute, so that a
 * fast network does not wait long and a slow one is not polled thousands of times.
 */
export function pauseAfter(id: StepId, waitedMs: number): number {
	return Math.min(LONGEST_LOOK_MS, Math.max(stepRule(id).pause, Math.floor(waitedMs / 10)));
}
