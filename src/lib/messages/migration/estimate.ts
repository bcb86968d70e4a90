/** How long a migration takes, in words. */

interface Range {
	/** Seconds. */
	low: number;
	high: number;
}

const UNITS = [
	{ seconds: 86_400, from: 172_800, one: 'day', many: 'days' },
	{ seconds: 3_600, from: 7_200, one: 'hour', many: 'hours' },
	{ seconds: 60, from: 90, one: 'minute', many: 'minutes' },
	{ seconds: 1, from: 0, one: 'second', many: 'seconds' }
] as const;

/** `4 to 9 minutes`, `up to 2 hours`: the unit is that of the longer end. */
export function rangeMessage({ low, high }: Range): string {
	const unit = UNITS.find(({ from }) => high >= from)!;
	const most = Math.max(1, Math.ceil(high / unit.seconds));
	const least = Math.floor(low / unit.seconds);
	const name = most === 1 ? unit.one : unit.many;
	if (least === 0) return `up to ${most} ${name}`;
	return least >= most ? `about ${most} ${name}` : `${least} to ${most} ${name}`;
}

/** How long a step took. */
export function tookMessage(seconds: number): string {
	if (seconds < 1) return 'took under a second';
	const unit = UNITS.find(({ from }) => seconds >= from)!;
	const length = Math.round(seconds / unit.seconds);
	return `took ${length} ${length === 1 ? unit.one : unit.many}`;
}

/** How long all of it takes; `null` where nothing says. */
export const usualMessage = (range: Range | null): string =>
	range === null ? 'Not known yet: it depends on the notaries' : `Usually ${rangeMessage(range)}`;

/** How long what is left takes. */
export const leftMessage = (range: Range): string => `Usually ${rangeMessage(range)} from here.`;

/** Said of a migration that takes longer than is usual on its route. */
export const lateMessage = (range: Range): string =>
	`Longer than usual: most take ${rangeMessage(range)}.`;
