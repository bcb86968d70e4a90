/** Formats durations. */
import { plural } from './plural.ts';

const UNITS = [
	{ seconds: 86_400, range: 172_800, name: 'day' },
	{ seconds: 3_600, range: 7_200, name: 'hour' },
	{ seconds: 60, range: 90, name: 'minute' },
	{ seconds: 1, range: 0, name: 'second' }
] as const;

/**
 * Formats a duration in its largest unit: `4 minutes`.
 * @param round rounds to whole units; use `Math.ceil` for a waiting time, so that it is not over too early
 */
export function duration(seconds: number, round: (value: number) => number = Math.floor): string {
	const whole = round(seconds);
	const unit = UNITS.find((one) => whole >= one.seconds);
	return unit === undefined ? 'less than a second' : plural(round(whole / unit.seconds), unit.name);
}

/**
 * Formats a range in the unit of its longer end: `4 to 9 minutes`, `up to 2 hours`. @param range in seconds
 */
export function durationRange({ low, high }: { low: number; high: number }): string {
	const unit = UNITS.find(({ range }) => high >= range)!;
	const most = Math.max(1, Math.ceil(high / unit.seconds));
	const least = Math.floor(low / unit.seconds);
	const longest = plural(most, unit.name);
	if (least === 0) return `up to ${longest}`;
	return least >= most ? `about ${longest}` : `${least} to ${longest}`;
}
