/** Texts about the duration of a migration. */
import { duration, durationRange } from '#lib/text/duration.ts';

interface Range {
	/** Seconds. */
	low: number;
	high: number;
}

export { durationRange as rangeMessage };

/** Duration of a completed step. */
export const tookMessage = (seconds: number): string => `took ${duration(seconds, Math.round)}`;

/** Estimated total duration; null when there is no estimate. */
export const usualMessage = (range: Range | null): string =>
	range === null ? 'Not known yet: it depends on the notaries' : `Usually ${durationRange(range)}`;

/** Estimated remaining duration. */
export const leftMessage = (range: Range): string => `Usually ${durationRange(range)} from here.`;

/** For a migration that takes longer than usual on its route. */
export const lateMessage = (range: Range): string =>
	`Longer than usual: most take ${durationRange(range)}.`;
