import { freshen } from './freshen.ts';
import { liveStatus } from './liveStatus.svelte.ts';
import { spreadWait } from './spreadWait.ts';

/** Until the page is asked for again. Milliseconds. */
const RETRY_MS = { first: 1_000, last: 30_000 };

/**
 * Asks again, after growing waits, for a page that could not be updated when there were news: those come no second
 * time. Not while nobody looks at it. For the top of a component.
 */
export function retryHeld(): void {
	$effect(() => {
		if (liveStatus.held !== 'later') return;
		let wait = RETRY_MS.first;
		let timer: ReturnType<typeof setTimeout>;
		const ask = (): void => {
			if (document.hidden) return;
			void freshen();
			timer = setTimeout(ask, spreadWait(wait));
			wait = Math.min(RETRY_MS.last, wait * 2);
		};
		const onvisible = (): void => {
			clearTimeout(timer);
			timer = setTimeout(ask, RETRY_MS.first);
		};
		onvisible();
		document.addEventListener('visibilitychange', onvisible);
		return () => {
			clearTimeout(timer);
			document.removeEventListener('visibilitychange', onvisible);
		};
	});
}
