import { freshen } from './freshen.ts';
import { liveStatus } from './liveStatus.svelte.ts';

/**
 * Reloads what a page shows while it waits for something, except while the tab is hidden. Call during
 * component initialization.
 * @param isWaiting whether there is something to wait for
 * @param everyMs interval: `told` while events arrive, `alone` otherwise
 * @param what dependency to reload; all data by default
 */
export function poll(
	isWaiting: () => boolean,
	everyMs: { told: number; alone: number },
	what?: string
): void {
	$effect(() => {
		if (!isWaiting()) return;
		const every = liveStatus.live ? everyMs.told : everyMs.alone;
		const timer = setInterval(() => {
			if (!document.hidden) void freshen(what);
		}, every);
		return () => clearInterval(timer);
	});
}
