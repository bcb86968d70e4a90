import { freshen } from './freshen.ts';
import { liveStatus } from './liveStatus.svelte.ts';

/**
 * Looks again at what a page shows while it waits for something, and not while nobody looks at the page. For the top
 * of a component.
 * @param isWaiting whether there is something to wait for
 * @param everyMs between two looks: seldom while the page is told of what happens, often when it is alone
 * @param what the part of the page's data that is fetched; all of it when left out
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
