import { stepsOf, type StepId } from '../steps.ts';
import type { MigrationPath } from '../states.ts';

/** Seconds between the newest events of the two chains of a migration, in any order. */
export interface Paces {
	blocks: Record<'source' | 'destination', readonly number[]>;
	notarizations: Record<'source' | 'destination', readonly number[]>;
}

/** Seconds: four fifths of all waits lie in this range. */
export interface TimeRange {
	low: number;
	high: number;
}

/** Fewer intervals than these do not show what is usual. */
const FEWEST = 3;
/** Multiple of the median at which an interval is capped: a longer one was an outage. */
const OUTLIER = 4;
/** Standard deviations on either side of the mean that cover four fifths of a normal distribution. */
const FOUR_FIFTHS = 1.28;

/**
 * The events that each step waits for. Steps without a wait, and notary approvals, which have no pace, are left out.
 */
const AWAITED: Partial<Record<StepId, (paces: Paces) => readonly number[]>> = {
	'burn-confirmed': ({ blocks }) => blocks.source,
	'back-notarization': ({ notarizations }) => notarizations.source,
	completion: ({ notarizations }) => notarizations.destination,
	'target-notarization': ({ notarizations }) => notarizations.destination,
	'import-confirmed': ({ blocks }) => blocks.destination
};

interface Wait {
	mean: number;
	variance: number;
}

/**
 * Returns mean and variance of the wait for the next event from a random moment on: the residual life of renewal
 * theory. A long interval has more weight, because a random moment is more likely to fall into it.
 */
function waitOf(measured: readonly number[]): Wait | null {
	const sorted = measured.toSorted((a, b) => a - b);
	const most = OUTLIER * (sorted[sorted.length >> 1] ?? 0);
	const intervals = sorted.map((seconds) => Math.min(seconds, most));
	const moment = (power: number): number =>
		intervals.reduce((sum, seconds) => sum + seconds ** power, 0);
	const first = moment(1);
	if (intervals.length < FEWEST || first === 0) return null;
	const mean = moment(2) / (2 * first);
	return { mean, variance: Math.max(0, moment(3) / (3 * first) - mean ** 2) };
}

/** Returns the range of the sum of independent waits. */
function rangeOf(waits: readonly Wait[]): TimeRange {
	const sum = (part: keyof Wait): number => waits.reduce((all, wait) => all + wait[part], 0);
	const around = FOUR_FIFTHS * Math.sqrt(sum('variance'));
	return { low: Math.max(0, sum('mean') - around), high: sum('mean') + around };
}

/**
 * Returns how long the steps of a route usually take, from one of them to the end, by the paces of the chains; null
 * when the pace of one step is unknown.
 *
 * @param from the first step that is not completed; null for all steps
 */
export function arrivalEstimate(
	route: MigrationPath,
	paces: Paces,
	from: StepId | null = null
): TimeRange | null {
	const steps = stepsOf(route);
	const at = from === null ? 0 : steps.findIndex(({ id }) => id === from);
	const waits: Wait[] = [];
	for (const { id } of steps.slice(Math.max(0, at))) {
		if (id === 'approvals') return null;
		const intervals = AWAITED[id]?.(paces);
		if (intervals === undefined) continue;
		const wait = waitOf(intervals);
		if (wait === null) return null;
		waits.push(wait);
	}
	return rangeOf(waits);
}

/** Returns how long one step usually takes; null when it waits for nothing, or its pace is unknown. */
export function stepEstimate(step: StepId, paces: Paces): TimeRange | null {
	const wait = waitOf(AWAITED[step]?.(paces) ?? []);
	return wait && rangeOf([wait]);
}
