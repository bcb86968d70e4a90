import { stepsOf, type StepId } from '../steps.ts';
import type { MigrationPath } from '../states.ts';

/** Seconds between the newest events of the two chains of a migration, in any order. */
export interface Paces {
	blocks: Record<'source' | 'destination', readonly number[]>;
	notarizations: Record<'source' | 'destination', readonly number[]>;
}

/** Seconds: four of five waits lie between them. */
export interface TimeRange {
	low: number;
	high: number;
}

/** Fewer intervals than these say nothing about what is usual. */
const FEWEST = 3;
/** An interval of more medians than this was an outage, which is not usual: it counts as so many. */
const OUTLIER = 4;
/** Standard deviations on either side of the mean that hold four fifths of a normal distribution. */
const FOUR_FIFTHS = 1.28;

/** What each step waits for. Those that nobody waits in are not here; notaries' approvals have no pace. */
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
 * Mean and variance of the wait for the next event, for who comes at any time: the residual life of renewal
 * theory. Long intervals count more than their number, because more people come within one.
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

/** Waits one after another, which have nothing to do with each other. */
function rangeOf(waits: readonly Wait[]): TimeRange {
	const sum = (part: keyof Wait): number => waits.reduce((all, wait) => all + wait[part], 0);
	const around = FOUR_FIFTHS * Math.sqrt(sum('variance'));
	return { low: Math.max(0, sum('mean') - around), high: sum('mean') + around };
}

/**
 * How long the steps of a route usually take from one of them to the end, from the chains' own paces; null where
 * one of them has none.
 *
 * @param from the first step that is not behind; all of them when not given
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

/** How long one step usually takes; null where it waits for nothing, or nothing is known of what it waits for. */
export function stepEstimate(step: StepId, paces: Paces): TimeRange | null {
	const wait = waitOf(AWAITED[step]?.(paces) ?? []);
	return wait && rangeOf([wait]);
}
