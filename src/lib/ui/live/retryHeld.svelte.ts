import { freshen } from './freshen.ts';
import { liveStatus } from './liveStatus.svelte.ts';
import { spreadWait } from './spreadWait.ts';

/** Delay before the page is requested again. Milliseconds. */
const RETRY_MS = { first: 1_000, last: 30_000 };

/**
 * Retries, with backoff, the reload of a page that could not be served when an event arrived, because the
 * event is not repeated. Pauses while the tab is hidden. Call during component initialization.
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
