/** How long a migration takes, in words. */
import { duration, durationRange } from '#lib/text/duration.ts';

interface Range {
	/** Seconds. */
	low: number;
	high: number;
}

export { durationRange as rangeMessage };

/** How long a step took. */
export const tookMessage = (seconds: number): string => `took ${duration(seconds, Math.round)}`;

/** How long all of it takes; `null` where nothing says. */
export const usualMessage = (range: Range | null): string =>
	range === null ? 'Not known yet: it depends on the notaries' : `Usually ${durationRange(range)}`;

/** How long what is left takes. */
export const leftMessage = (range: Range): string => `Usually ${durationRange(range)} from here.`;

/** Said of a migration that takes longer than is usual on its route. */
export const lateMessage = (range: Range): string =>
	`Longer than usual: most take ${durationRange(range)}.`;
